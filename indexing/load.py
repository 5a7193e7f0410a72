"""Loads pages into a store, with progress, checkpoints and a report of what was left out."""

from __future__ import annotations

import hashlib
import itertools
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from indexing.fever import Source, find_sources
from indexing.fever_rows import Row, read_rows
from indexing.watched.lines import Progress
from retrieval.errors import CorpusError, StoreIncomplete, StoreMissing
from retrieval.protocols import CorpusWriter, PageStore
from retrieval.stores import open_store, open_writer
from retrieval.text.languages import find_language
from retrieval.types import CorpusInfo

SECONDS_BETWEEN_CHECKPOINTS = 60.0  # the most work that a crash can lose
ROWS_A_LOOK = 1000
PARTS_A_GET = 100


class LoadInterrupted(KeyboardInterrupt):
    """Ctrl-C. The message says how to resume."""


@contextmanager
def saving(save: Callable[[], None], done: Callable[[], str]) -> Iterator[None]:
    """Saves a load that Ctrl-C or a CorpusError ends. done: the work until then, such as "1,000 pages"."""
    try:
        yield
    except KeyboardInterrupt:
        save()
        raise LoadInterrupted(
            f"Stopped after {done()}; run the same command again to resume. Readers still see the previous corpus."
        ) from None
    except CorpusError:
        save()
        raise


def progress_bar(**options: Any) -> tqdm[Any]:
    """A bar on stderr that counts pages, unless the options for tqdm name another unit."""
    return tqdm(**{"unit": " pages", "dynamic_ncols": True, "mininterval": 0.5, "file": sys.stderr} | options)


@dataclass
class Place:
    """The position of a load: `rows` of file `file` are done, and all files before it. Saved with every checkpoint.
    digest: CRC-32 of those rows, to recognise the file. pages, bad: good and bad rows so far.
    """

    file: int = 0
    rows: int = 0
    digest: int = 0
    pages: int = 0
    bad: int = 0


def load_fever(
    paths: Sequence[Path],
    store: str,
    *,
    name: str = "",
    replace: bool = False,
    restart: bool = False,
    skip_bad: bool = False,
    limit: int | None = None,
    addresses: bool = True,
    language: str = "",
    report: Callable[[str], None] = print,
    progress: Progress | None = None,
) -> tuple[CorpusInfo, int]:
    """Load dump files into the store and switch readers to the result. Returns its description, and how many lines and
    pages were left out.

    Resumes where an earlier call with the same files ended. addresses: whether the pages are Wikipedia's, as FEVER's
    are, so that their titles give their addresses. Raises CorpusError at the first bad line unless `skip_bad`; the next
    call resumes there.
    """
    sources = find_sources(paths)
    job = describe_job(sources, replace, limit)
    with open_writer(store, job, replace=replace, restart=restart, report=report, language=language) as writer:
        place = Place(**(writer.position or {}))
        if writer.position:
            report(f"Resuming after {place.pages:,} pages.")

        def on_bad_row(row: Row) -> None:
            sentence = f"{sources[row.file].name}, line {row.rows}: {row.fault}"
            if not skip_bad:
                raise CorpusError(f"{sentence}. Repair the line, or skip such lines with `--skip-bad`.")
            report(sentence)

        with saving(lambda: writer.checkpoint(vars(place)), lambda: f"{place.pages:,} pages"):
            _load(writer, sources, place, limit, addresses, on_bad_row, progress)
        if not place.pages:
            raise CorpusError("The files contain no page; the corpus is unchanged. Name the dump's files.")
        card = writer.finish(name or _default_name(paths), language)
        writer.retire()
        return card, place.bad + writer.rejected


