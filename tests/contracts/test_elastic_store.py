"""The Elasticsearch store keeps the contracts, on a real server."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import pytest

from retrieval.protocols import PageStore
from retrieval.stores.elastic_writer import open_elastic_writer
from retrieval.types import Page
from tests.contracts.corpus_writer import CorpusWriterContract, OpenStore, OpenWriter
from tests.contracts.page_store import MakeStore, PageStoreContract
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
