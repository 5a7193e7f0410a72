"""The commands that measure how claims are found: a part of `python -m evaluation`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.settings import Settings


def add_extraction_commands(commands: Any, positive: Callable[[str], int], show: Callable[[Any], None]) -> None:
    """Add the commands. positive: reads a whole number above 0. show: prints a scorecard."""
    _add_same_meaning(commands)
    worthy = commands.add_parser(
        "checkworthy",
        help="which sentences are worth checking",
        description="Score which sentences the program finds worth checking: one JSON object a line, .jsonl or .jsonl.gz, "
        "with sentence and label, which is check-worthy or anything else.",
        epilog="Example: python -m evaluation checkworthy sentences.jsonl --out evaluation/out/checkworthy",
    )
    worthy.add_argument("sentences", type=Path, metavar="FILE.jsonl")
    worthy.add_argument("--limit", type=positive, metavar="N", help="score the first N sentences")
    worthy.add_argument("--out", type=Path, required=True, metavar="DIR", help="where scorecard.json goes")
    worthy.set_defaults(run=lambda options: _checkworthy(options, show))
    standing = commands.add_parser(
        "standing",
        help="whether the claims that are found stand alone",
        description="Share of a sentence's claims whose page is found among ten, beside the claims that people wrote.",
        epilog="Example: python -m evaluation standing feverfact.jsonl.gz --store data/local/fever --out DIR",
    )
    standing.add_argument("sentences", type=Path, metavar="FILE.jsonl", help="lines with title, sentence and claims")
    standing.add_argument("--store", default="", help="the corpus: a folder (default: STORE, else DATA/store)")
    standing.add_argument("--limit", type=positive, metavar="N", help="score the first N sentences")
    standing.add_argument(
        "--without-title",
        action="store_true",
        help="give no title, which is also the answer: only the sentence before, as the page has it",
    )
    standing.add_argument("--out", type=Path, required=True, metavar="DIR", help="where scorecard.json goes")
    standing.set_defaults(run=lambda options: _standing(options, show))
    _add_planted(commands)


def _add_planted(commands: Any) -> None:
    planted = commands.add_parser(
        "planted",
        help="how many errors planted in an article are found",
        description="Check an article as a report does, and count which of the errors planted in it come out refuted.",
        epilog="Example: python -m evaluation planted data/sample/texts/four-records.errors.json --store SAMPLE",
    )
    planted.add_argument("errors", type=Path, metavar="ERRORS.json", help='a list of {"text": FILE, "wrong": WORDS}')
    planted.add_argument("--store", default="", help="the corpus: a folder (default: STORE, else DATA/store)")
    planted.add_argument("--recipe", default="", help="how it is checked (default: RECIPE)")
    planted.set_defaults(run=_planted)


def _planted(options: Any) -> int:
    from evaluation.extraction.planted import planted_errors
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    settings = replace(settings, store=options.store or settings.store)
    found = planted_errors(options.errors, Resources(settings), options.recipe or settings.recipe)
    print(json.dumps(found, ensure_ascii=False, indent=1))
    return 0


def _add_same_meaning(commands: Any) -> None:
    same = commands.add_parser(
        "same-meaning",
        help="how often a claim is rightly taken for one that was checked before",
        description="Pairs made by rule of FEVER's claims: those of opposite labels about a page, and rewordings.",
        epilog="Example: python -m evaluation same-meaning claims-train.jsonl",
    )
    same.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    same.set_defaults(run=_same_meaning)


def _same_meaning(options: Any) -> int:
    from evaluation.extraction.same_meaning import measure
    from retrieval.resources import Resources

    print(json.dumps(measure(options.claims, Resources(Settings.from_environment()).encoder()), indent=1))
    return 0


def _checkworthy(options: Any, show: Callable[[Any], None]) -> int:
    from evaluation.extraction.checkworthy import evaluate_checkworthy

    card = evaluate_checkworthy(options.sentences, options.out, Settings.from_environment(), options.limit)
    show(card)
    print(f"{'sentences a second':24} {card['sentences_per_s']:,}")
    return 0


def _standing(options: Any, show: Callable[[Any], None]) -> int:
    from evaluation.extraction.standing import evaluate_standing

    settings = Settings.from_environment()
    settings = replace(settings, store=options.store or settings.store)
    titled = not options.without_title
    show(evaluate_standing(options.sentences, options.out, settings, options.limit, titled))
    return 0
