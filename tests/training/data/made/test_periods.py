"""Claims about years, made by rule."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.types import Sentence
from training.data.made.periods import Period, find_period, period_pairs, point_claims, year_claims
from training.data.pairs import REFUTES, SUPPORTS

YEARS = st.integers(1100, 2000)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("He lived in Dublin from 1939 to 1956.", 1939, 1956),
        ("It was the capital until 1960.", None, 1960),
        ("It has been a republic since 1931.", 1931, None),
        ("He won in 1902.", 1902, 1902),
    ],
)
def test_the_one_period_of_a_sentence_is_found(text: str, first: int | None, last: int | None) -> None:
    found = find_period(text)
    assert found is not None
    assert (found.first, found.last) == (first, last)
    assert text[found.start : found.end] == found.words()


@pytest.mark.parametrize(
    "text",
    [
        "It stood in 1902 and in 1903.",
        "It was not published until 1863.",
        "From 1956 to 1939 nothing.",
        "No year at all.",
        "From 1939 to 1956 and in 1960.",
    ],
)
def test_other_sentences_have_none(text: str) -> None:
    assert find_period(text) is None


@given(st.tuples(YEARS, YEARS).map(sorted), st.sampled_from(["range", "until", "since"]), st.integers())
def test_each_claim_is_decided_as_it_says(years: list[int], form: str, seed: int) -> None:
    first, last = years
    period = Period(None if form == "until" else first, None if form == "since" else last, 0, 0)
    for said, other, agrees in year_claims(period, random.Random(seed)) or ():
        year = int(said.removeprefix("in "))
        assert holds(period, year) is agrees
        assert holds(other, year) is not agrees


@given(YEARS, st.integers())
def test_points_in_time_are_decided_as_they_say(year: int, seed: int) -> None:
    claims = point_claims(Period(year, year, 0, 0), random.Random(seed)) or ()
    for said, other, agrees in claims:
        assert other.first is not None
        assert stands(said, year) is agrees
        assert stands(said, other.first) is not agrees


def test_every_claim_has_a_sentence_for_and_one_against_it() -> None:
    sentence = Sentence("Ada", "Ada", 0, 0, 0, "She was a member of the council from 1940 to 1950.")
    pairs = list(period_pairs([sentence], random.Random(0)))
    assert len(pairs) == 4
    assert all("Ada was a member" in pair.claim for pair in pairs)
    by_claim = {pair.claim: sorted(p.stance for p in pairs if p.claim == pair.claim) for pair in pairs}
    assert list(by_claim.values()) == [[SUPPORTS, REFUTES]] * 2


def holds(period: Period, year: int) -> bool:
    return (period.first is None or period.first <= year) and (period.last is None or year <= period.last)


def stands(said: str, year: int) -> bool:
    word, other = said.split()[0], int(said.split()[-1].removesuffix("s"))
    if word == "in":
        return year // 10 * 10 == other
    return year < other if word == "before" else year > other
