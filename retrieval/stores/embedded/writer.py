"""Builds the next generation of an embedded store. The only writer of its files."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import tantivy

from retrieval.errors import StoreError, StoreMissing, StoreReadOnly
from retrieval.protocols import CorpusWriter, Prepared
from retrieval.stores.embedded import generations
from retrieval.stores.embedded.store import ANALYZER, analyzer, open_index, schema, with_digests
from retrieval.stores.locations import store_folder
from retrieval.stores.pages import SCHEMA, check_unfinished, describe, digest, digest_ranges, pack, title_keys
from retrieval.text.bm25 import index_stemmer, stemmed_text
from retrieval.text.languages import find_language
from retrieval.text.names.first_sentence import with_other_names
from retrieval.types import CorpusInfo, Page

HEAP_BYTES = 256_000_000
DIGESTS_A_SCAN = 100_000
# Messages for a full disk: the system's, and that of a thread of Tantivy.
_DISK_FULL = ("No space left", "os error 28", "File too large", "os error 27", "Disk quota", "index writer was killed")


class EmbeddedWriter(CorpusWriter):
    """A page replaces one with the same id, so a caller that resumes from a checkpoint may add pages again."""

    rejected = 0  # a folder accepts every page

    def __init__(self, store: Path, job: str, position: Mapping[str, Any] | None, stemmer: str) -> None:
        self.position, self._stemmer = position, stemmer
        self._store, self._job = store, job
        self._building = building = store / generations.BUILDING
        self._index = open_index(building) if tantivy.Index.exists(str(building)) else _create_index(building)
        # One thread, because reading the input keeps the other core busy.
        self._writer: Any = self._index.writer(HEAP_BYTES, 1)
        self._added = None if self._index.searcher().num_docs else _Ids()

    @property
    def prepare(self) -> Callable[[Page], Prepared]:
        return functools.partial(prepare, stemmer=self._stemmer)

    def add(self, pages: Iterable[Page | Prepared]) -> int:
        added = 0
        for page in pages:
            # Tantivy searches every segment for a page to delete, which takes longer than reading the page.
            if self._added is None or self._added.add(page.id):
                self._writer.delete_documents_by_term("id", page.id)
            self._writer.add_document(_document(page if isinstance(page, Prepared) else prepare(page, self._stemmer)))
            added += 1
        return added

    def remove(self, page_ids: Iterable[str]) -> None:
        for page_id in page_ids:
            self._writer.delete_documents_by_term("id", page_id)

    def checkpoint(self, position: Mapping[str, Any]) -> None:
        with _disk_errors(self._store):
            self._writer.commit()
            progress = {"schema": SCHEMA, "job": self._job, "position": dict(position)}
            generations.write_json(self._building / generations.PROGRESS, progress)

    def close(self) -> None:
        """Release the index's lock and threads; changes since the last checkpoint are lost."""
        self._writer = None

    def finish(self, name: str, language: str = "") -> CorpusInfo:
        with _disk_errors(self._store):
            self._writer.commit()
            self._writer.wait_merging_threads()
            self._index.reload()
            searcher = self._index.searcher()
            total = _sum_of_digests(self._index.schema, searcher)
            card = describe(searcher.num_docs, total, name=name, language=language, stemmer=self._stemmer)
            generations.switch(self._store, card)
        return card

    def retire(self) -> None:
        """Does nothing, because readers keep the old corpus's files open."""


class _Ids:
    """The ids added to an empty index (a Bloom filter, CACM 13(7), 1970); at 5.4 million, one new id in 600 counts as added."""

    def __init__(self) -> None:
        self._bits = bytearray(1 << 25)

    def add(self, page_id: str) -> bool:
        """Whether the id may have been added before."""
        hashed, known = hash(page_id), True
        for place in (hashed & 0xFFFFFFF, hashed >> 32 & 0xFFFFFFF):
            byte, bit = place >> 3, 1 << (place & 7)
            known = known and bool(self._bits[byte] & bit)
            self._bits[byte] |= bit
        return known


