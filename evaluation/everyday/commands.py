"""Commands over claims as people type them: `kinds`, `leaning` and `recipes`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.settings import Settings

MEASURED = Path("retrieval/measured.json")
Print = Callable[[Mapping[str, Any]], None]


def add_everyday_commands(commands: Any, positive: Callable[[str], int], print_card: Print) -> None:
    """Add them to the parser."""
    kinds = commands.add_parser(
        "kinds",
        help="claims by kind of trouble: right, the wrong way round, no claim at all",
        description="Score a recipe on a .csv file with the columns set, claim and want: S, R or N (the label that is right), "
        "? (several will do), - (no claim, so no verdict).",
        epilog="Example: python -m evaluation kinds claims.csv --store data/local/fever --out data/local/scorecard/kinds",
    )
    kinds.add_argument("claims", type=Path, metavar="CLAIMS.csv")
    kinds.add_argument("--out", type=Path, required=True, metavar="DIR", help="where scorecard.json and cases.jsonl go")
    kinds.set_defaults(run=lambda options: _kinds(options, print_card))
    leaning = commands.add_parser(
        "leaning",
        help="what SIDE_FROM and LEAN_BELOW do to the verdicts of a recipe",
        description="Judge FEVER claims without either rule, and print what each value of the two settings would do.",
        epilog="Example: python -m evaluation leaning everyday-dev.jsonl --store data/local/fever",
    )
    leaning.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    leaning.add_argument("--natural", action="store_true", help="only claims whose gold evidence is in whole pages")
    leaning.set_defaults(run=_leaning)
    for command in (kinds, leaning):
        command.add_argument("--store", default="", help="the corpus (default: STORE, else DATA/store)")
        command.add_argument("--recipe", default="", help="default: the setting RECIPE")
        command.add_argument("--limit", type=positive, metavar="N", help="the first N claims")
    recipes = commands.add_parser(
        "recipes",
        help="put what each recipe gets right where it is chosen",
        description="Collect the scorecards of `evaluation fever` runs over the same claims, one of each recipe.",
        epilog="Example: python -m evaluation recipes data/local/scorecard/everyday data/local/scorecard/everyday-* "
        "--out docs/scorecard-recipes.json",
    )
    recipes.add_argument(
        "runs", type=Path, nargs="+", metavar="DIR", help="folders; the others were compared with the first"
    )
    recipes.add_argument("--out", type=Path, required=True, metavar="FILE.json", help="where their scorecard goes")
    recipes.add_argument(
        "--into", type=Path, default=MEASURED, metavar="FILE.json", help="what the program reads (default: %(default)s)"
    )
    recipes.set_defaults(run=_recipes)


def _kinds(options: Any, print_card: Print) -> int:
    from evaluation.everyday.kinds import evaluate_kinds
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    resources = Resources(replace(settings, store=options.store or settings.store))
    recipe = options.recipe or settings.recipe
    print_card(evaluate_kinds(options.claims, options.out, resources, recipe, options.limit))
    return 0


def _leaning(options: Any) -> int:
    from evaluation.everyday.leaning import judge_claims, leaning_table, side_table
    from evaluation.fever.run import select_claims
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    resources = Resources(replace(settings, store=options.store or settings.store, conflicting_from=0.0))
    claims = select_claims(options.claims, options.limit, options.natural)
    judged = judge_claims(claims, resources, options.recipe or settings.recipe)
    lines = [f"{len(judged):,} claims of {options.claims.name}", "", *side_table(judged), ""]
    print("\n".join([*lines, f"With SIDE_FROM={settings.side_from:g}:", *leaning_table(judged, settings.side_from)]))
    return 0


def _recipes(options: Any) -> int:
    from evaluation.everyday.recipes import measured_of, recipes_card, write_json

    card = recipes_card(options.runs)
    write_json(options.out, card)
    write_json(options.into, measured_of(card))
    for name in card["recipes"]:
        score = card[name]["label_accuracy"]
        print(f"{name:12} {score['value']:.3f} [{score['low']:.3f}, {score['high']:.3f}] of {score['n']:,} claims")
    return 0
