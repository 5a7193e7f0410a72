"""Adds vectors to a corpus in Elasticsearch by loading its pages again, with the vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from retrieval.protocols import VectorWriter
from retrieval.settings import Settings
from retrieval.stores.elastic.store import ElasticStore
from retrieval.stores.elastic.writer import ElasticWriter, open_elastic_writer
from retrieval.stores.vectors import Bytes
from retrieval.types import CorpusInfo, Page


class ElasticVectorWriter(VectorWriter):
    """Writes a new generation, because Elasticsearch rewrites a document to change it."""

    def __init__(self, writer: ElasticWriter, name: str, language: str, model: str) -> None:
        place = writer.position or {"after": -1, "done": 0}
        self.after, self.done = int(place["after"]), int(place["done"])
        self._writer, self._name, self._language, self._model = writer, name, language, model

    def known(self, digests: Sequence[int]) -> dict[int, Bytes]:
        """Always empty, because the server does not return vectors."""
        return {}

    def add(self, pages: Sequence[tuple[int, Page]], vectors: Bytes) -> None:
        self._writer.add_vectors([page for _, page in pages], vectors)
        self.done += len(pages)
        self.after = pages[-1][0]

    def checkpoint(self) -> None:
        self._writer.checkpoint({"after": self.after, "done": self.done})

    def finish(self) -> CorpusInfo:
        """Switch readers, then remove the corpus without vectors."""
        card = self._writer.finish(self._name, self._language, self._model)
        self._writer.retire()
        return card


@contextmanager
def open_elastic_vector_writer(
    location: str, model: str, dimension: int, restart: bool, settings: Settings, report: Callable[[str], None]
) -> Iterator[ElasticVectorWriter]:
    """Start or resume the vectors of the corpus. Raises SettingError or StoreError."""
    store = ElasticStore(location, settings)
    name, language, source = store.info().name, store.info().language, store.info().fingerprint
    store.close()
    with open_elastic_writer(
        location,
        f"vectors by {model} of {source}",
        replace=True,
        restart=restart,
        settings=settings,
        report=report,
        dimension=dimension,
        language=language,
    ) as writer:
        yield ElasticVectorWriter(writer, name, language, model)
