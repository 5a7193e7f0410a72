"""The commands that score AVeriTeC's claims."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from retrieval.command import add_knobs, settings_of
from retrieval.errors import SettingError
from retrieval.settings import Settings


def add_averitec_commands(
    commands: Any, positive: Callable[[str], int], print_card: Callable[[Mapping[str, Any]], None]
) -> None:
    """`averitec`, `averitec-results` and `averitec-ablation`.

    positive: reads a whole number above 0. print_card: shows a scorecard's figures.
    """
    example = "Example: python -m evaluation averitec dev.json --knowledge knowledge_store --recipe aic --out DIR"
    averitec = commands.add_parser(
        "averitec",
        help="AVeriTeC claims",
        description="Score a recipe, or predictions, on AVeriTeC claims.",
        epilog=example,
    )
    averitec.add_argument("claims", type=Path, metavar="CLAIMS.json")
    averitec.add_argument("--knowledge", type=Path, metavar="DIR", help="folder of ID.json: each claim's own documents")
    averitec.add_argument(
        "--recipe", default="", help="pipeline to use (default: aic), or `gold`: the verdict alone, on the gold answers"
    )
    add_knobs(averitec)
    averitec.add_argument(
        "--predictions", type=Path, metavar="FILE", help="score these instead: JSON list or lines of the shared task"
    )
    averitec.add_argument("--limit", type=positive, metavar="N", help="score the first N claims")
    averitec.add_argument("--restart", action="store_true", help="discard the answers of an interrupted run in DIR")
    averitec.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where scorecard.json, report.html and predictions go"
    )
    averitec.add_argument(
        "--replies",
        type=Path,
        metavar="FILE",
        help="answer calls of the language model from this file; where one is set, ask it what the file lacks and keep it",
    )
    averitec.add_argument(
        "--ev2r", action="store_true", help="have LLM_MODEL judge how much of people's evidence was found"
    )
    averitec.set_defaults(run=lambda options: _averitec(options, print_card))
    _add_ablation(commands, positive)
    results = commands.add_parser(
        "averitec-results",
        help="AVeriTeC scorecards into pages",
        description="Write a table of AVeriTeC scorecards between the marks of pages.",
        epilog="Example: python -m evaluation averitec-results docs/averitec-*.json --into docs/averitec.md",
    )
    results.add_argument("scorecards", nargs="+", type=Path, metavar="SCORECARD.json")
    results.add_argument("--into", nargs="+", type=Path, required=True, metavar="PAGE.md")
    results.set_defaults(run=_results)


def _add_ablation(commands: Any, positive: Callable[[str], int]) -> None:
    ablation = commands.add_parser(
        "averitec-ablation",
        help="variants of recipes aic, rag_fusion and contextual",
        description="Score each variant of recipes aic, rag_fusion and contextual, and of the verdict alone, on the same "
        "AVeriTeC claims.",
        epilog="Example: python -m evaluation averitec-ablation dev.json --knowledge knowledge_store --limit 50 "
        "--out evaluation/out/ablation --into docs/averitec.md",
    )
    ablation.add_argument("claims", type=Path, metavar="CLAIMS.json")
    ablation.add_argument("--knowledge", type=Path, required=True, metavar="DIR", help="folder of ID.json")
    ablation.add_argument("--limit", type=positive, metavar="N", help="score the first N claims")
    ablation.add_argument("--replies", type=Path, metavar="FILE", help="recorded replies of a language model")
    ablation.add_argument(
        "--recipe", action="append", default=[], metavar="R", help="only variants of this recipe, or `gold`; repeatable"
    )
    ablation.add_argument(
        "--search", action="store_true", help="measure what is found, without judging it: quick, and no labels"
    )
    ablation.add_argument("--out", type=Path, required=True, metavar="DIR", help="where ablation.json and answers go")
    ablation.add_argument("--into", type=Path, metavar="PAGE.md", help="write the table between this page's marks")
    ablation.set_defaults(run=_ablation)


def _averitec(options: Any, print_card: Callable[[Mapping[str, Any]], None]) -> int:
    from evaluation.averitec.gold import GOLD
    from evaluation.averitec.run import evaluate, evaluate_predictions
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    if options.predictions:
        if options.recipe or options.knowledge:
            raise SettingError("`--predictions` needs no recipe and no documents. Leave out `--recipe`, `--knowledge`.")
        card = evaluate_predictions(
            options.claims, options.out, options.predictions, settings, options.limit, options.ev2r
        )
    else:
        if not options.knowledge:
            raise SettingError(
                "A recipe needs documents. Name their folder with `--knowledge`, or use `--predictions`."
            )
        chosen = (options.recipe or "aic", options.knowledge, options.limit)
        more = {"replies": options.replies, "restart": options.restart, "ev2r": options.ev2r}
        tuned = settings_of(options, "rag_fusion" if options.recipe == GOLD else options.recipe or "aic")
        card = evaluate(options.claims, options.out, Resources(tuned), *chosen, **more)
    print_card(card)
    if missing := card["data"]["claims"] - card["data"]["scored"]:
        print(f"{missing:,} of {card['data']['claims']:,} claims are not scored.", file=sys.stderr)
    return 1 if missing else 0


def _ablation(options: Any) -> int:
    from evaluation.averitec.ablation import fill_in_variants, measure_variants, variants_table

    given = (options.knowledge, options.limit, options.replies)
    more = {"recipes": options.recipe, "search": options.search}
    card = measure_variants(options.claims, options.out, Settings.from_environment(), *given, **more)
    print(variants_table(card))
    if options.into:
        fill_in_variants(card, options.into)
    return 0


def _results(options: Any) -> int:
    from evaluation.averitec.table import fill_in

    fill_in(options.scorecards, options.into)
    return 0
