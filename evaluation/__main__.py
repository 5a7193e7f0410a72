"""Command line of `evaluation`: `python -m evaluation --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.averitec.commands import add_averitec_commands
from evaluation.everyday.commands import add_everyday_commands
from evaluation.extraction.commands import add_extraction_commands
from evaluation.poison.commands import add_poison_command
from evaluation.scenarios import add_speed_commands
from evaluation.thesis.commands import add_thesis_commands
from retrieval.command import Parser, add_recipe, positive, run, settings_of
from retrieval.errors import SettingError
from retrieval.settings import Settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code: 0 done, 1 done except some claims, 2 could not start."""
    return run(_parser(), arguments)


def _parser() -> Parser:
    example = "Example: python -m evaluation fever claims-dev.jsonl --store data/local/store --out evaluation/out"
    parser = Parser(prog="python -m evaluation", description="Scores a pipeline on a data set.", epilog=example)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_fever(commands, example)
    add_averitec_commands(commands, positive, _print_card)
    _add_stance(commands)
    add_extraction_commands(commands, positive, _print_card)
    add_poison_command(commands, _print_card)
    add_everyday_commands(commands, positive, _print_card)
    _add_ablation(commands)
    add_thesis_commands(commands, positive)
    results = commands.add_parser(
        "results",
        help="write the figures of a scorecard, and of those beside it, into README.md and pages of docs/",
        epilog="Example: python -m evaluation results evaluation/out/scorecard.json --into README.md docs/results.md docs/scaling.md",
    )
    results.add_argument("scorecard", type=Path, metavar="SCORECARD.json")
    results.add_argument("--into", type=Path, nargs="+", required=True, metavar="PAGE.md")
    results.set_defaults(run=_results)
    cards = commands.add_parser(
        "cards",
        help="write the figures of the shipped models on the sample into their cards",
        epilog="Example: python -m evaluation cards --store data/local/sample --into docs/models",
    )
    cards.add_argument("--store", required=True, help="a corpus that holds data/sample/wiki-001.jsonl")
    cards.add_argument("--into", type=Path, default=Path("docs/models"), metavar="DIR", help="default: %(default)s")
    cards.set_defaults(run=_cards)
    add_speed_commands(commands)
    return parser


def _add_fever(commands: Any, example: str) -> None:
    fever = commands.add_parser(
        "fever", help="FEVER claims", description="Score a recipe, or predictions, on FEVER claims.", epilog=example
    )
    fever.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    fever.add_argument("--store", default="", help="the corpus: a folder (default: STORE, else DATA/store)")
    add_recipe(fever)
    fever.add_argument(
        "--predictions", type=Path, metavar="FILE", help="score these instead: FEVER's submission format"
    )
    fever.add_argument("--limit", type=positive, metavar="N", help="score the first N claims")
    fever.add_argument("--natural", action="store_true", help="only claims whose gold evidence is in whole pages")
    fever.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="processes; time is measured only with 1"
    )
    fever.add_argument("--restart", action="store_true", help="discard the answers of an interrupted run in DIR")
    fever.add_argument("--compare", type=Path, metavar="OTHER/scorecard.json", help="another run to compare with")
    fever.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where scorecard.json, report.html and predictions go"
    )
    fever.set_defaults(run=_fever)


def _add_ablation(commands: Any) -> None:
    ablation = commands.add_parser(
        "ablation",
        help="recipe esoteric without each of its steps",
        description="Score recipe esoteric on FEVER claims, once whole and once without each of its steps.",
        epilog="Example: python -m evaluation ablation claims-dev.jsonl --natural --limit 300 --store data/local/fever "
        "--out evaluation/out/ablation --into docs/esoteric.md",
    )
    ablation.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    ablation.add_argument("--store", default="", help="the corpus: a folder (default: STORE, else DATA/store)")
    ablation.add_argument("--limit", type=positive, metavar="N", help="score the first N claims")
    ablation.add_argument("--natural", action="store_true", help="only claims whose gold evidence is in whole pages")
    ablation.add_argument("--out", type=Path, required=True, metavar="DIR", help="where ablation.json and answers go")
    ablation.add_argument("--into", type=Path, metavar="PAGE.md", help="write the table between this page's marks")
    ablation.set_defaults(run=_ablation)


