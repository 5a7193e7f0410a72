"""Turns your own documents (.txt .md .html .htm .pdf .docx, folders of them) into pages of a corpus.

A document is divided at ends of sentences into passages of 200 to 400 words. Each passage is a page.

A page's id is "document:FOLDER/PATH#PART", with PATH below the named folder, so loading a document again replaces its
pages. If the document has become shorter, the loader removes the parts that it no longer has (`document_of`). No id of
the encyclopedia has a colon.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from indexing.converters import CONVERTERS
from retrieval.errors import CorpusError
from retrieval.text.files.document import LARGEST_DOCUMENT, Converted
from retrieval.text.files.plain_text import SENTENCE_END
from retrieval.text.languages import AND, ENGLISH, ENGLISH_CODE, Language, find_language, several_languages
from retrieval.text.languages.detecting import READ_CHARACTERS, detect_language
from retrieval.text.sentences import passages, sentence_spans
from retrieval.types import CorpusInfo, Page

LEAST_LANGUAGE_SHARE = 0.05  # of a corpus's pages that must be in a language for the corpus to declare it
NO_EVIDENCE = (
    "which are names, not evidence, so they were left out; write what should count as evidence in ordinary paragraphs"
)
LONG_HEADING, LEAST_WORDS_WITH_STOP = 12, 3  # words of a heading that may be a sentence: in general; with a full stop
MOST_HEADINGS_SHOWN, LONGEST_HEADING_SHOWN = 3, 100  # headings in a note, and characters of each


def read_documents(
    paths: Sequence[Path],
    on_error: Callable[[Path, str], None],
    language: Language = ENGLISH,
    on_note: Callable[[Path, str], None] = lambda *_: None,
    headings: bool = False,
) -> Iterator[Page]:
    """Pages of all documents under the paths, by name within each folder, parts in reading order.

    on_error: called with each file or folder that yields no page, and the reason ("it is empty"); reading continues
    with the others. on_note: called with a file that yields pages, and a sentence on what was left out of it or may be
    wrong. headings: whether they stay in the text; a corpus must not have them, because they are not evidence. Hidden
    files, and files of other types in folders, are skipped silently.
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
            document = _converted(path)
            notes = [*document.notes, *([] if headings else filter(None, [_left_out(document)]))]
            pages = _pages(document if headings else _without_headings(document), path, key, language)
        except Exception as error:  # a parser that fails on one file must not stop the others
            on_error(path, unreadable(error))
        else:
            for note in notes:
                on_note(path, note)
            yield from pages


def unreadable(error: Exception) -> str:
    """Why a file yields no page."""
    match error:
        case CorpusError():
            return str(error)
        case OSError():
            return f"it cannot be opened: {error.strerror or error}; check its permissions"
        case MemoryError():
            return "reading it takes more memory than is allowed; split it"
    return f"its content cannot be read: {type(error).__name__}: {error}"[:300]


def language_of_pages(pages: Iterable[Page]) -> str:
    """The code of the language of the pages' beginnings, by py3langid; empty if unclear."""
    start, length = [], 0
    for page in pages:
        start.append(page.text)
        length += len(page.text)
        if length > READ_CHARACTERS:
            break
    try:
        return detect_language("\n".join(start))
    except MemoryError:
        return ""


def declared_languages(pages: Mapping[str, int], before: CorpusInfo | None) -> str:
    """The languages that a corpus declares, as `several_languages` writes them: those of at least a twentieth of its
    pages, so that a stray file does not cost all checks their verdict. pages: the number of pages by detected code,
    which is empty if unclear. before: the corpus until now; if it declares nothing, it counts as English.
    """
    counts = Counter({code: number for code, number in pages.items() if code})
    if before:
        counts[find_language(before.language).code] += before.pages
    enough = LEAST_LANGUAGE_SHARE * sum(pages.values(), before.pages if before else 0)
    codes = {part for code, number in counts.items() if number >= enough for part in code.split(AND)}
    undeclared = before is not None and not before.language and codes == {ENGLISH_CODE}
    return "" if undeclared else several_languages(sorted(codes))


def document_of(page_id: str) -> str:
    """The part that the ids of a document's pages share: all but the part number."""
    return page_id.rpartition("#")[0]


