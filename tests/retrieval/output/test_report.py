"""A check as text for a terminal, which nothing in a page can steer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

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
        "2. It is big.",
        "   — Paris, sentence 1 (supports 90%, relevance 99%, NOT VERIFIED)",
        "",
        "2 sentences of 1 pages read in 22 ms, recipe fast.",
        "A note.",
    ]


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
        "Not tested: the verdict was not computed again without the sentences it rests on.",
        "",
    ]
    assert "\033[32m" not in check_as_text(unsure, colour=True), "no side's colour"


def test_a_check_without_a_verdict() -> None:
    assert check_as_text(FactCheck(Claim("c", "A claim."))).startswith("A claim.\n")


def test_colour_only_where_it_is_asked_for() -> None:
    assert "\033[1m\033[32mSUPPORTED" in check_as_text(whole_check(), colour=True)
    assert "\033" not in check_as_text(whole_check())


def test_long_sentences_are_wrapped() -> None:
    check = whole_check()
    sentence = replace(check.evidence[0].sentence, text="word " * 100)
    text = check_as_text(replace(check, evidence=(replace(check.evidence[0], sentence=sentence),)))
    assert max(map(len, text.splitlines())) <= WIDTH


@settings(max_examples=100, deadline=None)
@given(CHECK)
def test_control_characters_never_get_through(check: FactCheck) -> None:
    hostile = "\x1b]0;owned\x07\x9b31m\r\u202e\0"
    check = replace(check, claim=Claim("c", hostile + check.claim.text), notes=(hostile, *check.notes), recipe="fast")
    text = check_as_text(check)
    assert all(char.isprintable() for line in text.split("\n") for char in line)
