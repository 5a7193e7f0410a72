"""A person's own documents (.txt .md .html .htm .pdf .docx, folders of them) become pages of a corpus.

A document is cut into passages of 200 to 400 words that end where a sentence ends; each is a page. Conversion and
splitting are Haystack's; sentences are found by rules of our own, since Haystack's way needs a download.

The id of a page is "document:FOLDER/PATH#PART" with PATH below the folder that was named, so loading a document again
replaces its pages. A document that has become shorter leaves its last parts behind: whoever writes pages to a corpus
removes those whose `document_of` came again without them. No id of the encyclopedia has a colon.
"""

from __future__ import annotations

import codecs
import io
import logging
import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from retrieval.errors import CorpusError
from retrieval.types import Page

LARGEST_FILE = 50_000_000  # bytes; also the most XML that a .docx may unpack to
LARGEST_ARCHIVE = 4 * LARGEST_FILE  # bytes of everything in a .docx, unpacked
LARGEST_BLOCK = 500_000  # characters, and what is left of a paragraph, that are split at once
LONGEST_TITLE = 200  # characters
LONGEST_SENTENCE = 800  # characters; a longer one is cut at a space, so that a passage stays bounded
SMALLEST_PASSAGE, LARGEST_PASSAGE, SMALLEST_TAIL = 200, 350, 50  # words; a smaller tail joins the passage before it
_LETTERS_PER_WORD = 8  # more than in languages that part words by spaces; bounds the passages of those that do not

_log = logging.getLogger(__name__)


class Converted(NamedTuple):
    """A document's text, tidied: a line is a paragraph; form feeds part printed pages where `paged`."""

    title: str
    text: str
    paged: bool = False


# --- Files to pages


def read_documents(paths: Sequence[Path], on_error: Callable[[Path, str], None]) -> Iterator[Page]:
    """Pages of all documents under the paths, in order of name within each folder, parts in reading order.

    on_error: told each file or folder that gives no page, and why ("it is empty"); the others are read all the same.
    Hidden files, and inside folders files of other types, are passed over in silence.
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
            pages = _pages(path, key)
        except CorpusError as error:
            on_error(path, str(error))
        except OSError as error:
            on_error(path, f"it cannot be opened: {error.strerror or error}; check its permissions")
        except Exception as error:  # a parser that trips over one file must not stop the others
            on_error(path, f"its content cannot be read: {type(error).__name__}: {error}"[:300])
        else:
            yield from pages


def document_of(page_id: str) -> str:
    """What the ids of one document's pages have in common: all but the part."""
    return page_id.rpartition("#")[0]


def _find(paths: Sequence[Path], on_error: Callable[[Path, str], None]) -> Iterator[tuple[Path, str]]:
    """Files to read, each with its id but for the part."""
    known = ", ".join(_CONVERTERS)
    for path in paths:
        # os.path's tests answer False where a folder above cannot be entered; those of Path raise.
        if os.path.isdir(path):
            found = list(_walk(path, on_error))
            if not found:
                on_error(path, f"the folder holds no {known} file; name another")
            yield from ((file, _key(file, path)) for file in found)
        elif not os.path.exists(path):
            on_error(path, "it does not exist or cannot be reached; check the name")
        elif path.suffix.lower() not in _CONVERTERS:
            on_error(path, f"its type is none of {known}; convert it to one of them")
        else:
            yield path, _key(path, path.parent)


def _walk(folder: Path, on_error: Callable[[Path, str], None]) -> Iterator[Path]:
    def complain(error: OSError) -> None:
        on_error(Path(error.filename), f"the folder cannot be listed: {error.strerror}; check its permissions")

    for place, folders, files in os.walk(folder, onerror=complain):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        # "~$" begins the lock files that Word leaves beside an open document.
        shown = sorted(name for name in files if not name.startswith((".", "~$")))
        yield from (Path(place, name) for name in shown if Path(name).suffix.lower() in _CONVERTERS)


def _key(path: Path, root: Path) -> str:
    # The folder's own name stands in front, so that a file has the same id whether it or its folder is named.
    return f"document:{_readable(root.resolve().name)}/{_readable(path.relative_to(root).as_posix())}"


