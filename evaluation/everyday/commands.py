"""Commands over claims as people type them: `kinds`, `leaning` and `recipes`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluation.command import NATURAL, STORE, THREE_LABELS, claims, out, print_card, resources_of
from retrieval.command import LIMIT, RECIPE, Commands, file

MEASURED = Path("retrieval/measured.json")
commands = Commands()


@commands.add(
    "score claims by kind of trouble: right, opposite, not a claim",
    "python -m evaluation kinds claims.csv --store data/local/fever --out data/local/scorecard/kinds",
    claims("csv"),
    out("scorecard.json and cases.jsonl"),
    STORE,
    RECIPE,
    LIMIT,
    description="Score a recipe on a .csv file with the columns set, claim and want: S, R or N (the right label), ? (several "
    "labels are right), - (not a claim, so no verdict).",
)
def _kinds(options: Any) -> None:
    from evaluation.everyday.kinds import evaluate_kinds

    resources, settings = resources_of(options)
    print_card(evaluate_kinds(options.claims, options.out, resources, settings.recipe, options.limit))


@commands.add(
    "show what SIDE_FROM and LEAN_BELOW do to a recipe's verdicts",
    "python -m evaluation leaning everyday-dev.jsonl --store data/local/fever",
    claims(),
    NATURAL,
    STORE,
    RECIPE,
    LIMIT,
    description="Judge FEVER claims without either rule, and print what each value of the two settings would do.",
)
def _leaning(options: Any) -> None:
    from evaluation.everyday.leaning import judge_claims, leaning_table, side_table
    from evaluation.fever.run import select_claims

    resources, settings = resources_of(options, **THREE_LABELS)
    judged = judge_claims(select_claims(options.claims, options.limit, options.natural), resources, settings.recipe)
    lines = [f"{len(judged):,} claims of {options.claims.name}", "", *side_table(judged), ""]
    print("\n".join([*lines, f"With SIDE_FROM={settings.side_from:g}:", *leaning_table(judged, settings.side_from)]))


@commands.add(
    "collect each recipe's accuracy for the pages where a recipe is chosen",
    "python -m evaluation recipes data/local/scorecard/everyday data/local/scorecard/everyday-* --out docs/scorecard-recipes.json",
    file("runs", "DIR", "folders; the others were compared with the first", nargs="+"),
    file("--out", "FILE.json", "where their scorecard goes", required=True),
    file("--into", "FILE.json", "what the program reads (default: %(default)s)", default=MEASURED),
    description="Collect the scorecards of `evaluation fever` runs over the same claims, one of each recipe.",
)
def _recipes(options: Any) -> None:
    from evaluation.everyday.recipes import measured_of, recipes_card
    from evaluation.report.results_folder import write_json

    card = recipes_card(options.runs)
    write_json(options.out, card)
    write_json(options.into, measured_of(card))
    for name in card["recipes"]:
        score = card[name]["label_accuracy"]
        print(f"{name:12} {score['value']:.3f} [{score['low']:.3f}, {score['high']:.3f}] of {score['n']:,} claims")
