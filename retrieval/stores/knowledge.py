"""The documents of one claim, as a store in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.errors import NoVectors
from retrieval.protocols import Matrix, PageStore
from retrieval.stores.lookups import folded, respelt
from retrieval.stores.order import Scored, Titled, by_score, by_title
from retrieval.stores.pages import describe, digest, title_keys
from retrieval.text.bm25 import Bm25, folded_words, indexed_words
from retrieval.text.languages import ENGLISH, find_language
from retrieval.text.names.first_sentence import with_other_names
from retrieval.text.words import searched
from retrieval.types import CorpusInfo, Page


class KnowledgeStore(PageStore):
    """A few thousand pages, used for one claim only. Safe to share between threads."""

    def __init__(self, pages: Sequence[Page], name: str = "", notes: Sequence[str] = (), language: str = "") -> None:
        """pages: a page replaces an earlier one with the same id. notes: sentences on what was left out when they were
        read. language: its code, or several joined by `+`; empty if unknown.
        """
        self._language = find_language(language)
        self._pages = {page.id: with_other_names(page) for page in pages}
        self._order = sorted(self._pages.values(), key=lambda page: page.id)
        self.notes = tuple(notes)
        words = [[] if page.disambiguation else self._words(f"{page.title} {page.text}") for page in self._order]
        self._index = Bm25(words)
        self._folded = [f" {' '.join(of_page)} " for of_page in words]
        self._digests = sorted(((digest(page), page) for page in self._order), key=lambda numbered: numbered[0])
        total, size = sum(number for number, _ in self._digests), sum(len(page.text) for page in self._order)
        self._info = describe(len(self._order), total, bytes=size, name=name, language=language)

    def pages(self) -> list[Page]:
        """All pages by id."""
        return list(self._order)

    def _words(self, text: str) -> list[str]:
        return indexed_words(text, self._language)

    def get(self, page_ids: Sequence[str]) -> dict[str, Page]:
        return {page_id: self._pages[page_id] for page_id in page_ids if page_id in self._pages}

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> Titled:
        keys = folded(spans)
        wanted = set(keys)
        findable = [page for page in self._order if not page.disambiguation]
        named = [page for page in findable if any(not wanted.isdisjoint(titles) for titles in title_keys(page))]
        return by_title(named, keys, top_k)

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> Scored:
        """See `PageStore`. Each phrase found in a page adds the rarity of its words."""
        scores = self._index.scores(self._words(" ".join(searched(folded_words(query), self._language))))
        for phrase in phrases:
            if words := self._words(phrase):
                worth, wanted = sum(map(self._index.rarity, words)), f" {' '.join(words)} "
                for row, text in enumerate(self._folded):
                    scores[row] += worth * (wanted in text)
        scored = zip(self._order, scores.tolist(), strict=True)
        return by_score([(page, score) for page, score in scored if score > 0], top_k)

    def rank_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[str, float]]:
        return [(page.id, score) for page, score in self.search_text(query, phrases, top_k)]

    def find_pages(self, spans: Sequence[str], query: str, top_titles: int, top_texts: int) -> tuple[Titled, Scored]:
        return self.find_titles(spans, top_titles), self.search_text(query, top_k=top_texts)

    def respell(self, words: Sequence[str]) -> dict[str, str]:
        """See `PageStore`. Empty if the index has stems instead of words."""
        return respelt(words, self._index.held_by) if self._language.code == ENGLISH.code else {}

    def score_vectors(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        """Raises NoVectors: pages that are used once have no stored vectors; stages compute them when needed."""
        raise NoVectors(
            "A claim's own documents have no vectors. Make them with `python -m indexing vectors --store FOLDER` "
            "over a corpus of them, which `python -m indexing documents` makes."
        )

    def scan(self, after: int = -1) -> Iterator[list[tuple[int, Page]]]:
        yield [numbered for numbered in self._digests if numbered[0] > after]

    def is_current(self) -> bool:
        """Always true, because nothing replaces these pages."""
        return True

    def count(self) -> int:
        return len(self._order)

    def info(self) -> CorpusInfo:
        """See `PageStore`. As nothing is on disk, its bytes count the characters of the pages."""
        return self._info

    def close(self) -> None:
        """Nothing to do: the garbage collector releases everything."""
