"""A check as text for a terminal, which nothing in a page can steer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from retrieval.output.report import WIDTH, check_as_text
from retrieval.types import Claim, FactCheck, Label
from tests.retrieval.records import CHECK, whole_check


def test_verdict_evidence_and_where_it_stands() -> None:
    assert check_as_text(whole_check()).splitlines() == [
        "Paris is in France.",
        "",
        "SUPPORTED by the corpus (probability 91%)",
        "“Paris” supports it.",
        "The verdict rests on the sentences it cites: without them, it would be “not enough evidence”",
        "(70%).",
        "",
        "1. Paris is in France.",
        "   — Paris, sentence 0 (supports 90%, relevance 99%)",
        "   From atlas.txt.",
        "2. It is big.",
        "   — Paris, sentence 1 (supports 90%, relevance 99%, NOT VERIFIED)",
        "   From atlas.txt.",
        "",
        "2 sentences of 1 pages read in 22 ms, recipe fast.",
        "A note.",
    ]


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        (
            {"site": "en.wikipedia.org", "revision": 12, "retrieved": "2025-12-07", "part": 2, "parts": 9},
            [
                "https://en.wikipedia.org/w/index.php?title=Paris&oldid=12",
                "Revision 12, as of 7 December 2025; passage 2 of 9.",
            ],
        ),
        (
            {"site": "en.wikipedia.org", "retrieved": "2017-06", "corpus": "FEVER"},
            [
                "In FEVER.",
                "https://en.wikipedia.org/wiki/Paris",
                "The text is of June 2017; the page may read differently today.",
            ],
        ),
        ({"source": "texts/atlas.pdf, page 3"}, ["From texts/atlas.pdf, page 3."]),
        ({"source": "javascript:\x1b[31malert(1)"}, ["From javascript: [31malert(1)."]),
        (
            {"source": "https://a.example/x", "retrieved": "2026-01-02", "published": "2025-12-30"},
            ["https://a.example/x", "Published on 30 December 2025; retrieved on 2 January 2026."],
        ),
        ({}, []),
    ],
)
def test_where_a_sentence_is_from(fields: dict[str, Any], lines: list[str]) -> None:
    check = whole_check()
    page = replace(check.pages[0].page, **{"source": "", **fields})
    told = check_as_text(replace(check, pages=(replace(check.pages[0], page=page),))).splitlines()
    start = told.index("   — Paris, sentence 0 (supports 90%, relevance 99%)")
    assert told[start + 1 : start + 1 + len(lines)] == [f"   {line}" for line in lines]
    assert told[start + 1 + len(lines)] == "2. It is big."


@pytest.mark.parametrize("label", list(Label))
def test_every_label_has_a_sentence(label: Label) -> None:
    check = whole_check()
    assert check.verdict
    verdict = replace(check.verdict, label=label, probabilities={label: 1.0})
    assert f"{str(label).replace('_', ' ')}" in check_as_text(replace(check, verdict=verdict))


def test_a_verdict_that_abstains_says_so_first() -> None:
    check = whole_check()
    assert check.verdict
    unsure = replace(check, verdict=replace(check.verdict, abstained=True, without_evidence=None))
    assert check_as_text(unsure).splitlines()[2:6] == [
        "NOT SURE; it leans towards: SUPPORTED by the corpus (probability 91%)",
        "“Paris” supports it.",
        "Not tested: the verdict was not computed again without the sentences that it rests on.",
        "",
    ]
    assert "\033[32m" not in check_as_text(unsure, colour=True), "no side's colour"


def test_a_verdict_that_leans_has_no_sides_colour() -> None:
    check = whole_check()
    assert check.verdict
    leaning = replace(check, verdict=replace(check.verdict, leans=True))
    assert check_as_text(leaning).splitlines()[2] == "LEANS SUPPORTED by the corpus (probability 91%)"
    assert "\033[32m" not in check_as_text(leaning, colour=True)


def test_no_number_beside_not_enough_evidence() -> None:
    check = whole_check()
    assert check.verdict
    shares = {Label.SUPPORTED: 0.1, Label.REFUTED: 0.05, Label.NOT_ENOUGH_EVIDENCE: 0.85}
    open_ = replace(check.verdict, label=Label.NOT_ENOUGH_EVIDENCE, probabilities=shares, without_evidence=None)
    assert check_as_text(replace(check, verdict=open_)).splitlines()[2] == "NOT ENOUGH EVIDENCE in the corpus"


def test_a_check_without_a_verdict() -> None:
    begun = FactCheck(Claim("c", "A claim."))
    assert check_as_text(begun) == "A claim."
    assert check_as_text(replace(begun, notes=("A note.",))) == "A claim.\n\nA note."


def test_colour_only_where_it_is_asked_for() -> None:
    assert "\033[1m\033[32mSUPPORTED" in check_as_text(whole_check(), colour=True)
    assert "\033" not in check_as_text(whole_check())


def test_long_sentences_are_wrapped() -> None:
    check = whole_check()
    sentence = replace(check.evidence[0].sentence, text="word " * 100)
    text = check_as_text(replace(check, evidence=(replace(check.evidence[0], sentence=sentence),)))
    assert max(map(len, text.splitlines())) <= WIDTH


@given(CHECK)
def test_control_characters_never_get_through(check: FactCheck) -> None:
    hostile = "\x1b]0;owned\x07\x9b31m\r\u202e\0"
    check = replace(check, claim=Claim("c", hostile + check.claim.text), notes=(hostile, *check.notes), recipe="fast")
    text = check_as_text(check)
    assert all(char.isprintable() for line in text.split("\n") for char in line)
