"""Denials made by rule, with the stance turned round."""

from __future__ import annotations

import random

import pytest

from training.data.made.denials import denial_pairs, denied
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, Pair


def denials(claim: str) -> set[str | None]:
    """All that the rule makes of a claim."""
    return {denied(claim, random.Random(seed)) for seed in range(60)}


def test_a_denial_denies_the_first_auxiliary() -> None:
    found = denials("Oslo is the capital of Norway.")
    assert "Oslo is not the capital of Norway." in found
    assert "Oslo isn't the capital of Norway." in found
    assert "It is false that Oslo is the capital of Norway." in found
    assert not any(text and "never" in text for text in found), "“is never” says more than a denial does"


@pytest.mark.parametrize(
    "claim", ["Oslo is not in Sweden.", "Nobody was hurt, but Ann wasn't there.", "Ann sang well."]
)
def test_what_is_denied_already_or_has_no_auxiliary_is_left(claim: str) -> None:
    assert denials(claim) == {None}


def test_stances_are_turned_round() -> None:
    pairs = [Pair("Oslo is old.", "Oslo : s", 1, stance) for stance in (SUPPORTS, REFUTES, NEUTRAL, UNKNOWN)]
    found = list(denial_pairs(pairs, random.Random(1)))
    assert [pair.stance for pair in found] == [REFUTES, SUPPORTS, NEUTRAL], "what is unknown stays out"
    assert all(pair.relevance == 1 and pair.sentence == "Oslo : s" for pair in found)