def _readable(name: str) -> str:
    """Name in NFC (macOS keeps names decomposed) and free of bytes that are not UTF-8."""
    return unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))


def _pages(path: Path, key: str) -> list[Page]:
    """All pages of one file. Raises CorpusError saying what is wrong with it."""
    document = _CONVERTERS[path.suffix.lower()](_content(path), path)
    if not document.text:
        raise CorpusError("it holds no text")
    title = document.title or _readable(path.stem)
    parts = _split(document.text)
    pages = []
    for number, (part, printed) in enumerate(parts, 1):
        text = re.sub(r"[ \f]+", " ", re.sub(r"\s*\n\s*", "\n", part))
        lines = tuple((line, start, end) for line, (start, end) in enumerate(sentence_spans(text)))
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
    """Passages, each with the printed pages it stands on: ", page 3"."""
    haystack = _haystack()
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
    """The text cut between paragraphs, since Haystack's splitter takes time with the square of a text's length."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + LARGEST_BLOCK) + 1 or len(text)
        yield text[start:end]
        start = end


# --- Formats, through Haystack's converters


class _Haystack(NamedTuple):
    Document: Any
    ByteStream: Any
    DocumentSplitter: Any
    converters: Any


def _haystack() -> _Haystack:
    # Haystack decides when it is imported whether it will report its use to its makers.
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    from haystack import Document
    from haystack.components import converters
    from haystack.components.preprocessors import DocumentSplitter
    from haystack.dataclasses import ByteStream

    return _Haystack(Document, ByteStream, DocumentSplitter, converters)


def _convert(name: str, content: bytes | str, **options: Any) -> tuple[str, dict[str, Any]]:
    """Text and metadata from one of Haystack's converters, which only log what goes wrong."""
    haystack = _haystack()
    data = content.encode() if isinstance(content, str) else content
    with _listening() as complaints:
        found = getattr(haystack.converters, name)(**options).run(sources=[haystack.ByteStream(data)])["documents"]
    if not found:
        raise CorpusError("; ".join(f"its content is damaged: {complaint}"[:300] for complaint in complaints)
                          or "it holds no text")  # fmt: skip
    return found[0].content or "", found[0].meta


@contextmanager
def _listening() -> Iterator[list[str]]:
    """Errors that the converters and their libraries log, collected instead of shown."""
    complaints: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: complaints.extend(  # type: ignore[method-assign]
        [str(error) for error in [getattr(record, "error", None)] if error]
    )
    loggers = [logging.getLogger(name) for name in ("haystack", "pypdf", "trafilatura")]
    before = [logger.propagate for logger in loggers]
    try:
        for logger in loggers:
            logger.addHandler(handler)
            logger.propagate = False
        yield complaints
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagate


def _text(content: bytes, path: Path) -> Converted:
    text, _ = _convert("TextFileToDocument", _decode(content, path))
    return Converted("", tidy(unwrap(text.replace("\f", "\n\n"))))


def _markdown(content: bytes, path: Path) -> Converted:
    source = _LINE_BREAK.sub("\n", _decode(content, path))
    # Not the converter's own reading of the YAML in front: aliases in it could be made to fill the memory.
    if front := re.match(r"(?s)---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", source):
        source = source[front.end() :]
    named = re.search(r"(?m)^title:(.+)$", front[1]) if front else None
    source, heading = _one_line_each(source)
    text, _ = _convert("MarkdownToDocument", source, progress_bar=False)
    return Converted(_title(named[1].strip(" \"'") if named else "") or heading, tidy(text.replace("\f", "\n")))


def _one_line_each(markdown: str) -> tuple[str, str]:
    """The markdown with each paragraph on one line, since the converter keeps breaks within one; its first heading."""
    from markdown_it import MarkdownIt

    lines: list[str | None] = list(markdown.split("\n"))
    heading = ""
    for opening, token in pairwise(MarkdownIt().enable("table").parse(markdown)):
        children = token.children or []
        if token.type == "inline" and opening.type == "heading_open" and not heading:
            heading = _title("".join(child.content or " " for child in children if child.type in _WORDS))
        if token.type == "inline" and token.map and all(child.type != "hardbreak" for child in children):
            first, last = token.map
            later = [(line or "").lstrip(" \t>") for line in lines[first + 1 : last]]
            lines[first:last] = [" ".join([lines[first] or "", *later]), *([None] * len(later))]
    return "\n".join(line for line in lines if line is not None), heading


