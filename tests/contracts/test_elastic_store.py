"""The Elasticsearch store keeps the contracts, on a real server."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.vectors import make_vectors
from retrieval.protocols import PageStore
from retrieval.stores import open_store
from retrieval.stores.elastic.index import word_text
from retrieval.stores.elastic.writer import open_elastic_writer
from retrieval.stores.embedded.writer import open_writer
from retrieval.types import Page
from tests.contracts.corpus_writer import CorpusWriterContract, OpenStore, OpenWriter
from tests.contracts.encyclopedia import ENCYCLOPEDIA
from tests.contracts.page_store import MakeStore, PageStoreContract
from tests.contracts.vectors import MODEL, Hashes, VectorContract
from tests.elastic.corpora import Cluster
from tests.making import make_page


@pytest.fixture(scope="module")
def make_store(cluster: Cluster) -> Iterator[MakeStore]:
    opened = []

    def make(pages: Sequence[Page]) -> PageStore:
        place = cluster.place()
        cluster.load(place, pages)
        opened.append(cluster.open(place))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


class TestElasticStore(PageStoreContract):
    pass


class TestElasticVectors(VectorContract):
    @pytest.fixture
    def place(self, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> str:
        return self.loaded(cluster, monkeypatch, ENCYCLOPEDIA)

    @pytest.fixture
    def empty_place(self, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> str:
        return self.loaded(cluster, monkeypatch, ())

    def test_pages_that_are_added_later_have_none(self, cluster: Cluster, place: str) -> None:
        make_vectors(place, encoder := Hashes(), MODEL)
        cluster.load(place, [make_page("Mars", "Mars is red.")])
        store = cluster.open(place)
        assert (store.count(), store.info().vectors) == (len(ENCYCLOPEDIA) + 1, len(ENCYCLOPEDIA))
        assert store.info().vector_model == MODEL
        assert (store.score_vectors(["Mars", "York"], encoder.encode(["query"])) == -1).ravel().tolist() == [
            True,
            False,
        ]

    @staticmethod
    def loaded(cluster: Cluster, monkeypatch: pytest.MonkeyPatch, pages: Sequence[Page]) -> str:
        place = cluster.place()
        for name, value in cluster.environment(place).items():
            monkeypatch.setenv(name, value)
        cluster.load(place, pages)
        return place


def test_both_stores_give_one_fingerprint(cluster: Cluster, tmp_path: Path) -> None:
    with open_writer(tmp_path / "store", "job") as writer:
        writer.add(ENCYCLOPEDIA)
        embedded = writer.finish("")
    assert cluster.load(cluster.place(), ENCYCLOPEDIA).fingerprint == embedded.fingerprint


def test_both_stores_end_words_at_spaces_and_signs_in_every_script(cluster: Cluster, tmp_path: Path) -> None:
    page, place = make_page("東京都", "東京都は日本の首都、Tokyo。 Τόκιο ½"), cluster.place()
    cluster.load(place, [page])
    with open_writer(tmp_path / "store", "job") as writer:
        writer.add([page])
        writer.finish("")
    for store in (cluster.open(place), open_store(tmp_path / "store")):
        for word in ("東京都は日本の首都", "tokyo", "τόκιο", "ΤΌΚΙΟ"):
            assert [found.id for found, _ in store.search_text(word)] == [page.id], word
        assert store.search_text("東") == store.search_text("首都") == []
        store.close()


@given(st.text() | st.text(alphabet="aZ0 .-éßÆİΣ東ｱ½\u0301\ud800"))
def test_a_text_is_sent_as_words_between_spaces(text: str) -> None:
    sent = word_text(text)
    assert all(char.isalnum() or char == " " for char in sent)
    assert sent == sent.lower()
    assert word_text(f"Was {text} Été") == f"was {sent} ete"


class TestElasticWriter(CorpusWriterContract):
    @pytest.fixture
    def place(self, cluster: Cluster) -> str:
        return cluster.place()

    @pytest.fixture
    def open_writer(self, cluster: Cluster, place: str) -> OpenWriter:
        return functools.partial(open_elastic_writer, place, settings=cluster.settings())

    @pytest.fixture
    def open_store(self, cluster: Cluster, place: str) -> OpenStore:
        return lambda: cluster.open(place)
