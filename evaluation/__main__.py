"""Command line of `evaluation`: `python -m evaluation --help`."""

# PYTHON_ARGCOMPLETE_OK: lets the shell ask this module for completions (`completed` in retrieval/command.py)

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from evaluation.averitec import commands as averitec
from evaluation.command import (
    NATURAL,
    RESTART,
    STORE,
    THREE_LABELS,
    claims,
    into,
    out,
    print_card,
    print_scored,
    resources_of,
    show_table,
)
from evaluation.everyday import commands as everyday
from evaluation.extraction import commands as extraction
from evaluation.poison import commands as poison
from evaluation.scenarios import SCENARIOS
from evaluation.thesis import commands as thesis
from retrieval.command import KNOBS, LIMIT, RECIPE, Commands, Parser, file, number, option, run
from retrieval.errors import SettingError
from retrieval.settings import Settings

commands = Commands()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code: 0 success, 1 some claims were not scored, 2 could not start."""
    return run(parser(), arguments)


def parser() -> Parser:
    """The whole command line."""
    example = "Example: python -m evaluation fever claims-dev.jsonl --store data/local/store --out evaluation/out"
    made = Parser("python -m evaluation", description="Scores a pipeline on a data set.", epilog=example)
    parts = (averitec.commands, extraction.commands, poison.commands, everyday.commands, thesis.commands)
    return made.add_commands([*commands, *chain(*parts), *SCENARIOS])


@commands.add(
    "FEVER claims",
    "python -m evaluation fever claims-dev.jsonl --store data/local/store --out evaluation/out",
    claims(),
    STORE,
    RECIPE,
    KNOBS,
    file("--predictions", "FILE", "score these instead: FEVER's submission format"),
    LIMIT,
    NATURAL,
    number("--workers", "processes to use; time is measured only with 1", default=1),
    RESTART,
    file("--compare", "OTHER/scorecard.json", "another run to compare with"),
    out("scorecard.json, report.html and predictions"),
    description="Score a recipe, or predictions, on FEVER claims.",
)
def _fever(options: Any) -> int:
    from evaluation.fever.run import evaluate, evaluate_predictions

    chosen = (options.limit, options.natural)
    if options.predictions:
        if options.recipe or options.store:
            raise SettingError("`--predictions` needs no recipe and no corpus. Leave out `--recipe` and `--store`.")
        card = evaluate_predictions(options.claims, options.out, options.predictions, *chosen, compare=options.compare)
    else:
        resources, settings = resources_of(options, **THREE_LABELS)
        more = {"workers": options.workers, "restart": options.restart, "compare": options.compare}
        card = evaluate(options.claims, options.out, resources, settings.recipe, *chosen, **more)
    code = print_scored(card)
    if "comparison" in card:
        _print_comparison(card["comparison"])
    return code


def _print_comparison(found: Mapping[str, Any]) -> None:
    print(f"\nbeside {found['other']}, {found['claims']:,} claims: this, other, difference with interval, p")
    for name, row in found["metrics"].items():
        difference = f"{row['difference']:+.4f} [{row['low']:+.4f}, {row['high']:+.4f}]"
        print(f"{name:24} {row['this']:.4f}  {row['other']:.4f}  {difference}  p={row['p']:.3f}")


@commands.add(
    "recipe esoteric without each of its steps",
    "python -m evaluation ablation claims-dev.jsonl --natural --limit 300 --store data/local/fever "
    "--out evaluation/out/ablation --into docs/esoteric.md",
    claims(),
    STORE,
    LIMIT,
    NATURAL,
    out("ablation.json and answers"),
    into("table"),
    description="Score recipe esoteric on FEVER claims, once complete and once without each of its steps.",
)
def _ablation(options: Any) -> None:
    from evaluation.fever.ablation import measure_steps, steps_table

    resources, _ = resources_of(options, **THREE_LABELS)
    card = measure_steps(options.claims, options.out, resources, options.limit, options.natural)
    show_table(steps_table(card), options.into, "ablation")


@commands.add(
    "score the stance model alone, on pairs",
    "python -m evaluation stance vitaminc-real.jsonl.gz --limit 2000 --out evaluation/out/stance",
    file("pairs", "PAIRS.jsonl"),
    LIMIT,
    option(
        "--recipe",
        choices=("careful", "fast"),
        default="careful",
        help="whose stance: both networks', or the small one's alone (default: %(default)s)",
    ),
    out("scorecard.json"),
    description="Score the stance model on pairs of claim and evidence: one JSON object a line, .jsonl or .jsonl.gz.",
)
def _stance(options: Any) -> None:
    from evaluation.stance.run import evaluate_stance

    threads = Settings.from_environment().threads
    card = evaluate_stance(options.pairs, options.out, threads, options.limit, options.recipe)
    print_card(card)
    print(f"{'pairs a second':24} {card['pairs_per_s']:,}")


@commands.add(
    "write pairs to measure the stance model on",
    "python -m evaluation stance-pairs --data ../shared/data --out data/local/stance",
    file("--data", "DIR", "folder with training/nli", required=True),
    out("the three files"),
    description="Write pairs of claims that no model is trained on: as published, as twins, without evidence.",
)
def _stance_pairs(options: Any) -> None:
    from evaluation.stance.pairs import write_stance_pairs

    for name, count in write_stance_pairs(options.data, options.out).items():
        print(f"{options.out / name}.jsonl: {count:,} pairs")


@commands.add(
    "write the figures of a scorecard, and of those beside it, into README.md and pages of docs/",
    "python -m evaluation results evaluation/out/scorecard.json --into README.md docs/results.md docs/scaling.md",
    file("scorecard", "SCORECARD.json"),
    file("--into", "PAGE.md", nargs="+", required=True),
)
def _results(options: Any) -> None:
    from evaluation.report.results import fill_in

    fill_in(options.scorecard, options.into)


@commands.add(
    "write the figures of the shipped models on the sample into their cards",
    "python -m evaluation cards --store data/local/sample --into docs/models",
    option("--store", required=True, help="a corpus made from data/sample/wiki-001.jsonl"),
    file("--into", "DIR", "default: %(default)s", default=Path("docs/models")),
)
def _cards(options: Any) -> None:
    from evaluation.report.cards import measure_cards, write_cards
    from retrieval.stores.embedded.store import EmbeddedStore

    measured = measure_cards(EmbeddedStore(options.store), Settings.from_environment().threads)
    write_cards(options.into, measured)
    for model, figures in measured.items():
        print(f"{model}: {', '.join(f'{name} {score.value:.4f}' for name, score in figures.items())}")


if __name__ == "__main__":
    sys.exit(main())
