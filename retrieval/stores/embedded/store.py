"""The default corpus: a tantivy index in a folder, with no server to install or start."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import tantivy

from retrieval.errors import NoVectors, StoreDamaged
from retrieval.protocols import Matrix, PageStore
from retrieval.stores.embedded import generations
from retrieval.stores.embedded.vectors import DESCRIPTION, open_vectors
from retrieval.stores.lookups import LONGEST_TOKEN, TITLE_BOOST, folded, respelt, split_by_frequency
from retrieval.stores.order import Scored, Titled, by_score, by_score_and_id, by_title, cut
from retrieval.stores.pages import PAGES_A_SCAN, digest, digest_ranges, encodable, id_of, unpack
from retrieval.stores.vectors import other_encoder
from retrieval.text.bm25 import stemmed_text
from retrieval.text.languages import find_language
from retrieval.text.words import searched
from retrieval.types import CorpusInfo, Page

ANALYZER = "folded"
MANY_HITS = 100

Read = TypeVar("Read")


def analyzer() -> tantivy.TextAnalyzer:
    """Splits text into words in lower case, without accents, for pages and queries alike."""
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.remove_long(LONGEST_TOKEN))
    return words.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.ascii_fold()).build()


def schema() -> tantivy.Schema:
    """Fields of an index. title_key, bare_key: the title's keys, whole and weaker ones (`pages.title_keys`). digest: the
    page's hash; the sum of all makes the corpus's fingerprint. page: the record itself.
    """
    builder = tantivy.SchemaBuilder()
    for key in ("id", "title_key", "bare_key"):
        builder.add_text_field(key, tokenizer_name="raw", index_option="basic")
    for text in ("title", "text"):
        builder.add_text_field(text, tokenizer_name=ANALYZER, index_option="position")
    builder.add_unsigned_field("digest", fast=True)
    builder.add_bytes_field("page", stored=True)
    return builder.build()


def open_index(folder: Path) -> tantivy.Index:
    """Open the index in a folder. Raises StoreDamaged."""
    try:
        index = tantivy.Index.open(str(folder))
    except (ValueError, OSError) as error:
        raise generations.damaged(folder.parent, f"cannot be opened: {error}") from error
    index.register_tokenizer(ANALYZER, analyzer())
    return index


class EmbeddedStore(PageStore):
    """Reads the generation that is current when it is opened."""

    def __init__(self, location: str | Path) -> None:
        """Raises StoreMissing, StoreIncomplete, StoreVersion or StoreDamaged."""
        self._location = Path(location)
        self.folder = generations.current_generation(self._location)
        while True:
            try:
                self._open()
                return
            except StoreDamaged:
                folder = generations.current_generation(self._location)
                if folder == self.folder:
                    raise
                self.folder = folder  # a loader switched, and deleted the old folder while it was being opened

    def _open(self) -> None:
        card = generations.read_card(self.folder)
        self._index = open_index(self.folder)
        self._schema = self._index.schema
        self._searcher = self._index.searcher()
        self._analyzer = analyzer()
        self._changed = self._last_changes()
        self._vectors = open_vectors(self.folder, card.fingerprint)
        vectors, model = (self._vectors.count, self._vectors.model) if self._vectors else (0, "")
        self._card = replace(card, bytes=_size(self.folder), vectors=vectors, vector_model=model)

    def get(self, page_ids: Sequence[str]) -> dict[str, Page]:
        pages = {page.id: page for page in self._all(self._any_of("id", page_ids), len(page_ids))}
        return {page_id: pages[page_id] for page_id in page_ids if page_id in pages}

    def find_titles(self, spans: Sequence[str], top_k: int = 100) -> Titled:
        keys = folded(spans)
        named = [page for field in ("title_key", "bare_key") for page in self._all(self._any_of(field, keys), top_k)]
        return by_title({page.id: page for page in named}.values(), keys, top_k)

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> Scored:
        return by_score(self._best(query, phrases, top_k, unpack), top_k)

    def rank_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[str, float]]:
        return by_score_and_id(self._best(query, phrases, top_k, id_of))

    def _best(
        self, query: str, phrases: Sequence[str], top_k: int, read: Callable[[bytes], Read]
    ) -> list[tuple[Read, float]]:
        """The results of `read` on the best packed pages, with their scores, in no order."""
        most = min(top_k, self.count())
        with self._reading():
            for candidate in self._queries(query, phrases) if most > 0 else ():
                if hits := self._best_hits(candidate, most):
                    return [(read(self._packed(address)), -cost) for cost, address in hits]
        return []

    def _queries(self, query: str, phrases: Sequence[str]) -> Iterator[tantivy.Query]:
        """The queries to try in turn until one finds a page."""
        parts = [
            self._word(field, word, boost)
            for typed in searched(self._plain(query), find_language(self._card.language))
            for word in self._words(typed)
            for field, boost in (("title", TITLE_BOOST), ("text", 1.0))
        ]
        of_words = [tokens for phrase in phrases if (tokens := self._words(phrase))]
        frequency = partial(self._searcher.doc_freq, "text")
        rare, frequent = split_by_frequency(of_words, self.count(), lambda words: list(map(frequency, words)))
        parts += map(self._phrase, rare)
        if parts:
            yield _any(parts)
        if frequent:
            yield _any([*parts, *map(self._phrase, frequent)])

    def _phrase(self, tokens: Sequence[str]) -> tantivy.Query:
        if len(tokens) == 1:
            return self._word("text", tokens[0], 1.0)
        return tantivy.Query.phrase_query(self._schema, "text", list(tokens))

    def sample(self, count: int, seed: int) -> list[Page]:
        """Pages drawn at random without replacement; fewer if the corpus has fewer."""
        hits = self._searcher.search(tantivy.Query.all_query(), max(1, self.count()), count=False).hits
        drawn = random.Random(seed).sample(hits, min(count, len(hits)))
        return [unpack(self._packed(address)) for _, address in drawn]

    def find_pages(self, spans: Sequence[str], query: str, top_titles: int, top_texts: int) -> tuple[Titled, Scored]:
        return self.find_titles(spans, top_titles), self.search_text(query, top_k=top_texts)

    def respell(self, words: Sequence[str]) -> dict[str, str]:
        """See `PageStore`. Empty if the index has stems instead of words."""

        def frequency(word: str) -> int:
            return max(int(self._searcher.doc_freq(field, word)) for field in ("text", "title"))

        return {} if self._card.stemmer else respelt(words, frequency)

    def score_vectors(self, page_ids: Sequence[str], query_vectors: Matrix) -> Matrix:
        if self._vectors is None:
            raise NoVectors(
                f"The pages of {self._location} have no vectors. "
                f"Make them with `python -m indexing vectors --store {self._location}`."
            )
        if query_vectors.shape[1] != self._vectors.dimension:
            raise other_encoder(self._location, self._vectors.model)
        return self._vectors.scores(page_ids, query_vectors)

    def scan(self, after: int = -1) -> Iterator[list[tuple[int, Page]]]:
        for low, high in digest_ranges(self.count(), PAGES_A_SCAN):
            if high > after + 1:
                pages = self._all(with_digests(self._schema, low, high), 4 * PAGES_A_SCAN)
                batch = sorted(((digest(page), page) for page in pages), key=lambda numbered: numbered[0])
                yield [numbered for numbered in batch if numbered[0] > after]

    def count(self) -> int:
        return int(self._searcher.num_docs)

    def info(self) -> CorpusInfo:
        """See `PageStore`. Its bytes are counted on disk."""
        return self._card

    def is_current(self) -> bool:
        """Whether CURRENT still names this generation, with the same vectors and the same name."""
        same = generations.current_generation(self._location) == self.folder
        return same and self._last_changes() == self._changed

    def _last_changes(self) -> tuple[int, int]:
        return _moment(self.folder / DESCRIPTION), _moment(self.folder / generations.CARD)

    def close(self) -> None:
        """Nothing to do: the garbage collector releases everything."""

    def _any_of(self, field: str, values: Sequence[str]) -> tantivy.Query:
        return tantivy.Query.term_set_query(self._schema, field, [value for value in values if encodable(value)])

    def _words(self, text: str) -> list[str]:
        """The words of a text, as the index has them."""
        return self._plain(stemmed_text(text, self._card.stemmer))

    def _plain(self, text: str) -> list[str]:
        composed = unicodedata.normalize("NFC", text)
        return list(self._analyzer.analyze(composed.encode("utf-8", "replace").decode()))

    def _word(self, field: str, word: str, boost: float) -> tantivy.Query:
        return tantivy.Query.boost_query(tantivy.Query.term_query(self._schema, field, word, "freq"), boost)

    def _all(self, query: tantivy.Query, expected: int) -> list[Page]:
        """Every page that the query finds, in no order. expected: how many to ask for first; more take a second search."""
        if expected < 1:
            return []
        with self._reading():
            hits = self._hits(query, expected + 1)
            while len(hits) > expected:
                expected *= 4
                hits = self._hits(query, expected + 1)
            return [unpack(self._packed(address)) for _, address in hits]

    def _best_hits(self, query: tantivy.Query, most: int) -> list[tuple[float, Any]]:
        """(-score, address) of the best `most`. Ties with the last one are broken by digest, not by position on disk."""
        # A query of hundreds of phrases gives many ties, and searching again costs more than keeping more results.
        limit = most if most < MANY_HITS else 4 * most
        hits = self._hits(query, limit + 1)
        while len(hits) > limit and hits[-1][0] == hits[most - 1][0]:
            limit *= 4
            hits = self._hits(query, limit + 1)
        costs = [(-score, address) for score, address in hits]
        return cut(costs, most, lambda addresses: list(self._searcher.fast_field_values("digest", addresses)))

    def _hits(self, query: tantivy.Query, limit: int) -> list[tuple[float, Any]]:
        hits: list[tuple[float, Any]] = self._searcher.search(query, min(limit, self.count() + 1), count=False).hits
        return hits

    def _packed(self, address: Any) -> bytes:
        stored: bytes = self._searcher.doc(address).get_first("page")
        return stored

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            raise generations.damaged(self.folder.parent, f"cannot be read: {error}") from error


def with_digests(fields: tantivy.Schema, low: int, high: int) -> tantivy.Query:
    """Finds the pages whose digests are at least `low` and below `high`."""
    return tantivy.Query.range_query(fields, "digest", tantivy.FieldType.Unsigned, low, high, include_upper=False)


def _any(parts: Sequence[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, part) for part in parts])


def _size(folder: Path) -> int:
    """The size of a generation on disk, in bytes. Raises StoreDamaged while it is being deleted."""
    try:
        return sum(file.stat().st_size for file in folder.iterdir())
    except OSError as error:
        raise generations.damaged(folder.parent, f"cannot be read: {error}") from error


def _moment(file: Path) -> int:
    """The file's modification time; 0 if there is none."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
