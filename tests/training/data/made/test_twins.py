"""Claims made by rule from a sentence and its changed copy."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from retrieval.types import Sentence
from training.data.made.twins import Named, spoken, twin_pairs
from training.data.pairs import REFUTES, SUPPORTS


def named(text: str, *names: tuple[str, str], title: str = "Oslo") -> Named:
    """A sentence with names given as (words, type)."""
    found = tuple((text.index(words), text.index(words) + len(words), kind) for words, kind in names)
    return Named(Sentence(title, title, 0, 0, len(text), text), found)


SENTENCES = [
    named("It was founded in 1048 by Harald Hardrada.", ("Harald Hardrada", "PERSON")),
    named("Magnus the Good was defeated by Sweyn.", ("Magnus the Good", "PERSON"), ("Sweyn", "PERSON")),
    named("The harbour is older than the town."),
]


def test_each_claim_is_supported_once_and_refuted_once_and_so_is_each_sentence() -> None:
    pairs = list(twin_pairs(SENTENCES, random.Random(0)))
    assert len(pairs) == 4 * len(SENTENCES)
    for text in ("claim", "sentence"):
        stances: dict[str, Counter[int]] = {}
        for pair in pairs:
            stances.setdefault(getattr(pair, text), Counter())[pair.stance] += 1
        assert all(counts == {SUPPORTS: 1, REFUTES: 1} for counts in stances.values())


def test_one_fact_is_changed() -> None:
    changed = {pair.sentence for seed in range(30) for pair in twin_pairs(SENTENCES, random.Random(seed))}
    assert any("Sweyn was defeated by Magnus the Good." in text for text in changed)
    assert any("The harbour is not older" in text for text in changed)
    assert any("Harald Hardrada" in text and "1048" not in text for text in changed)
    assert any("1048" in text and "Harald Hardrada" not in text for text in changed)


def test_nothing_to_change_gives_no_pair() -> None:
    assert list(twin_pairs([named("Rain falls there often.")], random.Random(0))) == []


@pytest.mark.parametrize(
    ("title", "text", "claim"),
    [
        ("Oslo (city)", "It lies on a fjord.", "Oslo lies on a fjord."),
        ("Ada", "She wrote; he read.", "Ada wrote."),
        ("Oslo", "Italy is far.", "Italy is far."),
    ],
)
def test_a_sentence_becomes_a_claim(title: str, text: str, claim: str) -> None:
    assert spoken(title, text) == claim
