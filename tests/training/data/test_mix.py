"""Several sentences read together."""

from __future__ import annotations

import random

from evaluation.fever.data import GoldClaim
from retrieval.types import Label
from training.data.mix import FEWEST_TOGETHER, MOST_TOGETHER, joint_pairs
from training.data.pairs import NEUTRAL, REFUTES, UNKNOWN, Pair

CLAIMS = [
    GoldClaim("1", "refuted", Label.REFUTED, (frozenset({("A", 0)}),)),
    GoldClaim("2", "open", Label.NOT_ENOUGH_EVIDENCE, ()),
]
MINED = [
    Pair("refuted", "gold", 1, REFUTES),
    *(Pair("refuted", f"other {n}", 0, NEUTRAL) for n in range(4)),
    *(Pair("open", f"near {n}", 0, NEUTRAL) for n in range(4)),
    Pair("not a claim to learn from", "x", 0, NEUTRAL),
]


def test_every_claim_once_with_its_label_and_its_gold() -> None:
    refuted, open_ = joint_pairs(CLAIMS, MINED, random.Random(0))
    assert (refuted.claim, refuted.relevance, refuted.stance) == ("refuted", UNKNOWN, REFUTES)
    assert (open_.claim, open_.relevance, open_.stance) == ("open", UNKNOWN, NEUTRAL)
    assert "gold" in refuted.sentence.splitlines()


def test_the_number_of_sentences_does_not_tell_the_label() -> None:
    numbers: dict[str, set[int]] = {"refuted": set(), "open": set()}
    for seed in range(40):
        for pair in joint_pairs(CLAIMS, MINED, random.Random(seed)):
            numbers[pair.claim].add(len(pair.sentence.splitlines()))
    assert numbers["refuted"] == numbers["open"] == set(range(FEWEST_TOGETHER, MOST_TOGETHER + 1))


def test_gold_has_no_place_of_its_own() -> None:
    places = {
        next(joint_pairs(CLAIMS, MINED, random.Random(seed))).sentence.splitlines().index("gold") for seed in range(40)
    }
    assert len(places) == MOST_TOGETHER


def test_a_sentence_with_line_breaks_stays_one() -> None:
    mined = [Pair("open", "one\ntwo\r\nthree", 0, NEUTRAL), *MINED[5:8]]
    (pair,) = joint_pairs(CLAIMS[1:], mined, random.Random(0))
    assert "one two three" in pair.sentence.splitlines()
