"""Loads pages into a store, with progress, checkpoints and a report of what was left out."""

from __future__ import annotations

import hashlib
import itertools
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

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
PARTS_A_LOOK = 100


class LoadInterrupted(Exception):
    """Ctrl-C. The message says how to resume."""


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
        place = Place(**writer.position) if writer.position else Place()
        if writer.position:
            report(f"Resuming after {place.pages:,} pages.")
        try:
            _load(writer, sources, place, limit, addresses, _bad_row(skip_bad, report), progress)
        except KeyboardInterrupt:
            writer.checkpoint(vars(place))
            raise LoadInterrupted(
                f"Stopped after {place.pages:,} pages; run the same command again to resume. Readers still see the previous corpus."
            ) from None
        except CorpusError:
            writer.checkpoint(vars(place))
            raise
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


def _bad_row(skip_bad: bool, report: Callable[[str], None]) -> Callable[[str, Row], None]:
    """A handler for bad rows: it reports the row, and stops the load unless bad rows may be skipped."""

    def handle(file: str, row: Row) -> None:
        why, begins = row.fault or ("", b"")
        sentence = f"{file}, line {row.rows}: {why} ({begins.decode('utf-8', 'replace').strip()!r})"
        if not skip_bad:
            raise CorpusError(f"{sentence}. Repair the line, or skip such lines with `--skip-bad`.")
        report(sentence)

    return handle


def _load(
    writer: CorpusWriter,
    sources: Sequence[Source],
    place: Place,
    limit: int | None,
    addresses: bool,
    bad_row: Callable[[str, Row], None],
    progress: Progress | None,
) -> None:
    saved = time.monotonic()
    rows = read_rows(sources, place.file, place.rows, place.digest, addresses, writer.prepare)
    with progress_bar(place.pages, limit, progress) as bar, closing(rows):
        for row in rows:
            if limit is not None and place.pages >= limit:
                break
            if row.fault:
                bad_row(sources[row.file].name, row)
            added = writer.add((row.page,)) if row.page is not None else 0
            bad = place.bad + bool(row.fault)
            # The row counts as done only now, by one assignment, so that Ctrl-C cannot leave half a position.
            place.file, place.rows, place.digest, place.pages, place.bad = *row[:3], place.pages + added, bad
            if row.rows and row.rows % ROWS_A_LOOK == 0:
                bar.show(place, len(sources))
                if time.monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS:
                    writer.checkpoint(vars(place))
                    saved = time.monotonic()
        bar.show(place, len(sources))


class progress_bar:
    """Pages, rate and remaining time on stderr; finished files measure the work, because the number of pages is
    unknown.

    progress: called with the same figures.
    """

    def __init__(self, initial: int, limit: int | None, progress: Progress | None = None) -> None:
        self._progress = progress
        self._bar = tqdm(
            total=limit,
            initial=initial,
            unit=" pages",
            unit_scale=True,
            dynamic_ncols=True,
            mininterval=0.5,
            file=sys.stderr,
            smoothing=0.1,
        )

    def __enter__(self) -> progress_bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def show(self, place: Place, files: int) -> None:
        """Update the bar; after the first whole file, the total is estimated from the files read so far."""
        if (place.file and self._bar.total is None) or (place.file and self._bar.total and place.file < files):
            estimate = place.pages * files / (place.file + 0.5)
            self._bar.total = max(int(estimate), place.pages)
        self._bar.update(place.pages - self._bar.n)
        if self._progress:
            self._progress("load", place.pages, self._bar.total, place.pages)


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

    unread, found = 0, Counter[str]()

    def complain(path: Path, why: str) -> None:
        nonlocal unread
        unread += 1
        report(f"{path}: {why}.")

    def note(path: Path, what: str) -> None:
        report(f"{path}: {what}.")

    # After an interruption, the next call starts over, because there are no checkpoints; readers see the previous
    # corpus.
    before = None if replace else _open_if_there(store)
    card = before.info() if before else None
    # The language decides stemmer and ends of sentences before the first page is written, so the beginning is read
    # twice.
    rules = language or (card.language if card else language_of_pages(read_documents(paths, lambda *_: None)))
    with open_writer(store, "documents", replace=replace, restart=restart, report=report, language=rules) as writer:
        added = 0
        with tqdm(unit=" pages", dynamic_ncols=True, mininterval=0.5, file=sys.stderr) as bar:
            for document, parts in itertools.groupby(
                read_documents(paths, complain, find_language(rules), note), lambda page: document_of(page.id)
            ):
                bar.set_postfix_str(document.rpartition("/")[2], refresh=False)
                pages = list(parts)
                count = writer.add(pages)
                found["" if language else language_of_pages(pages)] += count
                writer.remove(_stale_parts(before, document, count))
                bar.update(count)
                added += count
        if not added:
            raise CorpusError("None of the files could be read; the corpus is unchanged. Repair or convert them.")
        declared = language or declared_languages(found, card)
        report(_spoken(found, declared))
        card = writer.finish(name or _name_with(before, _default_name(paths)), declared)
        writer.retire()
        return card, unread + writer.rejected


def _spoken(found: Mapping[str, int], declared: str) -> str:
    """A sentence on the detected languages and what the corpus declares. found: pages by code, as for
    `declared_languages`.
    """
    told = [f"{number:,} in {find_language(code).name}" for code, number in sorted(found.items()) if code]
    detected = f"Languages of the new pages, as detected: {', '.join(told)}. " if told else ""
    states = f"declares {find_language(declared).name}" if declared else "declares no language"
    return f"{detected}The corpus {states}; `--language` with a code decides it."


def _open_if_there(store: str) -> PageStore | None:
    try:
        return open_store(store)
    except (StoreMissing, StoreIncomplete):
        return None


def _stale_parts(before: PageStore | None, document: str, parts: int) -> list[str]:
    """Ids of parts that a document no longer has."""
    stale: list[str] = []
    while before:
        first = parts + 1 + len(stale)
        found = before.get([f"{document}#{number}" for number in range(first, first + PARTS_A_LOOK)])
        stale += found
        if len(found) < PARTS_A_LOOK:
            break
    return stale


def _name_with(before: PageStore | None, added: str) -> str:
    known = before.info().name if before else ""
    return known if added in known else f"{known} and {added}" if known else added
