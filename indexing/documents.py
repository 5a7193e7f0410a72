"""Turns your own documents (.txt .md .html .htm .pdf .docx, folders of them) into pages of a corpus.

A document is cut into passages of 200 to 400 words that end where a sentence ends; each is a page. Conversion and
splitting are Haystack's; sentences are found by our own rules, since Haystack's need a download.

The id of a page is "document:FOLDER/PATH#PART" with PATH below the named folder, so loading a document again replaces
its pages. If a document has become shorter, its last parts remain: the loader removes parts of reloaded documents
(`document_of`) that did not come again. No id of the encyclopedia has a colon.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from indexing.converters import CONVERTERS, LARGEST_FILE, haystack_parts
from retrieval.errors import CorpusError
from retrieval.text.languages import ENGLISH, Language
from retrieval.text.sentences import passages, sentence_spans
from retrieval.types import Page

LARGEST_BLOCK = 500_000  # characters that are split at once, up to the end of the paragraph


def read_documents(
    paths: Sequence[Path], on_error: Callable[[Path, str], None], language: Language = ENGLISH
) -> Iterator[Page]:
    """Pages of all documents under the paths, by name within each folder, parts in reading order. on_error: called with
    each file or folder that gives no page, and why ("it is empty"); the others are still read. Hidden files, and files
    of other types inside folders, are skipped silently.
    """
    taken: dict[str, Path] = {}
    for path, key in _find(paths, on_error):
        real = path.resolve()
        if taken.get(key) == real:
            continue
        if taken.setdefault(key, real) != real:
            on_error(path, f"it would replace {taken[key]}, since both are called {key}; rename one or its folder")
            continue
        try:
            pages = _pages(path, key, language)
        except CorpusError as error:
            on_error(path, str(error))
        except OSError as error:
            on_error(path, f"it cannot be opened: {error.strerror or error}; check its permissions")
        except MemoryError:
            on_error(path, "reading it takes more memory than is allowed; split it")
        except Exception as error:  # a parser that trips over one file must not stop the others
            on_error(path, f"its content cannot be read: {type(error).__name__}: {error}"[:300])
        else:
            yield from pages


def document_of(page_id: str) -> str:
    """The common part of the ids of one document's pages: all but the part number."""
    return page_id.rpartition("#")[0]


def _find(paths: Sequence[Path], on_error: Callable[[Path, str], None]) -> Iterator[tuple[Path, str]]:
    """Files to read, each with its id without the part."""
    known = ", ".join(CONVERTERS)
    for path in paths:
        # os.path's tests answer False if a folder above cannot be entered; those of Path raise.
        if os.path.isdir(path):
            found = list(_walk(path, on_error))
            if not found:
                on_error(path, f"the folder contains no {known} file; name another")
            yield from ((file, _key(file, path)) for file in found)
        elif not os.path.exists(path):
            on_error(path, "it does not exist or cannot be reached; check the name")
        elif path.suffix.lower() not in CONVERTERS:
            on_error(path, f"its type is not one of {known}; convert it to one of them")
        else:
            yield path, _key(path, path.parent)


def _walk(folder: Path, on_error: Callable[[Path, str], None]) -> Iterator[Path]:
    def complain(error: OSError) -> None:
        on_error(Path(error.filename), f"the folder cannot be listed: {error.strerror}; check its permissions")

    for place, folders, files in os.walk(folder, onerror=complain):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        # "~$" begins the lock files that Word leaves beside an open document.
        shown = sorted(name for name in files if not name.startswith((".", "~$")))
        yield from (Path(place, name) for name in shown if Path(name).suffix.lower() in CONVERTERS)


def _key(path: Path, root: Path) -> str:
    # The folder's own name comes first, so that a file has the same id whether you name it or its folder.
    return f"document:{_readable(root.resolve().name)}/{_readable(path.relative_to(root).as_posix())}"


def _readable(name: str) -> str:
    """Name in NFC (macOS keeps names decomposed) and free of bytes that are not UTF-8."""
    return unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))


def _pages(path: Path, key: str, language: Language) -> list[Page]:
    """All pages of one file. Raises CorpusError saying what is wrong with it."""
    document = CONVERTERS[path.suffix.lower()](_content(path), path)
    if not document.text:
        raise CorpusError("it contains no text")
    title = document.title or _readable(path.stem)
    parts = _split(document.text)
    pages = []
    for number, (part, printed) in enumerate(parts, 1):
        text = re.sub(r"[ \f]+", " ", "\n".join(filter(None, map(str.strip, part.split("\n")))))
        lines = tuple((line, start, end) for line, (start, end) in enumerate(sentence_spans(text, language)))
        part_title = f"{title} (part {number} of {len(parts)})" if len(parts) > 1 else title
        source = _readable(str(path)) + (printed if document.paged else "")
        pages.append(Page(f"{key}#{number}", part_title, text, lines, source=source))
    return pages


def _content(path: Path) -> bytes:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise CorpusError("it is not a regular file")
    if status.st_size > LARGEST_FILE:
        size, limit = status.st_size / 1e6, LARGEST_FILE / 1e6
        raise CorpusError(f"it has {size:,.1f} MB and at most {limit:,.0f} MB are read; split it into smaller files")
    content = path.read_bytes()
    if not content.strip():
        raise CorpusError("it is empty")
    return content


def _split(text: str) -> list[tuple[str, str]]:
    """Passages, each with its printed pages: ", page 3"."""
    haystack = haystack_parts()
    splitter = haystack.DocumentSplitter(split_by="function", splitting_function=passages)
    parts, page = [], 0
    for block in _blocks(text):
        for part in splitter.run(documents=[haystack.Document(content=block)])["documents"]:
            body, first = part.content.strip(), page + part.meta["page_number"]
            last = first + body.count("\f")
            if body:
                parts.append((body, f", page {first}" if first == last else f", pages {first}-{last}"))
        page += block.count("\f")
    return parts


def _blocks(text: str) -> Iterator[str]:
    """The text cut between paragraphs, since Haystack's splitter takes time quadratic in a text's length."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + LARGEST_BLOCK) + 1 or len(text)
        yield text[start:end]
        start = end
