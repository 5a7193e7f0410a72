"""Builds the next generation of a corpus in Elasticsearch and switches readers to it."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any, TypeVar

import orjson

from retrieval.errors import StoreAway, StoreError, StoreIncomplete, StoreMissing, StoreVersion
from retrieval.protocols import CorpusWriter, Prepared, VectorWriter
from retrieval.settings import Settings
from retrieval.stores.elastic.building import Building, delete, find_building, generations, release, take
from retrieval.stores.elastic.bulk import SECONDS_OF_PATIENCE, Bulk, Operation, pauses
from retrieval.stores.elastic.index import ALIAS_OF_BUILDING, LOW_BITS, complete_settings, document, document_id
from retrieval.stores.elastic.server import Server
from retrieval.stores.elastic.store import ElasticStore, current_generation
from retrieval.stores.pages import DIGEST_BITS, card_as_json, describe
from retrieval.stores.vectors import Bytes
from retrieval.text.bm25 import index_stemmer
from retrieval.text.languages import find_language
from retrieval.types import CorpusInfo, Page

SECONDS_FOR_READERS = 3.0  # for checks to finish on the previous corpus
SECONDS_TO_MERGE = 7_200.0
PARTS_OF_A_SUM = 64  # each part is exact in a double for up to 2 million pages

Answer = TypeVar("Answer")


class ElasticWriter(CorpusWriter):
    """Every operation has a higher number than the one before, and the server keeps the page with the highest, so it does
    not matter if operations are sent twice or arrive out of order.
    """

    def __init__(
        self, server: Server, building: Building, settings: Settings, report: Callable[[str], None], stemmer: str
    ) -> None:
        self.position, self._stemmer = building.position, stemmer
        self._server, self._building, self._settings, self._report = server, building, settings, report
        self._number = building.number
        self._bulk = Bulk(server, server.address.index + ALIAS_OF_BUILDING, report)

    @property
    def prepare(self) -> Callable[[Page], Prepared]:
        return functools.partial(prepare, stemmer=self._stemmer)

    @property
    def rejected(self) -> int:
        return self._bulk.rejected

    def add(self, pages: Iterable[Page | Prepared]) -> int:
        added = 0
        for page in pages:
            prepared = page if isinstance(page, Prepared) else prepare(page, self._stemmer)
            self._bulk.add(Operation(page.id, self._action("index", page.id) + prepared.record + b"\n"))
            added += 1
        return added

    def add_vectors(self, pages: Sequence[Page], vectors: Any) -> int:
        """Add pages and their vectors, int8, (pages, dimension), to a writer that was opened with a dimension."""
        return self.add(
            Prepared(page.id, document(page, vector.tobytes(), self._stemmer))
            for page, vector in zip(pages, vectors, strict=True)
        )

    def remove(self, page_ids: Iterable[str]) -> None:
        for page_id in page_ids:
            self._bulk.add(Operation(page_id, self._action("delete", page_id)))

    def checkpoint(self, position: Mapping[str, Any]) -> None:
        self._bulk.wait()
        self._building.position, self._building.number = dict(position), self._number
        self._patiently(lambda: take(self._server, self._building))

    def finish(self, name: str, language: str = "", vector_model: str = "") -> CorpusInfo:
        """Switch readers to the new generation, all at once."""
        self._bulk.wait()
        card = self._patiently(lambda: self._describe(name, language, vector_model or self._building.vector_model))
        index, indices = self._building.name, self._server.client.indices
        if self._settings.elasticsearch_segments:
            merge = self._server.client.options(request_timeout=SECONDS_TO_MERGE).indices.forcemerge
            segments = self._settings.elasticsearch_segments
            self._patiently(lambda: merge(index=index, max_num_segments=segments))
            self._patiently(lambda: indices.refresh(index=index))
        self._patiently(lambda: indices.put_settings(index=index, settings=complete_settings(self._settings)))
        self._building.card = card_as_json(card)
        self._patiently(lambda: take(self._server, self._building))
        self._patiently(self._switch)
        return card

    def retire(self) -> None:
        """Remove the previous corpus after giving checks that use it time to finish."""
        with suppress(StoreError):  # the next load removes leftovers
            old = [name for name in generations(self._server) if name != self._building.name]
            time.sleep(SECONDS_FOR_READERS if old else 0.0)
            delete(self._server, old)

    def close(self) -> None:
        """Stop sending; changes since the last checkpoint may be lost."""
        self._bulk.close()
        with suppress(StoreError):
            release(self._server, self._building)

    def _action(self, kind: str, page_id: str) -> bytes:
        self._number += 1
        head = {"_id": document_id(page_id), "version": self._number, "version_type": "external"}
        return orjson.dumps({kind: head}) + b"\n"

    def _describe(self, name: str, language: str, vector_model: str) -> CorpusInfo:
        """A description of the index. Raises StoreError if it does not hold as many pages as were sent."""
        client, index = self._server.client, self._building.name
        client.options(request_timeout=SECONDS_TO_MERGE).indices.refresh(index=index)
        pages = client.count(index=index)["count"]
        expected = self._building.pages + self._bulk.added
        if abs(pages - expected) > self._bulk.uncertain:
            raise StoreError(
                f"{self._server} holds {pages:,} pages, but {expected:,} were loaded. Readers still see the previous "
                "corpus; run the command again with `--restart`."
            )
        vectors = 0
        if self._building.dimension:
            vectors = client.count(index=index, query={"exists": {"field": "vector"}})["count"]
        more = {"vectors": vectors, "vector_model": vector_model if vectors else "", "language": language}
        return describe(pages, self._sum_of_digests(), name=name, stemmer=self._stemmer, **more)

    def _sum_of_digests(self) -> int:
        sums = {part: {"sum": {"field": part}} for part in ("digest_high", "digest_low")}
        width = (1 << (DIGEST_BITS - LOW_BITS)) // PARTS_OF_A_SUM
        parts = {"histogram": {"field": "digest_high", "interval": width, "min_doc_count": 1}, "aggs": sums}
        answer = self._server.client.search(index=self._building.name, size=0, aggs={"parts": parts})
        buckets = answer["aggregations"]["parts"]["buckets"]
        high, low = (sum(int(bucket[part]["value"]) for bucket in buckets) for part in sums)
        return (high << LOW_BITS) + low

    def _switch(self) -> None:
        """Move both aliases in one step."""
        alias, name = self._server.address.index, self._building.name
        removed = [(old, alias) for old in generations(self._server) if old != name]
        removed.append((name, alias + ALIAS_OF_BUILDING))
        actions: list[dict[str, Any]] = [
            {"remove": {"index": index, "alias": former, "must_exist": False}} for index, former in removed
        ]
        actions.append({"add": {"index": name, "alias": alias}})
        self._server.client.indices.update_aliases(actions=actions)

    def _patiently(self, request: Callable[[], Answer]) -> Answer:
        """The answer to a request; waits while the server is away."""
        began = time.monotonic()
        for pause in pauses():
            try:
                with self._server.asked():
                    return request()
            except StoreAway as error:
                if time.monotonic() - began > SECONDS_OF_PATIENCE:
                    raise
                if pause == next(pauses()):
                    self._report(f"{error} The load waits and resumes by itself.")
                time.sleep(pause)
        raise AssertionError("pauses() has no end")


def prepare(page: Page, stemmer: str = "") -> Prepared:
    """A page as the line of JSON to send."""
    return Prepared(page.id, document(page, stemmer=stemmer))


@contextmanager
def open_elastic_writer(
    location: str,
    job: str,
    *,
    replace: bool = False,
    restart: bool = False,
    settings: Settings,
    report: Callable[[str], None] = print,
    dimension: int = 0,
    language: str = "",
) -> Iterator[ElasticWriter]:
    """Start the next generation, or resume the one that the same `job` left unfinished (see `writer.position`).

    replace: leave out the pages of the current generation. restart: discard an unfinished load. report: called with the
    reason when the load has to wait, and for rejected pages. dimension: of the pages' vectors, if they will have any.
    language: of a new corpus; pages added to an existing one are indexed in its language.
    Raises SettingError, StoreAway, StoreVersion, and StoreError if another load is running or unfinished.
    """
    with closing(Server(location, settings)) as server:
        server.check_version()
        extended = None
        with suppress(StoreMissing, StoreIncomplete, *([StoreVersion] if replace else [])):
            current = current_generation(server)
            extended = None if replace else current
        building = find_building(server, job, restart)
        building = building or Building.begin(server, job, extended, settings, dimension)
        stemmer = extended[1].get("stemmer", "") if extended else index_stemmer(find_language(language))
        with closing(ElasticWriter(server, building, settings, report, stemmer)) as writer:
            yield writer


class ElasticVectorWriter(VectorWriter):
    """Writes a new generation, because Elasticsearch rewrites a document to change it."""

    def __init__(self, writer: ElasticWriter, card: CorpusInfo, model: str) -> None:
        place = writer.position or {"after": -1, "done": 0}
        self.after, self.done = int(place["after"]), int(place["done"])
        self._writer, self._card, self._model = writer, card, model

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
        card = self._writer.finish(self._card.name, self._card.language, self._model)
        self._writer.retire()
        return card


@contextmanager
def open_elastic_vector_writer(
    location: str, model: str, dimension: int, restart: bool, settings: Settings, report: Callable[[str], None]
) -> Iterator[ElasticVectorWriter]:
    """Start or resume the vectors of the corpus. Raises SettingError or StoreError."""
    with closing(ElasticStore(location, settings)) as store:
        card = store.info()
    job = f"vectors by {model} of {card.fingerprint}"
    options: dict[str, Any] = {"replace": True, "restart": restart, "dimension": dimension, "language": card.language}
    with open_elastic_writer(location, job, settings=settings, report=report, **options) as writer:
        yield ElasticVectorWriter(writer, card, model)