@contextmanager
def open_writer(
    location: str | Path, job: str, *, replace: bool = False, restart: bool = False, language: str = ""
) -> Iterator[EmbeddedWriter]:
    """Start the next generation, or resume the one that the same `job` left unfinished (see `writer.position`).

    replace: leave out the pages of the current generation. restart: discard an unfinished load. language: of a new
    corpus; pages added to an existing one are indexed in its language. Raises StoreReadOnly, and StoreError if there is
    another job's unfinished load.
    """
    store = store_folder(location)
    with generations.writing(store), _disk_errors(store):
        building = store / generations.BUILDING
        generations.recover(store)
        position = None if restart else _position(building, job)
        if position is None:
            _begin(store, replace)
        with closing(EmbeddedWriter(store, job, position, _stemmer(store, replace, language))) as writer:
            yield writer


def _position(building: Path, job: str) -> Mapping[str, Any] | None:
    """The position of the job's unfinished load; None if there is no unfinished load."""
    try:
        progress = json.loads((building / generations.PROGRESS).read_text("utf-8"))
        version, unfinished, position = progress["schema"], progress["job"], dict(progress["position"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    check_unfinished(building.parent, version, unfinished, job)
    return position


def _begin(store: Path, replace: bool) -> None:
    building = store / generations.BUILDING
    with suppress(FileNotFoundError):
        shutil.rmtree(building)
    building.mkdir()
    if not replace:
        with suppress(StoreMissing):
            current = generations.current_generation(store)
            generations.read_card(current)
            generations.link_files(current, building)


def _stemmer(store: Path, replace: bool, language: str) -> str:
    if not replace:
        with suppress(StoreError):  # `_begin` reports a corpus that it cannot extend
            return generations.read_card(generations.current_generation(store)).stemmer
    return index_stemmer(find_language(language))


def _create_index(building: Path) -> tantivy.Index:
    index = tantivy.Index(schema(), path=str(building))
    index.register_tokenizer(ANALYZER, analyzer())
    return index


def prepare(page: Page, stemmer: str = "") -> Prepared:
    """A page in the form that the index accepts. keys: folded titles, the weaker ones, title, text, digest."""
    page, number = with_other_names(page), digest(page)
    if page.disambiguation:  # such pages are stored but never found, because they have no evidence
        return Prepared(page.id, pack(page), ([], [], None, None, number))
    words = stemmed_text(page.title, stemmer), stemmed_text(page.text, stemmer)
    return Prepared(page.id, pack(page), (*title_keys(page), *words, number))


def _document(page: Prepared) -> tantivy.Document:
    titles, weaker, title, text, number = page.keys
    document = tantivy.Document()
    document.add_text("id", page.id)
    for key in titles:
        document.add_text("title_key", key)
    for key in weaker:
        document.add_text("bare_key", key)
    if title is not None:
        document.add_text("title", title)
        document.add_text("text", text)
    document.add_unsigned("digest", number)
    document.add_bytes("page", page.record)
    return document


def _sum_of_digests(fields: tantivy.Schema, searcher: tantivy.Searcher) -> int:
    total = 0
    for low, high in digest_ranges(searcher.num_docs, DIGESTS_A_SCAN):
        hits = searcher.search(with_digests(fields, low, high), 4 * DIGESTS_A_SCAN, count=False).hits
        addresses = [address for _, address in hits]
        total += sum(searcher.fast_field_values("digest", addresses))
    return total


@contextmanager
def _disk_errors(store: Path) -> Iterator[None]:
    """Turns errors of Tantivy (ValueError) and the system about a full or read-only disk into StoreErrors with advice."""
    try:
        yield
    except PermissionError as error:
        raise StoreReadOnly(
            f"{store} cannot be written: {error}. Choose another folder, or change its permissions."
        ) from error
    except (OSError, ValueError) as error:
        if any(message in str(error) for message in _DISK_FULL):
            raise StoreError(
                f"{store} can no longer be written; its disk is probably full. "
                "Free some space and run the same command again: it resumes where it stopped."
            ) from error
        raise
