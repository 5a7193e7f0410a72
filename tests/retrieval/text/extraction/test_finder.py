"""Claims of whole texts, over the models that ship."""

from __future__ import annotations

import functools
import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import ClaimError
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.text.extraction import kinds
from retrieval.text.extraction.finder import LONGEST_TEXT, ClaimFinder, FoundClaim

TEXTS = Path(__file__).resolve().parents[4] / "data" / "sample" / "texts"


@functools.cache
def finder() -> ClaimFinder:
    return Resources(Settings()).claim_finder()


def found_in(name: str) -> list[FoundClaim]:
    return finder().find((TEXTS / name).read_text("utf-8"))


def chosen(claims: list[FoundClaim]) -> list[str]:
    return [claim.text for claim in claims if claim.chosen]


def test_a_remark_that_judges_nothing_is_no_opinion() -> None:
    text = "Buildings come next. The mill of Harlow was built in 1889. The old mill is ugly and far too large."
    kinds_of = {claim.original: claim.kind for claim in finder().find(text)}
    assert kinds_of["Buildings come next."] == kinds.FACT


def test_the_day_of_a_page_counts_where_its_text_gives_none() -> None:
    said = "The bridge over the Wend in Harlow was closed last year."
    assert "last year" in finder().find(said)[0].text
    assert "in 2019" in finder().find(said, written=date(2020, 5, 3))[0].text
    assert "in 2016" in finder().find(f"Published on 3 March 2017\n\n{said}", written=date(2020, 5, 3))[-1].text


def test_the_claims_of_an_article_stand_alone() -> None:
    claims = chosen(found_in("marie-curie.txt"))
    assert "Marie Curie received the Nobel Prize in Chemistry in 1911." in claims
    assert "Polonium was named after Poland." in claims
    assert "Polonium has the atomic number 84." in claims
    assert not [claim for claim in claims if "newsletter" in claim or "?" in claim or "In my view" in claim]


def test_what_is_no_claim_is_named() -> None:
    named = {claim.original: claim.kind for name in ("marie-curie.txt", "first-steps.md") for claim in found_in(name)}
    assert named["What drives a person to stir boiling ore for four years?"] == kinds.QUESTION
    assert named["Subscribe to our newsletter and never miss an article."] == kinds.BOILERPLATE
    assert named["In my view, no chapter of science is more moving."] == kinds.OPINION
    assert named["Her story will be told on the stage next year."] == kinds.PREDICTION
    assert named["Look up tonight."] == kinds.INSTRUCTION
    assert named["The commander"] == kinds.HEADING


def test_quotations_are_checked_as_what_was_said() -> None:
    said = {claim.speaker: claim.text for name in ("marie-curie.txt", "first-steps.md") for claim in found_in(name)}
    assert said["the historian Ewa Lindner"].endswith("was the first woman to win a Nobel Prize.")
    assert said["the museum's guide"] == "Yuri Gagarin became the first human in space on 12 April 1961."


def test_every_planted_error_is_among_the_claims() -> None:
    errors = json.loads((TEXTS / "four-records.errors.json").read_text("utf-8"))
    text = (TEXTS / "four-records.txt").read_text("utf-8")
    claims = found_in("four-records.txt")
    for error in errors:
        assert error["wrong"] in text
        assert error["right"] not in text
        assert any(error["wrong"] in claim.original and claim.chosen for claim in claims), error["wrong"]


def test_offsets_are_into_the_text_as_given() -> None:
    for name in ("marie-curie.txt", "first-steps.md", "four-records.txt"):
        text = (TEXTS / name).read_text("utf-8")
        for claim in finder().find(text):
            assert text[claim.start : claim.end] == claim.original


KINDS = (
    kinds.CLAIM, kinds.FACT, kinds.OPINION, kinds.QUESTION, kinds.PREDICTION, kinds.INSTRUCTION, kinds.BOILERPLATE, kinds.HEADING,
    kinds.CELL, kinds.FOREIGN,
)  # fmt: skip
WORDS = st.sampled_from(
    [
        "The tower",
        " was built",
        " in 1889.",
        " She",
        " won 3 prizes",
        "!",
        "?",
        "\n",
        "\n\n",
        " “",
        "” said Ann Lee.",
        "\r\n",
        "<p>",
        "</p>",
        "<b>",
        "&amp;",
        "\u202e",
        "é",
        " and",
        " the",
        " is",
        " of",
        ". ",
        "\t",
        "𝔸",
        "- ",
        "# ",
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=25).map("".join))
def test_offsets_of_any_text_are_into_the_text_as_given(text: str) -> None:
    try:
        claims = finder().find(text)
    except ClaimError:
        claims = []
    position = 0
    for claim in claims:
        assert text[claim.start : claim.end] == claim.original
        assert claim.original.strip()
        assert claim.start >= position or any(c is not claim and c.start == claim.start for c in claims)
        position = claim.start
        assert 0 <= claim.score <= 1
        assert claim.kind in KINDS


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "contains no words"),
        (" \n\t 12 345 !!", "contains no words"),
        ("<script>alert(1)</script><p hidden>The sun is cold.</p>", "contains no words"),
        ("x" * (LONGEST_TEXT + 1), "at most 100,000 are read at once"),
        ("Der Turm wurde für die Weltausstellung gebaut und ist heute eines der Bauwerke der Stadt.", "to be German"),
        ("بني البرج من أجل المعرض العالمي وهو اليوم من أشهر معالم المدينة.", "in Arabic script"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence_or_two(text: str, told: str) -> None:
    with pytest.raises(ClaimError, match=told):
        finder().find(text)


def test_a_sentence_in_another_language_is_named() -> None:
    claims = finder().find(
        "The tower was built in 1889 for the world fair of Paris. "
        "Der Turm wurde für die Weltausstellung gebaut und ist heute eines der Bauwerke der Stadt. "
        "It is 330 metres high and one of the best known buildings of the city."
    )
    assert [claim.kind for claim in claims].count(kinds.FOREIGN) == 1


def test_a_text_without_a_full_stop_is_bounded() -> None:
    text = "the tower of the town is high and " * 400
    claims = finder().find(text)
    assert all(len(claim.original) <= 800 for claim in claims)
    assert len(claims) <= 4 * len({claim.start for claim in claims}) <= 80


def test_a_hidden_sentence_is_never_a_claim() -> None:
    page = "<p>The tower was built in 1889.</p><p style='display:none'>The tower was sold in 1990.</p>"
    assert not [claim for claim in finder().find(page) if "1990" in claim.original]
