"""The commands of `python -m evaluation` that measure how claims are found."""

from __future__ import annotations

import json
from typing import Any

from evaluation.command import STORE, claims, out, print_card, resources_of
from retrieval.command import LIMIT, RECIPE, Commands, file, flag

commands = Commands()


@commands.add(
    "how often the program rightly finds an earlier claim with the same meaning",
    "python -m evaluation same-meaning claims-train.jsonl",
    claims(),
    description="Pairs made by rule of FEVER's claims: those of opposite labels about a page, and rewordings.",
)
def _same_meaning(options: Any) -> None:
    from evaluation.extraction.same_meaning import measure
    from retrieval.resources import Resources
    from retrieval.settings import Settings

    print(json.dumps(measure(options.claims, Resources(Settings.from_environment()).encoder()), indent=1))


@commands.add(
    "which sentences are worth checking",
    "python -m evaluation checkworthy sentences.jsonl --out evaluation/out/checkworthy",
    file("sentences", "FILE.jsonl"),
    LIMIT,
    out("scorecard.json"),
    description="Score which sentences the program finds worth checking: one JSON object a line, .jsonl or .jsonl.gz, "
    "with sentence and label, which is check-worthy or anything else.",
)
def _checkworthy(options: Any) -> None:
    from evaluation.extraction.checkworthy import evaluate_checkworthy
    from retrieval.settings import Settings

    card = evaluate_checkworthy(options.sentences, options.out, Settings.from_environment(), options.limit)
    print_card(card)
    print(f"{'sentences a second':24} {card['sentences_per_s']:,}")


@commands.add(
    "whether the claims that are found stand alone",
    "python -m evaluation standing feverfact.jsonl.gz --store data/local/fever --out DIR",
    file("sentences", "FILE.jsonl", "lines with title, sentence and claims"),
    STORE,
    LIMIT,
    flag("--without-title", "give only the sentence before it on the page, not the title, which is also the answer"),
    out("scorecard.json"),
    description="Share of a sentence's claims whose page is found among ten, beside the claims that people wrote.",
)
def _standing(options: Any) -> None:
    from evaluation.extraction.standing import evaluate_standing

    settings, titled = resources_of(options)[1], not options.without_title
    print_card(evaluate_standing(options.sentences, options.out, settings, options.limit, titled))


@commands.add(
    "how many errors planted in an article are found",
    "python -m evaluation planted data/sample/texts/four-records.errors.json --store SAMPLE",
    file("errors", "ERRORS.json", 'a list of {"text": FILE, "wrong": WORDS}'),
    STORE,
    RECIPE,
    description="Check an article as a report does, and count which of the errors planted in it come out refuted.",
)
def _planted(options: Any) -> None:
    from evaluation.extraction.planted import planted_errors

    resources, settings = resources_of(options)
    print(json.dumps(planted_errors(options.errors, resources, settings.recipe), ensure_ascii=False, indent=1))