def _add_stance(commands: Any) -> None:
    stance = commands.add_parser(
        "stance",
        help="the stance model alone, on pairs",
        description="Score the stance model on pairs of claim and evidence: one JSON object a line, .jsonl or .jsonl.gz.",
        epilog="Example: python -m evaluation stance vitaminc-real.jsonl.gz --limit 2000 --out evaluation/out/stance",
    )
    stance.add_argument("pairs", type=Path, metavar="PAIRS.jsonl")
    stance.add_argument("--limit", type=positive, metavar="N", help="score the first N pairs")
    stance.add_argument(
        "--recipe",
        choices=("careful", "fast"),
        default="careful",
        help="whose stance: of both networks, or of the small one alone (default: %(default)s)",
    )
    stance.add_argument("--out", type=Path, required=True, metavar="DIR", help="where scorecard.json goes")
    stance.set_defaults(run=_stance)
    pairs = commands.add_parser(
        "stance-pairs",
        help="pairs to measure the stance model on",
        description="Write pairs of claims that no model is trained on: as published, as twins, without evidence.",
        epilog="Example: python -m evaluation stance-pairs --data ../shared/data --out data/local/stance",
    )
    pairs.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder with training/nli")
    pairs.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the three files go")
    pairs.set_defaults(run=_stance_pairs)


def _fever(options: argparse.Namespace) -> int:
    from evaluation.fever.run import evaluate, evaluate_predictions
    from retrieval.resources import Resources

    chosen = (options.limit, options.natural)
    if options.predictions:
        if options.recipe or options.store:
            raise SettingError("`--predictions` needs no recipe and no corpus. Leave out `--recipe` and `--store`.")
        card = evaluate_predictions(options.claims, options.out, options.predictions, *chosen, compare=options.compare)
    else:
        settings = settings_of(options)
        # FEVER has three labels; CONFLICTING is not one of them.
        resources = Resources(replace(settings, store=options.store or settings.store, conflicting_from=0.0))
        more = {"workers": options.workers, "restart": options.restart, "compare": options.compare}
        card = evaluate(options.claims, options.out, resources, settings.recipe, *chosen, **more)
    _print_card(card)
    if "comparison" in card:
        _print_comparison(card["comparison"])
    if missing := card["data"]["claims"] - card["data"]["scored"]:
        print(f"{missing:,} of {card['data']['claims']:,} claims are not scored.", file=sys.stderr)
    return 1 if missing else 0


def _print_card(card: Mapping[str, Any]) -> None:
    for name, score in card["metrics"].items():
        print(f"{name:24} {score['value']:.4f}  [{score['low']:.4f}, {score['high']:.4f}]  n={score['n']}")
    if speed := card.get("latency_ms"):
        print(f"{'ms a claim':24} p50 {speed['p50']}  p95 {speed['p95']}  peak {card.get('peak_rss_mb')} MB")
    if tokens := card.get("tokens"):
        print(f"{'tokens a claim, mean':24} prompt {tokens['prompt']['mean']}  reply {tokens['reply']['mean']}")


def _print_comparison(found: Mapping[str, Any]) -> None:
    print(f"\nbeside {found['other']}, {found['claims']:,} claims: this, other, difference with interval, p")
    for name, row in found["metrics"].items():
        difference = f"{row['difference']:+.4f} [{row['low']:+.4f}, {row['high']:+.4f}]"
        print(f"{name:24} {row['this']:.4f}  {row['other']:.4f}  {difference}  p={row['p']:.3f}")


def _ablation(options: argparse.Namespace) -> int:
    from evaluation.fever.ablation import fill_in_steps, measure_steps, steps_table
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    resources = Resources(replace(settings, store=options.store or settings.store, conflicting_from=0.0))
    card = measure_steps(options.claims, options.out, resources, options.limit, options.natural)
    print(steps_table(card))
    if options.into:
        fill_in_steps(card, options.into)
    return 0


def _stance(options: argparse.Namespace) -> int:
    from evaluation.stance.run import evaluate_stance

    threads = Settings.from_environment().threads
    card = evaluate_stance(options.pairs, options.out, threads, options.limit, options.recipe)
    _print_card(card)
    print(f"{'pairs a second':24} {card['pairs_per_s']:,}")
    return 0


def _stance_pairs(options: argparse.Namespace) -> int:
    from evaluation.stance.pairs import write_stance_pairs

    for name, count in write_stance_pairs(options.data, options.out).items():
        print(f"{options.out / name}.jsonl: {count:,} pairs")
    return 0


def _results(options: argparse.Namespace) -> int:
    from evaluation.report.results import fill_in

    fill_in(options.scorecard, options.into)
    return 0


def _cards(options: argparse.Namespace) -> int:
    from evaluation.report.cards import measure_cards, write_cards
    from retrieval.stores.embedded.store import EmbeddedStore

    measured = measure_cards(EmbeddedStore(options.store), Settings.from_environment().threads)
    write_cards(options.into, measured)
    for model, figures in measured.items():
        print(f"{model}: {', '.join(f'{name} {score.value:.4f}' for name, score in figures.items())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