_WORDS = ("text", "code_inline", "softbreak")


def _html(content: bytes, path: Path) -> Converted:
    from trafilatura import html2txt, load_html
    from trafilatura.settings import use_config

    source = _decode(content, path, re.search(rb"""(?i)<meta[^>]{0,200}charset=["']?([\w-]+)""", content[:4000]))
    if not re.search(r"(?i)<(?:html|body)\b", source):
        source = f"<html><body>{source}</body></html>"
    config = use_config()
    # By default a text of less than 250 characters is taken for a failure, and what then comes holds the menus too.
    config["DEFAULT"]["min_extracted_size"] = "1"
    try:
        options = {"favor_recall": True, "config": config}
        text, _ = _convert("HTMLToDocument", source, encoding="utf-8", extraction_kwargs=options)
    except CorpusError:
        text = html2txt(source)
    tree = load_html(source)
    tags = [] if tree is None else [*tree.iter("title"), *tree.iter("h1")]
    title = next(filter(None, (_title(tag.text_content()) for tag in tags)), "")
    return Converted(title, tidy(text.replace("\f", " ")))


def _pdf(content: bytes, path: Path) -> Converted:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        with _listening():
            reader = PdfReader(io.BytesIO(content))
            # Many files are encrypted against printing only: the empty password opens them.
            if reader.is_encrypted and not reader.decrypt(""):
                raise CorpusError("it is protected by a password; save it without one")
            title = _title(str(reader.metadata.title or "") if reader.metadata else "")
    except PyPdfError as error:
        raise CorpusError(f"it is not a whole PDF: {error}; copy or save it again"[:300]) from error
    text = tidy(unwrap(_convert("PyPDFToDocument", content)[0]))
    if not text.strip():
        raise CorpusError("its pages hold no text, only pictures perhaps; run text recognition (OCR) over it first")
    return Converted(title, text, paged=True)


def _docx(content: bytes, path: Path) -> Converted:
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise CorpusError("it is protected by a password or in the old .doc format; save it as .docx without one")
    try:
        members = zipfile.ZipFile(io.BytesIO(content)).infolist()
    except zipfile.BadZipFile as error:
        raise CorpusError("it is not a whole .docx file; copy or save it again") from error
    # A few kilobytes can unpack to gigabytes. Python never unpacks more of a member than its size given here.
    texts = sum(member.file_size for member in members if not member.filename.startswith("word/media/"))
    if texts > LARGEST_FILE or sum(member.file_size for member in members) > LARGEST_ARCHIVE:
        raise CorpusError(f"it unpacks to more than {LARGEST_FILE / 1e6:,.0f} MB of text; split it into smaller files")
    text, meta = _convert("DOCXToDocument", content)
    return Converted(_title(meta["docx"]["title"] or ""), tidy(text.replace("\f", " ")))


_CONVERTERS: dict[str, Callable[[bytes, Path], Converted]] = {
    ".txt": _text, ".md": _markdown, ".html": _html, ".htm": _html, ".pdf": _pdf, ".docx": _docx,
}  # fmt: skip


# --- Bytes to tidy text