def describe_job(sources: Sequence[Source], replace: bool, limit: int | None) -> str:
    """A name for a load, by which the next call recognises an unfinished one."""
    files = [f"{source.path.resolve()}:{source.member}" for source in sources]
    paths = list(dict.fromkeys(str(source.path.resolve()) for source in sources))
    listed = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    digest = hashlib.sha256("\n".join(files).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"fever {listed}, list {digest}{', replace' if replace else ''}{f', limit {limit}' if limit else ''}"


def _default_name(paths: Sequence[Path]) -> str:
    name = paths[0].resolve().name.encode("utf-8", "replace").decode()
    return name if len(paths) == 1 else f"{name} and {len(paths) - 1} more"


def _load(
    writer: CorpusWriter,
    sources: Sequence[Source],
    place: Place,
    limit: int | None,
    addresses: bool,
    on_bad_row: Callable[[Row], None],
    progress: Progress | None,
) -> None:
    saved = time.monotonic()
    rows = read_rows(sources, place.file, place.rows, place.digest, addresses, writer.prepare)
    with progress_bar(total=limit, initial=place.pages, unit_scale=True, smoothing=0.1) as bar, closing(rows):
        for row in rows:
            if limit is not None and place.pages >= limit:
                break
            if row.fault:
                on_bad_row(row)
            added = writer.add((row.page,)) if row.page is not None else 0
            bad = place.bad + bool(row.fault)
            # The row counts as done only now, by one assignment, so that Ctrl-C cannot leave half a position.
            place.file, place.rows, place.digest, place.pages, place.bad = *row[:3], place.pages + added, bad
            if row.rows and row.rows % ROWS_A_LOOK == 0:
                _show(bar, place, len(sources), progress)
                if time.monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS:
                    writer.checkpoint(vars(place))
                    saved = time.monotonic()
        _show(bar, place, len(sources), progress)


def _show(bar: tqdm[Any], place: Place, files: int, progress: Progress | None) -> None:
    """Update the bar. After the first whole file, the total is estimated from the files read so far."""
    if place.file and (bar.total is None or (bar.total and place.file < files)):
        bar.total = max(int(place.pages * files / (place.file + 0.5)), place.pages)
    bar.update(place.pages - bar.n)
    if progress:
        progress("load", place.pages, bar.total, place.pages)


def load_documents(
    paths: Sequence[Path],
    store: str,
    *,
    name: str = "",
    replace: bool = False,
    restart: bool = False,
    language: str = "",
    report: Callable[[str], None] = print,
) -> tuple[CorpusInfo, int]:
    """Add your own documents to the store, replacing those that were loaded before. Returns its description, and how
    many files could not be read or pages were rejected.

    language: of all documents; if empty, each document's language is detected, and the languages that the corpus
    declares are reported. Raises CorpusError, leaving the store unchanged, if no file could be read.
    """
    from indexing.documents import declared_languages, document_of, language_of_pages, read_documents

    unread, by_language = 0, Counter[str]()

    def on_error(path: Path, why: str) -> None:
        nonlocal unread
        unread += 1
        report(f"{path}: {why}.")

    # After an interruption, the next call starts over, because there are no checkpoints; readers see the previous
    # corpus.
    before = None if replace else open_if_loaded(store)
    card = before.info() if before else None
    # The language decides stemmer and ends of sentences before the first page is written, so the beginning is read
    # twice.
    code = language or (card.language if card else language_of_pages(read_documents(paths, lambda *_: None)))
    with open_writer(store, "documents", replace=replace, restart=restart, report=report, language=code) as writer:
        pages = read_documents(paths, on_error, find_language(code), lambda path, note: report(f"{path}: {note}."))
        with progress_bar() as bar:
            for document, parts in itertools.groupby(pages, lambda page: document_of(page.id)):
                bar.set_postfix_str(document.rpartition("/")[2], refresh=False)
                document_pages = list(parts)
                count = writer.add(document_pages)
                by_language["" if language else language_of_pages(document_pages)] += count
                writer.remove(_stale_parts(before, document, count))
                bar.update(count)
        if not by_language.total():
            raise CorpusError("None of the files could be read; the corpus is unchanged. Repair or convert them.")
        declared = language or declared_languages(by_language, card)
        report(_languages_found(by_language, declared))
        card = writer.finish(name or _name_with(card, _default_name(paths)), declared)
        writer.retire()
        return card, unread + writer.rejected


def _languages_found(pages: Mapping[str, int], declared: str) -> str:
    """A sentence on the detected languages and on what the corpus declares. pages: their number by code."""
    languages = [f"{number:,} in {find_language(code).name}" for code, number in sorted(pages.items()) if code]
    detected = f"Languages of the new pages, as detected: {', '.join(languages)}. " if languages else ""
    states = f"declares {find_language(declared).name}" if declared else "declares no language"
    return f"{detected}The corpus {states}; `--language` with a code decides it."


def open_if_loaded(store: str) -> PageStore | None:
    """The corpus; None if nothing, or only part of a load, is there. Raises StoreError."""
    try:
        return open_store(store)
    except (StoreMissing, StoreIncomplete):
        return None


def _stale_parts(before: PageStore | None, document: str, parts: int) -> list[str]:
    """Ids of parts that a document no longer has."""
    stale: list[str] = []
    while before:
        first = parts + 1 + len(stale)
        loaded = before.get([f"{document}#{number}" for number in range(first, first + PARTS_A_GET)])
        stale += loaded
        if len(loaded) < PARTS_A_GET:
            break
    return stale


def _name_with(before: CorpusInfo | None, added: str) -> str:
    known = before.name if before else ""
    return known if added in known else f"{known} and {added}" if known else added
