"""A corpus in Elasticsearch: the same answers as the embedded store gives, with few requests per claim."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from retrieval.errors import NoVectors, StoreAway, StoreError, StoreIncomplete, StoreMissing, StoreVersion
from retrieval.protocols import Matrix, PageStore
from retrieval.settings import Settings
from retrieval.stores.elastic import queries
from retrieval.stores.elastic.index import (
    ALIAS_OF_BUILDING,
    LOW_BITS,
    META,
    Json,
    document_id,
    is_generation,
    is_hashed,
)
from retrieval.stores.elastic.index import words as index_words
from retrieval.stores.elastic.server import NotThere, Server, reason_of
from retrieval.stores.lookups import folded, split_by_frequency
from retrieval.stores.order import Scored, Titled, by_score, by_score_and_id, by_title
from retrieval.stores.pages import (
    DIGEST_BITS,
    PAGES_A_SCAN,
    READABLE,
    SCHEMA,
    digest,
    digest_ranges,
    encodable,
    from_record,
)
from retrieval.stores.vectors import other_encoder
from retrieval.text.spelling import doubtful, most_usual, one_edit_away
from retrieval.types import CorpusInfo, Page

MOST_HITS = 10_000  # that Elasticsearch returns at once
IDS_A_REQUEST = 1_000
SECONDS_BETWEEN_LOOKS = 1.0

RECORD_ONLY: Json = {"_source": "page"}  # the part of a document to fetch

Answer = TypeVar("Answer")


class ElasticStore(PageStore):
    """Reads the generation that the alias names when it is opened, or its successor once a load has replaced it."""

    def __init__(self, location: str, settings: Settings) -> None:
        """Raises SettingError, StoreAway, StoreMissing, StoreIncomplete, StoreVersion or StoreError."""
        self._server = Server(location, settings)
        self._server.check_version()
        self._looking = threading.Lock()
        self._open()

    def _open(self) -> None:
        self.generation, card = current_generation(self._server)
        with self._server.asked():
            stats = self._server.client.indices.stats(index=self.generation, metric="store")
            shards = stats["_shards"]["total"]
        on_disk = stats["_all"]["total"].get("store")
        if on_disk is None:  # just after a start, or if a node is gone
            raise StoreAway(
                f"Elasticsearch at {self._server} has not assigned the shards of {self._server.address.index!r} to a node. "
                "Wait, or check its nodes and disks; whatever waits for it resumes by itself."
            )
        self._card = CorpusInfo(**{**card, "bytes": on_disk["size_in_bytes"]})
        self._newest, self._looked = self.generation, time.monotonic()
        # Word statistics must come from all shards, or identical pages would score differently.
        self._search_type: Any = "dfs_query_then_fetch" if shards > 1 else None

    def get(self, page_ids: Sequence[str]) -> dict[str, Page]:
        wanted = [page_id for page_id in dict.fromkeys(page_ids) if page_id and encodable(page_id)]
        found: dict[str, Page] = {}
        for first in range(0, len(wanted), IDS_A_REQUEST):
            ids = [document_id(page_id) for page_id in wanted[first : first + IDS_A_REQUEST]]
            found |= {page.id: page for page in self._documents(ids)}
        return {page_id: found[page_id] for page_id in wanted if page_id in found}

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> Titled:
        return self.find_pages(spans, "", top_k, 0)[0]

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> Scored:
        """See `PageStore`. At most 10,000 pages."""
        return _scored(self._matching(query, phrases, top_k), top_k)

    def rank_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[str, float]]:
        """See `PageStore`. The server sends no pages."""
        hits = self._matching(query, phrases, top_k, _source=False)["hits"]
        # A document has its page's id, or a hash of it if it is very long.
        hashes = [hit["_id"] for hit in hits if is_hashed(hit["_id"])]
        hashed = {document_id(page.id): page.id for page in self._documents(hashes)}
        return by_score_and_id((hashed.get(hit["_id"], hit["_id"]), float(hit["sort"][0])) for hit in hits)

    def find_pages(self, spans: Sequence[str], query: str, top_titles: int, top_texts: int) -> tuple[Titled, Scored]:
        """See `PageStore`. If more pages match the titles than requested, ordering them takes a second round trip."""
        keys = [key for key in folded(spans) if encodable(key)]
        titles = queries.title_search(keys, self._size(top_titles))
        texts = queries.text_search(query, (), self._size(top_texts), self._card.language, self._card.stemmer)
        answers = iter(self._search([search for search in (titles, texts) if search]))
        named, worded = next(answers) if titles else None, next(answers) if texts else None
        if titles and named and named["total"]["value"] > titles["size"]:
            named = self._search([queries.ordered_title_search(keys, titles["size"])])[0]
        titled = by_title(_pages(named), keys, top_titles) if named else []
        return titled, _scored(worded, top_texts) if worded else []

    def respell(self, words: Sequence[str]) -> dict[str, str]:
        """See `PageStore`. Words that no page contains take a second round trip."""
        if self._card.stemmer:  # the index has stems, not words
            return {}
        suspects = doubtful(words)
        pages = dict(zip(suspects, self._frequencies(suspects, ("title_words", "text_words")), strict=True))
        unknown = [word for word in suspects if not pages[word]]
        answers = zip(unknown, self._answers([queries.suggestion(word) for word in unknown]), strict=True)
        likely = {word: most_usual(queries.suggested(answer, one_edit_away(word))) for word, answer in answers}
        return {word: meant for word, meant in likely.items() if meant}

    def _matching(self, query: str, phrases: Sequence[str], top_k: int, **more: Any) -> Json:
        """The hits of a text search, with further options of the search API."""
        of_words = [tokens for phrase in phrases if (tokens := index_words(phrase, self._card.stemmer))]
        frequencies = partial(self._frequencies, fields=("text_words",))
        rare, frequent = split_by_frequency(of_words, self.count(), frequencies)
        for chosen in (rare, [*rare, *frequent]) if frequent else (rare,):
            search = queries.text_search(query, chosen, self._size(top_k), self._card.language, self._card.stemmer)
            if search and (found := self._search([search | more])[0])["hits"]:
                return found
        return {"hits": []}

    def _frequencies(self, words: Sequence[str], fields: Sequence[str]) -> list[int]:
        """For each word, the number of pages with it in one of the fields."""
        answers = self._search([queries.frequency(word, fields) for word in words])
        return [answer["total"]["value"] for answer in answers]

    def score_vectors(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        if not self._card.vectors:
            raise NoVectors(
                f"The pages of {self._server.address} have no vectors. "
                f"Make them with `python -m indexing vectors --store {self._server.address}`."
            )
        scores = np.full((len(page_ids), len(query_vectors)), -1.0, dtype=np.float32)
        rows: dict[str, list[int]] = {}
        for row, page_id in enumerate(page_ids):
            if encodable(page_id):
                rows.setdefault(document_id(page_id), []).append(row)
        for first in range(0, len(rows), MOST_HITS):
            ids = list(rows)[first : first + MOST_HITS]
            answers = self._search([queries.vector_search(ids, vector) for vector in query_vectors])
            for column, hits in enumerate(answers):
                for hit in hits["hits"]:
                    scores[rows[hit["_id"]], column] = 2 * hit["_score"] - 1
        return scores

    def scan(self, after: int = -1) -> Iterator[list[tuple[int, Page]]]:
        for low, high in digest_ranges(self.count(), PAGES_A_SCAN, DIGEST_BITS - LOW_BITS):
            if high << LOW_BITS > after + 1:
                in_range = {"range": {"digest_high": {"gte": low, "lte": high - 1}}}
                hits = self._search([{"query": {"bool": {"filter": in_range}}, "size": MOST_HITS, "sort": ["_doc"]}])[0]
                batch = sorted(((digest(page), page) for page in _pages(hits)), key=lambda numbered: numbered[0])
                yield [numbered for numbered in batch if numbered[0] > after]

    def count(self) -> int:
        return self._card.pages

    def info(self) -> CorpusInfo:
        """See `PageStore`. Its bytes count all copies on the servers' disks."""
        return self._card

    def is_current(self) -> bool:
        """See `PageStore`. Asks the server once a second at most."""
        with self._looking:
            if time.monotonic() - self._looked > SECONDS_BETWEEN_LOOKS:
                self._newest = current_generation(self._server)[0]
                self._looked = time.monotonic()
            return self._newest == self.generation

    def close(self) -> None:
        self._server.close()

    def _documents(self, ids: Sequence[str]) -> list[Page]:
        if not ids:
            return []
        answer = self._ask(
            lambda: self._server.client.mget(index=self.generation, ids=ids, realtime=False, source_includes="page")
        )
        return [from_record(hit["_source"]["page"]) for hit in answer["docs"] if hit.get("found")]

    def _size(self, top_k: int) -> int:
        return max(0, min(top_k, self.count(), MOST_HITS))

    def _search(self, searches: Sequence[Json]) -> list[Json]:
        """The hits of each search, in one request."""
        return [part["hits"] for part in self._answers(searches)]

    def _answers(self, searches: Sequence[Json]) -> list[Json]:
        """The answer to each search, in one request."""
        if not searches:
            return []

        def ask() -> Any:
            lines = [line for search in searches for line in ({"index": self.generation}, RECORD_ONLY | search)]
            answer = self._server.client.msearch(
                searches=lines, search_type=None if "knn" in searches[0] else self._search_type
            )
            for part in answer["responses"]:
                if "error" in part:
                    raise self._failure(part)
            return answer

        return list(self._ask(ask)["responses"])

    def _failure(self, part: Json) -> Exception:
        """The error of one search among several."""
        if part["status"] == 404:
            return NotThere()
        reason = reason_of(part)
        if "different number of dimensions" in reason:
            return other_encoder(self._server.address, self._card.vector_model)
        if part["status"] == 429 or part["status"] >= 500:
            return StoreAway(f"Elasticsearch at {self._server} cannot answer now ({reason}). Try again in a moment.")
        return StoreError(f"Elasticsearch at {self._server} refused a search ({reason}). Report this sentence.")

    def _ask(self, request: Callable[[], Answer]) -> Answer:
        """The answer to a request, from the next generation if this one is gone."""
        try:
            with self._server.asked():
                return request()
        except NotThere:
            self._open()
        try:
            with self._server.asked():
                return request()
        except NotThere:
            raise missing(self._server) from None