_BYTE_ORDER_MARKS = (  # UTF-32 first, since its mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_LIST_SIGN = re.compile(r"[-*•–·▪]\s|\(?(?:\d{1,3}|[a-z])[.)]\s")
_LINE_BREAK = re.compile("\r\n?|[\x0b\x85\u2028\u2029]")
_SPACE = re.compile(r"[^\S\n\f]+")
# Controls, invisible joiners that break words for search, signs that turn the reading direction, lone surrogates.
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
# What editors write into a file's title when nobody gave it one.
_NO_TITLE = {"untitled", "untitled document", "document", "document1", "word document", "microsoft word"}


def _decode(content: bytes, path: Path, declared: re.Match[bytes] | None = None) -> str:
    """Text of a file: by its byte order mark, as UTF-8, as it declares itself, or as Windows-1252."""
    marked = [encoding for mark, encoding in _BYTE_ORDER_MARKS if content.startswith(mark)][:1]
    # Browsers, too, take Latin-1 for its superset Windows-1252.
    own = [name for name in [declared[1].decode().lower()] if name not in ("iso-8859-1", "latin-1")] if declared else []
    for encoding in marked or ["utf-8", *own, "cp1252"]:
        try:
            text = content.decode(encoding)
        except (UnicodeError, LookupError):
            continue
        if len(re.findall(r"[\x00-\x08\x0e-\x1f\x7f]", text[:100_000])) > len(text[:100_000]) / 10:
            raise CorpusError("it holds binary data, not text; save it as text in UTF-8")
        if encoding == "cp1252":
            _log.warning("%s is not UTF-8; read as Windows-1252, check its accents.", path)
        return text
    raise CorpusError(f"it is not {' or '.join(marked) or 'UTF-8 or Windows-1252'} text; save it as UTF-8")


def tidy(text: str) -> str:
    """NFC text without control characters, single spaces, a line a paragraph, no empty lines. Idempotent."""
    text = _CONTROL.sub("", _LINE_BREAK.sub("\n", text)).translate(_LIGATURES)
    lines = (line.strip(" ") for line in _SPACE.sub(" ", unicodedata.normalize("NFC", text)).split("\n"))
    return "\n".join(line for line in lines if line).strip("\n ")


def unwrap(text: str) -> str:
    """Join the lines of paragraphs that were broken to fit a page, and words parted by a hyphen there.

    A form feed becomes a line of its own, or stands for the space where a sentence goes on to the next page.
    """
    lines = _LINE_BREAK.sub("\n", text).replace("\f", "\n\f\n").split("\n")
    lines = [line if line == "\f" else line.strip() for line in lines]
    width = _width(lines)
    if not width:
        return "\n".join(lines)
    pieces, before, blank, pages = [""], "", False, ""
    for line in lines:
        if line in ("", "\f"):
            blank, pages = blank or not line, pages + line
            continue
        goes_on = line[0].islower() if pages or len(before) < 0.7 * width else line[0].isalnum()
        parted = before.endswith((".", "!", "?", ":")) if pages else blank
        if not before or parted or not goes_on or _LIST_SIGN.match(line):
            pieces.append(f"\n{pages}\n" if pages else "\n")
        elif before[-1] == "-" and before[-2:-1].isalpha() and line[0].islower():
            pieces[-1] = pieces[-1][:-1]
            pieces.append(pages)
        else:
            pieces.append(pages or " ")
        pieces.append(line)
        before, blank, pages = line, False, ""
    return "".join(pieces)


def _width(lines: list[str]) -> int:
    """Characters at which lines were broken; 0 where they were not, as in lists, verse and one line a paragraph."""
    widths = sorted(len(line) for line in lines if line.strip())
    width = widths[len(widths) * 9 // 10] if widths else 0
    firsts = [line[0] for before, line in pairwise(lines) if before.strip() and line.strip()]
    later = [first.isalpha() and not first.isupper() for first in firsts]
    # In English prose two broken lines of three go on in lower case, in German one of two.
    return width if 40 <= width <= 200 and sum(later) > 0.3 * len(later) else 0


def _title(title: str) -> str:
    """Title on one line; empty where it says nothing."""
    title = re.sub(r"^Microsoft (Word|PowerPoint) - ", "", tidy(title).replace("\n", " "))
    return "" if title.casefold() in _NO_TITLE else title[:LONGEST_TITLE].strip()


# --- Sentences and passages

_STOP = re.compile(r"""(?<![.!?…])(?P<sign>[.!?…]+)["'”’»)\]]*\s+(?=\S)|[。！？｡]+[」』”’）]*\s*""")
_LAST_WORD = re.compile(r"[\w.&'’-]*\Z")
_NEXT_WORD = re.compile(r"""["'“‘«(\[¿¡]*(?P<word>[\w'’]*)(?P<dot>\.?)""")
_BEFORE_NAME = re.compile(  # never the end of a sentence
    r"mrs?|ms|dr|prof|st|mt|messrs|mme|mlle|gen|col|maj|capt|lt|sgt|cpl|pvt|adm|cmdr|rev|fr|hon|gov|sen|rep|supt|"
    r"e\.g|i\.e|cf|viz|vs?|ca|approx"
)
_BEFORE_NUMBER = re.compile(r"nos?|pp?|vols?|figs?|chap|ch|sec|art|eq|[cbdr]|fl")  # not the end where one follows
_PERHAPS = re.compile(  # the end only where the next word is one that begins sentences and seldom names
    r"inc|ltd|co|corp|bros|jr|sr|etc|al|ed|jan|feb|aug|sept|oct|nov|ave|blvd|rd|dept|univ|est|"
    r"[ap]\.m|ph\.d|[mb]\.[ad]|u\.[skn]|u\.s\.a|e\.u|d\.c|b\.c|a\.d|[^\W\d_]"
)
_BEGINS = re.compile(
    r"the|an?|this|that|these|those|its?|he|his|s?he|her|they|their|we|our|i|your?|there|here|in|on|at|as|by|for|from|"
    r"with|after|before|during|since|until|when|while|where|although|because|if|but|and|or|however|moreover|both|each|"
    r"some|many|most|such|other|another|all|not?|what|who|why|how"
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Half-open offsets of the sentences, in order; together they hold every character that is not a space."""
    spans: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"[^\n]+", text):
        start = paragraph.start()
        for stop in _STOP.finditer(text, start, paragraph.end()):
            if _ends(text, start, stop):
                spans.extend(_bounded(text, start, stop.end()))
                start = stop.end()
        spans.extend(_bounded(text, start, paragraph.end()))
    return spans


def _ends(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the sentence that begins at `start` ends with the sign found."""
    if stop["sign"] is None:  # a full stop of East Asia needs no space
        return True
    following = _NEXT_WORD.match(text, stop.end())
    next_word, dot = following.group("word", "dot") if following else ("", "")
    if next_word[:1].islower():
        return False
    if stop["sign"] != ".":
        return True
    before = text[max(start, stop.start() - 40) : stop.start()].lstrip()
    last = _LAST_WORD.search(before)
    word = last.group().casefold() if last else ""
    if _BEFORE_NAME.fullmatch(word) or (word.isdecimal() and word == before):  # "1. Introduction"
        return False
    if _BEFORE_NUMBER.fullmatch(word) and next_word[:1].isdecimal():
        return False
    if _PERHAPS.fullmatch(word):
        # "J. K. Rowling" goes on, "Plan B. The next" does not.
        return _BEGINS.fullmatch(next_word.casefold()) is not None and not dot
    return True


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Pieces of text[start:end] of at most LONGEST_SENTENCE characters, without spaces around them."""
    while start < end:
        if text[start].isspace():
            start += 1
            continue
        cut = end
        if end - start > LONGEST_SENTENCE:
            cut = text.rfind(" ", start, start + LONGEST_SENTENCE)
            cut = cut if cut > start else start + LONGEST_SENTENCE
        if piece := text[start:cut].rstrip():
            yield start, start + len(piece)
        start = cut


def passages(text: str) -> list[str]:
    """The text cut before sentences: joined again, the passages are the text.

    A passage ends with its paragraph once it has SMALLEST_PASSAGE words, else before it would exceed LARGEST_PASSAGE.
    """
    starts, sizes, last = [0], [0], 0
    for start, end in sentence_spans(text):
        size = max(len(text[start:end].split()), (end - start) // _LETTERS_PER_WORD)
        full = sizes[-1] + size > LARGEST_PASSAGE
        if sizes[-1] and (full or (sizes[-1] >= SMALLEST_PASSAGE and "\n" in text[last:start])):
            starts.append(start)
            sizes.append(0)
        sizes[-1] += size
        last = end
    if len(sizes) > 1 and sizes[-1] < SMALLEST_TAIL:
        starts.pop()
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]
