"""Turns a claim's documents, of any type, into a knowledge file, which `check --knowledge` and uploads read.

Each line is an object with `url` (the file's name and printed page) and `url2text` (a list of paragraphs), as in
AVeriTeC's knowledge stores, which are accepted as input too. `language` is the document's language, if known.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from indexing.documents import language_of_pages, read_documents
from retrieval.errors import CorpusError
from retrieval.stores.knowledge_file import Faults, read_pages
from retrieval.text.languages import Language, find_language
from retrieval.types import Page

KNOWLEDGE_TYPES = (".json", ".jsonl")
LONGEST_KNOWLEDGE = 2_000_000  # characters of all documents together; the rest is left out and reported

TOO_LARGE = "reading it takes more memory than is allowed; split it"

Report = Callable[[str, int, Sequence[str], str], None]


def write_knowledge(
    paths: Sequence[Path],
    target: Path,
    report: Report,
    longest: int = LONGEST_KNOWLEDGE,
    begin: Callable[[], None] = lambda: None,
    language: str = "",
    headings: bool = False,
) -> int:
    """Read the files one after another into `target`; returns the number of pages written.

    begin: called before each file. report: called after each file with its name, number of pages, faults in sentences,
    and language. language: of all files; if empty, each file's language is detected, and left empty if unclear.
    headings: whether they stay in the text, see `read_documents`. Raises CorpusError if no file yields any text.
    """
    written, left = 0, longest
    with target.open("w", encoding="utf-8") as stream:
        for path in paths:
            faults: list[str] = []
            pages: list[Page] = []
            begin()
            for page in _pages(path, faults, find_language(language), headings):
                if len(page.text) > left:
                    faults.append(f"only what fits into {longest:,} characters of all documents was read; split them")
                    break
                left -= len(page.text)
                pages.append(page)
            code = language or language_of_pages(pages)
            for page in pages:
                stream.write(json.dumps(_row(page, code), ensure_ascii=False) + "\n")
            written += len(pages)
            stream.flush()  # before the file is reported, because the next one may end this process
            report(path.name, len(pages), faults, code)
    if not written:
        raise CorpusError("None of the files contains readable text. Name others.")
    return written


def limit_memory(megabytes: int | None) -> None:
    """Limit this process's memory from now on, so that a hostile file ends only this process. None: no limit."""
    import resource

    if not megabytes:
        return
    for kind, most in (
        (resource.RLIMIT_DATA, megabytes * 1_000_000),
        (resource.RLIMIT_FSIZE, megabytes * 1_000_000),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    with contextlib.suppress(OSError):  # makes the kernel end this process first if memory still runs out
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def limit_seconds(seconds: int | None) -> None:
    """Let SIGPROF end this process after so many processor seconds from now; 0 or None: never. The signal's default
    action is used, because a Python handler would wait for a call into C to return.
    """
    import signal

    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds or 0)


def end_with_parent() -> None:
    """End this process when its standard input closes, that is, when its parent has ended."""
    import os
    import threading

    def watch() -> None:
        while os.read(0, 4096):  # not through sys.stdin, whose lock would abort an interpreter that is shutting down
            pass
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _pages(path: Path, faults: list[str], language: Language, headings: bool) -> Iterator[Page]:
    if path.suffix.lower() not in KNOWLEDGE_TYPES:
        say = lambda _, fault: faults.append(fault)  # noqa: E731
        for page in read_documents([path], say, language, say, headings):
            yield _named(page, path)
        return
    met = Faults()
    found = False
    try:
        for page in read_pages(path.read_bytes(), met):
            found = True
            yield page
    except OSError as error:
        faults.append(f"it cannot be opened: {error.strerror or error}; check its permissions")
        return
    except MemoryError:
        faults.append(TOO_LARGE)
        return
    faults += met.notes(path.name)
    if not found:
        faults.append("it contains no document; it needs lines of JSON with url and url2text, a list of paragraphs")


def _named(page: Page, path: Path) -> Page:
    """The page with the file's name and printed page as its id, without the folder."""
    printed = page.source.rpartition(path.name)[2]
    return Page(f"{path.name}{printed}", page.title, page.text, page.lines)


def _row(page: Page, language: str) -> dict[str, object]:
    declared = {"language": language} if language else {}
    return {"url": page.id, **declared, "url2text": [f"(meta data) TITLE: {page.title}", *page.text.split("\n")]}