def current_generation(server: Server) -> tuple[str, Json]:
    """The name and description (fields of `CorpusInfo`) of the index in use, by one request. Raises StoreError."""
    index = server.address.index
    try:
        with server.asked():
            mappings = server.quick.indices.get_mapping(index=index).body
    except NotThere:
        raise missing(server) from None
    name, described = next(iter(mappings.items()))
    card = described["mappings"].get("_meta", {}).get(META)
    if len(mappings) > 1 or not is_generation(index, name) or not isinstance(card, dict):
        raise StoreError(
            f"The index {index!r} at {server} was not made by this program. Name another one, or load one of this name."
        )
    if card.get("schema") not in READABLE:
        raise StoreVersion(
            f"The corpus at {server.address} has schema {card.get('schema')}, this program reads schemas up to {SCHEMA}. "
            "Load it again with `--replace`."
        )
    return name, {field: card[field] for field in CorpusInfo.__dataclass_fields__ if field in card}


def missing(server: Server) -> StoreError:
    """The error that says why there is no corpus."""
    with server.asked():
        building = server.client.indices.exists_alias(name=server.address.index + ALIAS_OF_BUILDING)
    if building:
        return StoreIncomplete(
            f"The corpus at {server.address} was never loaded completely. "
            "Run the same `python -m indexing` command again: it resumes where it stopped."
        )
    return StoreMissing(
        f"There is no index {server.address.index!r} at {server}. "
        f"Load one with `python -m indexing fever PATH --store {server.address}`; in Docker Compose, "
        "`docker compose run --rm sample`, `index` or `wikipedia` does that."
    )


def _pages(hits: Json) -> list[Page]:
    return [from_record(hit["_source"]["page"]) for hit in hits["hits"]]


def _scored(hits: Json, top_k: int) -> Scored:
    scores = (float(hit["sort"][0]) for hit in hits["hits"])
    return by_score(zip(_pages(hits), scores, strict=True), top_k)
