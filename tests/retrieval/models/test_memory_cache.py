"""Vectors are made once, kept for a while, and the same as without."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrieval.models.memory_cache import CachedEncoder
from retrieval.protocols import Matrix


class Counting:
    dimension = 2

    def __init__(self) -> None:
        self.read: list[str] = []

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.read += texts
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32).reshape(len(texts), 2)


def test_each_text_is_encoded_once() -> None:
    inner = Counting()
    encoder = CachedEncoder(inner)
    assert encoder.encode(["a", "bb", "a"]).tolist() == [[1, 1], [2, 1], [1, 1]]
    assert encoder.encode(["bb", "ccc"]).tolist() == [[2, 1], [3, 1]]
    assert inner.read == ["a", "bb", "ccc"]
    assert encoder.dimension == 2


def test_the_oldest_go_first() -> None:
    inner = Counting()
    encoder = CachedEncoder(inner, kept=2)
    encoder.encode(["a", "bb"])
    encoder.encode(["a"])
    encoder.encode(["ccc"])
    encoder.encode(["a", "bb"])
    assert inner.read == ["a", "bb", "ccc", "bb"]


def test_more_texts_than_are_kept_and_none_at_all() -> None:
    encoder = CachedEncoder(Counting(), kept=1)
    assert encoder.encode(["a", "bb", "ccc"])[:, 0].tolist() == [1, 2, 3]
    assert encoder.encode([]).shape[0] == 0
