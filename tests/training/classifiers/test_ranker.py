"""Fitting the order of sentences, on invented features."""

from __future__ import annotations

import numpy as np

from evaluation.fever.data import GoldClaim
from retrieval.models.fitted.ranker import FEATURES
from retrieval.types import Label
from training.classifiers.ranker import Example, checked


def invented(number: int, rng: np.random.Generator) -> Example:
    """Five sentences: the gold one has neither the best relevance nor the first line, but both nearly so."""
    features = np.zeros((5, len(FEATURES)))
    features[:, 0] = rng.normal(size=5)
    features[:, 5] = rng.permutation(5)
    gold = int((features[:, 0] - 2 * features[:, 5]).argmax())
    claim = GoldClaim(str(number), "A claim.", Label.SUPPORTED, (frozenset({("P", gold)}),), natural=number % 2 == 0)
    return Example(claim, features, [("P", line) for line in range(5)])


def test_cross_validation_tells_what_ranking_adds_by_claim() -> None:
    rng = np.random.default_rng(0)
    examples = [invented(number, rng) for number in range(60)]
    inputs = np.vstack([example.features for example in examples])
    gold = np.concatenate([example.gold for example in examples])
    assert gold.sum() == 60
    figures = checked(examples, inputs, gold)
    assert figures["ranked"]["@1"] > 0.8 > figures["relevance alone"]["@1"]
    assert figures["ranked"]["@5"] == 1
    assert figures["ranked, natural"]["claims"] == 30


def test_a_group_of_two_is_found_when_both_are() -> None:
    claim = GoldClaim("1", "A claim.", Label.REFUTED, (frozenset({("P", 0), ("Q", 0)}),), natural=True)
    example = Example(claim, np.zeros((3, len(FEATURES))), [("P", 0), ("P", 1), ("Q", 0)])
    assert list(example.gold) == [True, False, True]
    assert not example.found(np.array([0, 1, 2]), 2)
    assert example.found(np.array([0, 2, 1]), 2)
