"""Turns a claim's documents, of any type, into a knowledge file, which `check --knowledge` and uploads read.

Each line is an object with `url` (the file's name and printed page) and `url2text` (a list of paragraphs), as in
AVeriTeC's knowledge stores, which are accepted as input too. `language` is the document's language, if known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from indexing.documents import language_of_pages, read_documents, unreadable
from retrieval.errors import CorpusError
from retrieval.stores.knowledge_file import Faults, read_pages
from retrieval.text.languages import Language, find_language
from retrieval.types import Page

KNOWLEDGE_TYPES = (".json", ".jsonl")
LONGEST_KNOWLEDGE = 2_000_000  # characters of all documents together; the rest is left out and reported

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
    written, room = 0, longest
    with target.open("w", encoding="utf-8") as stream:
        for path in paths:
            faults: list[str] = []
            pages: list[Page] = []
            begin()
            for page in _pages(path, faults, find_language(language), headings):
                if len(page.text) > room:
                    faults.append(f"only what fits into {longest:,} characters of all documents was read; split them")
                    break
                room -= len(page.text)
                pages.append(page)
            code = language or language_of_pages(pages)
            for page in pages:
                text = [f"(meta data) TITLE: {page.title}", *page.text.split("\n")]
                row = {"url": page.id, **({"language": code} if code else {}), "url2text": text}
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            written += len(pages)
            stream.flush()  # before the file is reported, because the next one may end this process
            report(path.name, len(pages), faults, code)
    if not written:
        raise CorpusError("None of the files contains readable text. Name others.")
    return written


def _pages(path: Path, faults: list[str], language: Language, headings: bool) -> Iterator[Page]:
    if path.suffix.lower() not in KNOWLEDGE_TYPES:

        def note(_: Path, fault: str) -> None:
            faults.append(fault)

        for page in read_documents([path], note, language, note, headings):
            # The file's name and printed page, without the folder.
            yield Page(path.name + page.source.rpartition(path.name)[2], page.title, page.text, page.lines)
        return
    counts = Faults()
    any_page = False
    try:
        for page in read_pages(path.read_bytes(), counts):
            any_page = True
            yield page
    except (OSError, MemoryError) as error:
        faults.append(unreadable(error))
        return
    faults += counts.notes(path.name)
    if not any_page:
        faults.append("it contains no document; it needs lines of JSON with url and url2text, a list of paragraphs")
