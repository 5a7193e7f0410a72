"""What every store promises of its pages' vectors. A store's own test module inherits the class."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

import indexing.vectors
from indexing.load import LoadInterrupted
from indexing.vectors import make_vectors
from retrieval.errors import NoVectors
from retrieval.protocols import Matrix, PageStore
from retrieval.stores import open_store
from retrieval.stores.vectors import cosines, page_text, quantised
from tests.contracts.encyclopedia import ENCYCLOPEDIA

MODEL = "hashes@00000001"


class Hashes:
    """Vectors by chance, the same for the same text; fails where told to."""

    dimension = 24

    def __init__(self, fail_after: int = 10**9) -> None:
        self.left = fail_after
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.left -= len(texts)
        if self.left < 0:
            raise KeyboardInterrupt
        self.texts += texts
        seeds = [int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) for text in texts]
        rows = np.stack([np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


class VectorContract:
    """Inherit it and give two fixtures of function scope: `place`, a store that holds ENCYCLOPEDIA, and `empty_place`.

    The environment must let `open_store` log in there.
    """

    def test_scores_are_the_cosines_of_the_bytes(self, place: str) -> None:
        encoder = Hashes()
        card = make_vectors(place, encoder, MODEL)
        store = open_store(place)
        assert card.vectors == store.info().vectors == len(ENCYCLOPEDIA)
        assert card.vector_model == store.info().vector_model == MODEL
        assert store.info().fingerprint == card.fingerprint
        ids = [page.id for page in ENCYCLOPEDIA]
        queries = 3 * encoder.encode(["one", "two", "three"])
        rows = quantised(encoder.encode([page_text(page) for page in ENCYCLOPEDIA]))
        expected = cosines(rows, quantised(queries))
        assert np.allclose(store.score_vectors(ids, queries), expected, atol=2e-6)
        assert np.allclose(expected, cosines_of_floats(encoder, queries), atol=0.02)
        some = [ids[4], "no such page", ids[2], ids[4], "", "\ud800"]
        found = store.score_vectors(some, queries[:1])[:, 0]
        assert np.allclose(found, [expected[4, 0], -1, expected[2, 0], expected[4, 0], -1, -1], atol=2e-6)
        assert store.score_vectors([], queries).shape == (0, 3)
        assert store.score_vectors(ids[:2], queries[:0]).shape == (2, 0)
        assert store.find_titles(["york"]) != []
        with pytest.raises(NoVectors, match=rf"vectors by {MODEL}, which cannot be compared"):
            store.score_vectors(ids, queries[:, :8])

    def test_an_interrupted_run_goes_on(self, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("retrieval.stores.embedded.store.PAGES_A_SCAN", 3)
        monkeypatch.setattr("retrieval.stores.elastic.store.PAGES_A_SCAN", 3)
        monkeypatch.setattr(indexing.vectors, "SECONDS_BETWEEN_VECTOR_CHECKPOINTS", 0.0)
        first, second, said = Hashes(fail_after=8), Hashes(), list[str]()
        with pytest.raises(LoadInterrupted, match="run the same command again"):
            make_vectors(place, first, MODEL)
        with pytest.raises(NoVectors):
            open_store(place).score_vectors(["York"], np.ones((1, 24), np.float32))
        assert make_vectors(place, second, MODEL, report=said.append).vectors == len(ENCYCLOPEDIA)
        assert said[0] == f"Resuming after {len(first.texts):,} pages."
        assert sorted(first.texts + second.texts) == sorted(page_text(page) for page in ENCYCLOPEDIA)

    def test_a_reader_that_is_open_is_told(self, place: str) -> None:
        store = open_store(place)
        assert store.is_current()
        make_vectors(place, Hashes(), MODEL)
        assert not open_store_looks_current(store)

    def test_an_empty_corpus(self, empty_place: str) -> None:
        assert make_vectors(empty_place, Hashes(), MODEL).vectors == 0


def cosines_of_floats(encoder: Hashes, queries: Matrix) -> Matrix:
    rows = encoder.encode([page_text(page) for page in ENCYCLOPEDIA])
    return np.asarray(rows @ (queries / np.linalg.norm(queries, axis=1, keepdims=True)).T, np.float32)


def open_store_looks_current(store: PageStore) -> bool:
    """As an application sees it a second later."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("retrieval.stores.elastic.store.SECONDS_BETWEEN_LOOKS", -1.0)
        return store.is_current()
