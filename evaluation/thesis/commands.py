"""Commands on the thesis's protocol: `thesis` and `questions`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.thesis.drawn import CLAIMS, SEED, drawn_claims
from retrieval.command import add_knobs, settings_of


def add_thesis_commands(commands: Any, positive: Callable[[str], int]) -> None:
    """Add them to the parser."""
    tables = commands.add_parser(
        "thesis",
        help="tables 2, 3, 6 and 8 of the thesis for recipe esoteric",
        description="Score recipe esoteric and its variants on claims drawn as the thesis draws them.",
        epilog="Example: python -m evaluation thesis claims-dev.jsonl --natural --store data/local/fever "
        "--out evaluation/out/thesis --into docs/esoteric.md",
    )
    tables.add_argument("--out", type=Path, required=True, metavar="DIR", help="where tables.json and answers go")
    tables.add_argument("--into", type=Path, metavar="PAGE.md", help="write the tables between this page's marks")
    tables.add_argument("--similarity", default="", metavar="MODEL", help="one more variant, ordered by this model")
    tables.set_defaults(run=_tables)
    questions = commands.add_parser(
        "questions",
        help="the questions of recipe esoteric about drawn claims, to be judged by people",
        description="Print the questions that are asked about claims drawn as the thesis draws them, numbered.",
        epilog="Example: python -m evaluation questions claims-train.jsonl claims-dev.jsonl --seed 4 --store data/local/fever",
    )
    questions.set_defaults(run=_questions)
    for command in (tables, questions):
        command.add_argument("claims", type=Path, nargs="+", metavar="CLAIMS.jsonl")
        command.add_argument("--store", default="", help="the corpus (default: STORE, else DATA/store)")
        command.add_argument(
            "--count", type=positive, default=CLAIMS, metavar="N", help="claims drawn (default: %(default)s)"
        )
        command.add_argument("--seed", type=int, default=SEED, metavar="N", help="of the draw (default: %(default)s)")
        command.add_argument("--natural", action="store_true", help="only claims whose gold evidence is in whole pages")
        add_knobs(command)
        command.set_defaults(recipe="esoteric")


def _drawn(options: Any) -> tuple[Any, list[Any]]:
    from retrieval.resources import Resources

    settings = settings_of(options)
    # FEVER has three labels; CONFLICTING is not one of them.
    resources = Resources(replace(settings, store=options.store or settings.store, conflicting_from=0.0))
    return resources, drawn_claims(options.claims, options.count, options.seed, options.natural)


def _tables(options: Any) -> int:
    from evaluation.thesis.tables import fill_in_tables, measure_tables, tables_text

    resources, claims = _drawn(options)
    card = measure_tables(claims, options.claims, options.out, resources, options.similarity)
    print(tables_text(card))
    if options.into:
        fill_in_tables(card, options.into)
    return 0


def _questions(options: Any) -> int:
    from evaluation.thesis.questions import asked_about

    resources, claims = _drawn(options)
    for line in asked_about(claims, resources):
        print(line)
    return 0
