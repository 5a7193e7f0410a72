"""The Elasticsearch store keeps the contracts, on a real server."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from retrieval.protocols import PageStore
from retrieval.stores.elastic_writer import open_elastic_writer
from retrieval.stores.embedded_writer import open_writer
from retrieval.types import Page
from tests.contracts.corpus_writer import CorpusWriterContract, OpenStore, OpenWriter
from tests.contracts.page_store import ENCYCLOPEDIA, MakeStore, PageStoreContract
from tests.contracts.vectors import VectorContract
from tests.elastic.corpora import Cluster


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