def _find(paths: Sequence[Path], on_error: Callable[[Path, str], None]) -> Iterator[tuple[Path, str]]:
    """The files to read, each with its id except the part number."""
    known = ", ".join(CONVERTERS)
    for path in paths:
        # If a folder above cannot be entered, os.path's tests return False, while Path's raise.
        if os.path.isdir(path):
            files = list(_walk(path, on_error))
            if not files:
                on_error(path, f"the folder contains no {known} file; name another")
            yield from ((file, _key(file, path)) for file in files)
        elif not os.path.exists(path):
            on_error(path, "it does not exist or cannot be reached; check the name")
        elif path.suffix.lower() not in CONVERTERS:
            on_error(path, f"its type is not one of {known}; convert it to one of them")
        else:
            yield path, _key(path, path.parent)


def _walk(folder: Path, on_error: Callable[[Path, str], None]) -> Iterator[Path]:
    def on_folder_error(error: OSError) -> None:
        on_error(Path(error.filename), f"the folder cannot be listed: {error.strerror}; check its permissions")

    for place, folders, files in os.walk(folder, onerror=on_folder_error):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        # Names that begin with "~$" are Word's lock files of open documents.
        visible = sorted(name for name in files if not name.startswith((".", "~$")))
        yield from (Path(place, name) for name in visible if Path(name).suffix.lower() in CONVERTERS)


def _key(path: Path, root: Path) -> str:
    # The folder's name comes first, so that a file has the same id whether you name the file or its folder.
    return f"document:{_readable(root.resolve().name)}/{_readable(path.relative_to(root).as_posix())}"


def _readable(name: str) -> str:
    """The name in NFC (macOS decomposes names), without bytes that are not UTF-8."""
    return unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))


def _converted(path: Path) -> Converted:
    """The text of a file. Raises CorpusError, which says what is wrong with it."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise CorpusError("it is not a regular file")
    if status.st_size > LARGEST_DOCUMENT:
        size, limit = status.st_size / 1e6, LARGEST_DOCUMENT / 1e6
        raise CorpusError(f"it has {size:,.1f} MB and at most {limit:,.0f} MB are read; split it into smaller files")
    content = path.read_bytes()
    if not content.strip():
        raise CorpusError("it is empty")
    document = CONVERTERS[path.suffix.lower()](content)
    if not document.text:
        raise CorpusError("; ".join(("it contains no text", *document.notes)))
    return document


def _without_headings(document: Converted) -> Converted:
    """The document without its headings. Raises CorpusError if it consists of nothing else."""
    if not document.headings:
        return document
    lines = document.text.split("\n")
    text = "\n".join(line for number, line in enumerate(lines) if number not in document.headings)
    if not text:
        raise CorpusError(f"it contains nothing but headings, {NO_EVIDENCE}")
    return document._replace(text=text, headings=frozenset())


def _left_out(document: Converted) -> str:
    """A note on headings that may be meant as evidence: those that end like a sentence or are as long as one, or all if
    they have more words than the text. Empty if there are none.
    """
    lines = document.text.split("\n")
    headings = [lines[number] for number in sorted(document.headings)]
    words = sum(len(heading.split()) for heading in headings)
    if 2 * words > len(document.text.split()):
        return f"it consists mostly of headings, {NO_EVIDENCE}"
    doubtful = [
        line
        for line in headings
        if len(line.split()) >= (LEAST_WORDS_WITH_STOP if SENTENCE_END.search(line) else LONG_HEADING)
    ]
    if not doubtful:
        return ""
    shown = "; ".join(f"“{line[:LONGEST_HEADING_SHOWN]}”" for line in doubtful[:MOST_HEADINGS_SHOWN])
    more = f" and {len(doubtful) - MOST_HEADINGS_SHOWN} more" if len(doubtful) > MOST_HEADINGS_SHOWN else ""
    return f"it has sentences as headings, {NO_EVIDENCE}: {shown}{more}"


def _pages(document: Converted, path: Path, key: str, language: Language) -> list[Page]:
    """All pages of one file."""
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


def _split(text: str) -> list[tuple[str, str]]:
    """The passages, each with its printed pages: ", page 3"."""
    parts, page = [], 1
    for passage in passages(text):
        if body := passage.strip():
            first = page + passage[: passage.index(body)].count("\f")
            last = first + body.count("\f")
            parts.append((body, f", page {first}" if first == last else f", pages {first}-{last}"))
        page += passage.count("\f")
    return parts
