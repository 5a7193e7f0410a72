"""Several corpora read as one; each page carries its corpus's name. Implements `PageStore`."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

import numpy as np

from retrieval.errors import NoVectors
from retrieval.protocols import Matrix, PageStore
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.order import by_score, by_score_and_id, by_title, cut
from retrieval.stores.pages import SCHEMA, digest
from retrieval.text.languages import several_languages
from retrieval.text.titles import fold
from retrieval.types import CorpusInfo, Page

SCALED_PAGES = 5  # best pages of each corpus that its scores are scaled by
PAGES_A_BATCH = 500

Found = list[tuple[Page, float]]
Answer = TypeVar("Answer")


class SeveralStores:
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
        """Pages by id; unknown ids are left out."""
        asked: dict[str, list[str]] = {key: [] for key in self._stores}
        for key, own in map(self._own, page_ids):
            asked.get(key, []).append(own)
        parts = [self._ours(key, self._stores[key].get(own).values()) for key, own in asked.items() if own]
        found = {page.id: page for part in parts for page in part}
        return {page_id: found[page_id] for page_id in page_ids if page_id in found}

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> list[tuple[Page, bool]]:
        """Pages whose folded title, whole (True) or without its bracket (False), is one of the folded spans."""
        return self._by_title(spans, top_k, self._each(lambda store: store.find_titles(spans, top_k)))

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> Found:
        """The best pages of each corpus, merged by relevance."""
        parts = self._each(lambda store: store.search_text(query, phrases, top_k))
        return self._merged(query, phrases, parts, top_k)

    def rank_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[str, float]]:
        """The ids and scores that `search_text` gives. It reads only the pages that scores are scaled by, and those
        that tie with the last result.
        """
        parts = self._each(lambda store: store.rank_text(query, phrases, top_k))
        ranked = [
            [(f"{key}:{own}", score) for own, score in part] for key, part in zip(self._stores, parts, strict=True)
        ]
        best = self.get([page_id for part in ranked for page_id, _ in part[:SCALED_PAGES]])
        tops = [
            [(best[page_id], score) for page_id, score in part[:SCALED_PAGES] if page_id in best] for part in ranked
        ]
        merged = [
            (-score * scale, page_id)
            for part, scale in zip(ranked, _scales(query, phrases, tops), strict=True)
            for page_id, score in part
            if scale is not None
        ]
        kept = cut(merged, top_k, self._digests)
        return by_score_and_id((page_id, -worth) for worth, page_id in kept)

    def find_pages(
        self, spans: Sequence[str], query: str, top_titles: int, top_texts: int
    ) -> tuple[list[tuple[Page, bool]], Found]:
        """The results of `find_titles` and `search_text`, in one round trip for each corpus."""
        parts = self._each(lambda store: store.find_pages(spans, query, top_titles, top_texts))
        titles, texts = [part[0] for part in parts], [part[1] for part in parts]
        return self._by_title(spans, top_titles, titles), self._merged(query, (), texts, top_texts)

    def respell(self, words: Sequence[str]) -> dict[str, str]:
        """The most common word one edit away, for each word that no page of any corpus contains."""
        found: dict[str, str] = {}
        parts = [(store, store.respell(words)) for store in self._stores.values()]
        for word in words:
            meant = [part[word] for _, part in parts if word in part]
            others = [store for store, part in parts if word not in part]
            if meant and not any(store.search_text(word, top_k=1) for store in others):
                found[word] = meant[0]
        return found

    def score_vectors(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        """Cosine of each page's vector with each query's; -1 for pages without one. Raises NoVectors."""
        if not self.info().vector_model:
            raise NoVectors(
                "Not all of these corpora have vectors by the same model. Make them with `python -m indexing vectors`."
            )
        scores = np.full((len(page_ids), len(query_vectors)), -1.0, np.float32)
        rows: dict[str, list[int]] = {key: [] for key in self._stores}
        owned = [self._own(page_id) for page_id in page_ids]
        for row, (key, _) in enumerate(owned):
            rows.get(key, []).append(row)
        for key, at in rows.items():
            if at:
                scores[at] = self._stores[key].score_vectors([owned[row][1] for row in at], query_vectors)
        return scores

    def scan(self, after: int = -1) -> Iterator[list[tuple[int, Page]]]:
        """All pages by ascending digest within each corpus, in batches."""
        parts = [self._scanned(key, store, after) for key, store in self._stores.items()]
        batch: list[tuple[int, Page]] = []
        for numbered in heapq.merge(*parts, key=lambda numbered: numbered[0]):
            batch.append(numbered)
            if len(batch) == PAGES_A_BATCH:
                yield batch
                batch = []
        yield batch

    def count(self) -> int:
        """Number of pages in all corpora."""
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
        """Whether all corpora are current."""
        return all(store.is_current() for store in self._stores.values())

    def close(self) -> None:
        """Does nothing: the caller that opened the corpora closes them."""

    def _each(self, ask: Callable[[PageStore], Answer]) -> list[Answer]:
        """Each corpus's answer. They are asked in parallel, because some may be on a server."""
        with ThreadPoolExecutor(len(self._stores)) as threads:
            return list(threads.map(ask, self._stores.values()))

    def _by_title(
        self, spans: Sequence[str], top_k: int, parts: Sequence[Sequence[tuple[Page, bool]]]
    ) -> list[tuple[Page, bool]]:
        keys = list(dict.fromkeys(filter(None, map(fold, spans))))
        ours = [
            page
            for key, part in zip(self._stores, parts, strict=True)
            for page in self._ours(key, [page for page, _ in part])
        ]
        return by_title(ours, keys, top_k)

    def _merged(self, query: str, phrases: Sequence[str], parts: Sequence[Found], top_k: int) -> Found:
        ours = [
            list(zip(self._ours(key, [page for page, _ in part]), [score for _, score in part], strict=True))
            for key, part in zip(self._stores, parts, strict=True)
        ]
        merged: Found = []
        for part, scale in zip(ours, _scales(query, phrases, [part[:SCALED_PAGES] for part in ours]), strict=True):
            if scale is not None:
                merged += [(page, score * scale) for page, score in part]
        return by_score(merged, top_k)

    def _scanned(self, key: str, store: PageStore, after: int) -> Iterator[tuple[int, Page]]:
        for batch in store.scan(after):
            for number, page in batch:
                yield number, self._ours(key, [page])[0]

    def _digests(self, page_ids: Sequence[str]) -> list[int]:
        pages = self.get(page_ids)
        return [digest(pages[page_id]) for page_id in page_ids]

    def _own(self, page_id: str) -> tuple[str, str]:
        key, _, own = page_id.partition(":")
        return key, own

    def _ours(self, key: str, pages: Iterable[Page]) -> list[Page]:
        return [replace(page, id=f"{key}:{page.id}", corpus=self._names[key]) for page in pages]


def _scales(query: str, phrases: Sequence[str], tops: Sequence[Found]) -> list[float | None]:
    """The factor for each corpus's scores: its best page's score among the best pages of all corpora, divided by that
    page's score in its corpus. None for a corpus that found nothing. tops: each corpus's best pages.
    """
    best = [page for part in tops for page, _ in part]
    worth = {page.id: score for page, score in KnowledgeStore(best).search_text(query, phrases, len(best))}
    return [
        max(worth.get(page.id, 0.0) for page, _ in part) / part[0][1] if part and part[0][1] > 0 else None
        for part in tops
    ]
