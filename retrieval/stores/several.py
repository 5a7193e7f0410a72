"""Several corpora read as one; each page carries its corpus's name."""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

import numpy as np

from retrieval.errors import NoVectors
from retrieval.protocols import Matrix, PageStore
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.lookups import folded
from retrieval.stores.order import Item, Scored, Titled, by_score, by_score_and_id, by_title, cut
from retrieval.stores.pages import PAGES_A_SCAN, SCHEMA, digest
from retrieval.text.languages import several_languages
from retrieval.types import CorpusInfo, Page

SCALED_PAGES = 5  # best pages of each corpus that its scores are scaled by

Answer = TypeVar("Answer")
Value = TypeVar("Value")


class SeveralStores(PageStore):
    """Two or more corpora. A page's id is `KEY:ID`, with the key of its corpus.

    BM25 scores of two corpora cannot be compared, because a word's rarity depends on the corpus. So each corpus keeps
    its order, and its scores are scaled so that its best page gets the score that it has among the best pages of all
    corpora.
    """

    def __init__(self, stores: Mapping[str, PageStore]) -> None:
        """stores: by key, without colons; the first wins ties."""
        self._stores = dict(stores)
        self._names = {key: store.info().name or key for key, store in stores.items()}

    def get(self, page_ids: Sequence[str]) -> dict[str, Page]:
        found: dict[str, Page] = {}
        for key, rows in self._rows(page_ids).items():
            pages = self._stores[key].get([_id_in_corpus(page_ids[row]) for row in rows])
            found |= {page.id: page for page in (self._renamed(key, page) for page in pages.values())}
        return {page_id: found[page_id] for page_id in page_ids if page_id in found}

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> Titled:
        return self._by_title(spans, top_k, self._each(lambda store: store.find_titles(spans, top_k)))

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> Scored:
        return self._merged(query, phrases, self._each(lambda store: store.search_text(query, phrases, top_k)), top_k)

    def rank_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[str, float]]:
        """See `PageStore`. Reads only the pages that scores are scaled by, and those that tie with the last result."""
        parts = self._each(lambda store: store.rank_text(query, phrases, top_k))
        ranked = [
            [(f"{key}:{page_id}", score) for page_id, score in part]
            for key, part in zip(self._stores, parts, strict=True)
        ]
        best = self.get([page_id for part in ranked for page_id, _ in part[:SCALED_PAGES]])
        tops = [
            [(best[page_id], score) for page_id, score in part[:SCALED_PAGES] if page_id in best] for part in ranked
        ]
        scaled = [(-score, page_id) for page_id, score in _scaled(query, phrases, ranked, tops)]
        return by_score_and_id((page_id, -cost) for cost, page_id in cut(scaled, top_k, self._digests))

    def find_pages(self, spans: Sequence[str], query: str, top_titles: int, top_texts: int) -> tuple[Titled, Scored]:
        """See `PageStore`. One round trip for each corpus."""
        parts = self._each(lambda store: store.find_pages(spans, query, top_titles, top_texts))
        titles, texts = [part[0] for part in parts], [part[1] for part in parts]
        return self._by_title(spans, top_titles, titles), self._merged(query, (), texts, top_texts)

    def respell(self, words: Sequence[str]) -> dict[str, str]:
        respelt: dict[str, str] = {}
        parts = [(store, store.respell(words)) for store in self._stores.values()]
        for word in words:
            meant = [part[word] for _, part in parts if word in part]
            others = [store for store, part in parts if word not in part]
            if meant and not any(store.search_text(word, top_k=1) for store in others):
                respelt[word] = meant[0]
        return respelt

    def score_vectors(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        if not self.info().vector_model:
            raise NoVectors(
                "Not all of these corpora have vectors by the same model. Make them with `python -m indexing vectors`."
            )
        scores = np.full((len(page_ids), len(query_vectors)), -1.0, np.float32)
        for key, rows in self._rows(page_ids).items():
            ids = [_id_in_corpus(page_ids[row]) for row in rows]
            scores[rows] = self._stores[key].score_vectors(ids, query_vectors)
        return scores

    def scan(self, after: int = -1) -> Iterator[list[tuple[int, Page]]]:
        parts = [self._scanned(key, store, after) for key, store in self._stores.items()]
        pages = heapq.merge(*parts, key=lambda numbered: numbered[0])
        while batch := list(itertools.islice(pages, PAGES_A_SCAN)):
            yield batch

    def count(self) -> int:
        return sum(store.count() for store in self._stores.values())

    def info(self) -> CorpusInfo:
        """A description of all corpora together. Its `vector_model` is empty if their encoders differ."""
        infos = [store.info() for store in self._stores.values()]
        parts = "\n".join(f"{key}:{info.fingerprint}" for key, info in zip(self._stores, infos, strict=True))
        models = {info.vector_model if info.vectors else "" for info in infos}
        return CorpusInfo(
            pages=sum(info.pages for info in infos),
            fingerprint=hashlib.sha256(parts.encode()).hexdigest()[:16],
            built=max(info.built for info in infos),
            schema=SCHEMA,
            vectors=sum(info.vectors for info in infos),
            bytes=sum(info.bytes for info in infos),
            name=" and ".join(self._names.values()),
            language=several_languages([info.language for info in infos]),
            vector_model=models.pop() if len(models) == 1 else "",
        )

    def is_current(self) -> bool:
        return all(store.is_current() for store in self._stores.values())

    def close(self) -> None:
        """Does nothing: the caller that opened the corpora closes them."""

    def _each(self, ask: Callable[[PageStore], Answer]) -> list[Answer]:
        """Each corpus's answer. They are asked in parallel, because some may be on a server."""
        with ThreadPoolExecutor(len(self._stores)) as threads:
            return list(threads.map(ask, self._stores.values()))

    def _by_title(self, spans: Sequence[str], top_k: int, parts: Sequence[Titled]) -> Titled:
        pages = [page for part in self._with_names(parts) for page, _ in part]
        return by_title(pages, folded(spans), top_k)

    def _merged(self, query: str, phrases: Sequence[str], parts: Sequence[Scored], top_k: int) -> Scored:
        named = self._with_names(parts)
        return by_score(_scaled(query, phrases, named, [part[:SCALED_PAGES] for part in named]), top_k)

    def _with_names(self, parts: Sequence[Sequence[tuple[Page, Value]]]) -> list[list[tuple[Page, Value]]]:
        """Each corpus's results, with its key in the ids."""
        return [
            [(self._renamed(key, page), value) for page, value in part]
            for key, part in zip(self._stores, parts, strict=True)
        ]

    def _scanned(self, key: str, store: PageStore, after: int) -> Iterator[tuple[int, Page]]:
        for batch in store.scan(after):
            for number, page in batch:
                yield number, self._renamed(key, page)

    def _digests(self, page_ids: Sequence[str]) -> list[int]:
        pages = self.get(page_ids)
        return [digest(pages[page_id]) for page_id in page_ids]

    def _rows(self, page_ids: Sequence[str]) -> dict[str, list[int]]:
        """The indices of each corpus's ids, for those corpora that have any."""
        rows: dict[str, list[int]] = {}
        for row, page_id in enumerate(page_ids):
            if (key := page_id.partition(":")[0]) in self._stores:
                rows.setdefault(key, []).append(row)
        return rows

    def _renamed(self, key: str, page: Page) -> Page:
        return replace(page, id=f"{key}:{page.id}", corpus=self._names[key])


def _id_in_corpus(page_id: str) -> str:
    return page_id.partition(":")[2]


def _scaled(
    query: str, phrases: Sequence[str], parts: Sequence[Sequence[tuple[Item, float]]], tops: Sequence[Scored]
) -> Iterator[tuple[Item, float]]:
    """Each corpus's items with scaled scores. The factor is its best page's score among the best pages of all corpora,
    divided by that page's score in its corpus. tops: each corpus's best pages.
    """
    best = [page for top in tops for page, _ in top]
    scores = {page.id: score for page, score in KnowledgeStore(best).search_text(query, phrases, len(best))}
    for part, top in zip(parts, tops, strict=True):
        if top and top[0][1] > 0:
            scale = max(scores.get(page.id, 0.0) for page, _ in top) / top[0][1]
            yield from ((item, score * scale) for item, score in part)
