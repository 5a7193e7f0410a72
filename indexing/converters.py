"""Document formats, read with Haystack's converters."""

from __future__ import annotations

import io
import logging
import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from indexing.plain_text import LINE_BREAK, SENTENCE_END, decode, real_title, tidy, unwrap
from retrieval.errors import CorpusError
from retrieval.text.files.hiding import Hiding, hidden_note, take_out_hidden
from retrieval.text.titles import fold

LARGEST_FILE = 50_000_000  # bytes; also the most XML that a .docx may unpack to
MOST_NUMBERS = 12  # of pages without text that are named
LONGEST_FIRST_LINE = 12  # words of a title that nothing marks as one
MOST_STYLES = 10  # that one may be made from: a damaged file's go round in circles
LARGEST_ARCHIVE = 4 * LARGEST_FILE  # bytes of everything in a .docx, unpacked


# Put before each heading until the text is tidy. Printable, since trafilatura removes what is not; for Markdown it is
# punctuation, so that emphasis may follow it; taken out of what is read.
MARK = "\u2e0e"  # editorial coronis


class Converted(NamedTuple):
    """A document's text, tidied: a line is a paragraph; form feeds separate printed pages if `paged`. headings: numbers
    of the lines that are titles or names of sections. notes: what is to know of the reading, without a full stop.
    """

    title: str
    text: str
    paged: bool = False
    headings: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    def noting(self, *notes: str) -> Converted:
        """With these notes, but for empty ones."""
        return self._replace(notes=(*self.notes, *filter(None, notes)))


class _Haystack(NamedTuple):
    Document: Any
    ByteStream: Any
    DocumentSplitter: Any
    converters: Any


def haystack_parts() -> _Haystack:
    from haystack import Document
    from haystack.components import converters
    from haystack.dataclasses import ByteStream

    with _absent("nltk"):
        from haystack.components.preprocessors import DocumentSplitter

    return _Haystack(Document, ByteStream, DocumentSplitter, converters)


@contextmanager
def _absent(module: str) -> Iterator[None]:
    """As if the module were not installed, unless it was imported before. Haystack's splitter imports nltk, and with it
    scipy and scikit-learn, for sentences that it is not asked to find: a second at the start of every process that reads.
    """
    imported = module in sys.modules
    if not imported:
        sys.modules[module] = None  # type: ignore[assignment]  # as Python's documentation has it
    try:
        yield
    finally:
        if not imported:
            del sys.modules[module]


def load_readers(paths: Sequence[Path]) -> None:
    """Load what reads these files, as the first of each type would; for a folder, what reads any."""
    types = {path.suffix.lower() for path in paths} & set(CONVERTERS)
    types = set(CONVERTERS) if any(map(os.path.isdir, paths)) else types
    if types:
        haystack_parts()
    for module in {_LIBRARIES[type] for type in types & set(_LIBRARIES)}:
        import_module(module)


def _convert(name: str, content: bytes | str, **options: Any) -> tuple[str, dict[str, Any]]:
    """Text and metadata from one of Haystack's converters."""
    return _run(getattr(haystack_parts().converters, name)(**options), content)


def _run(converter: Any, content: bytes | str) -> tuple[str, dict[str, Any]]:
    """Text and metadata from a converter, which only logs what goes wrong. Raises CorpusError."""
    data = content.encode() if isinstance(content, str) else content
    with _listening() as complaints:
        found = converter.run(sources=[haystack_parts().ByteStream(data)])["documents"]
    if not found:
        raise CorpusError("; ".join(f"its content is damaged: {complaint}"[:300] for complaint in complaints)
                          or "it contains no text")  # fmt: skip
    return found[0].content or "", found[0].meta


@contextmanager
def _listening() -> Iterator[list[str]]:
    """Collects errors that the converters and their libraries log, instead of showing them."""
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


def _with_headings(title: str, marked: str) -> Converted:
    """The document without the marks. title: its own; empty: its first heading is its title."""
    lines: list[str] = []
    headings: list[int] = []
    for line in tidy(marked).split("\n"):
        if plain := line.replace(MARK, "").strip():
            headings += [len(lines)] if line.startswith(MARK) else []
            lines.append(plain)
    first = next(filter(None, (real_title(lines[number]) for number in headings)), "")
    return Converted(title or first, "\n".join(lines), headings=frozenset(headings))


def _text(content: bytes, path: Path) -> Converted:
    found = decode(content)
    text, _ = _convert("TextFileToDocument", found.text)
    return _titled("", tidy(unwrap(text.replace("\f", "\n\n")))).noting(found.note())


def _titled(title: str, text: str, paged: bool = False) -> Converted:
    """A document of a format that does not tell headings. title: its own; empty: its first line, if that is a title.

    The first line is a title if it is the document's own, or short and without a full stop above lines that have one.
    """
    first, *others = text.split("\n")
    short = len(first.split()) <= LONGEST_FIRST_LINE and not SENTENCE_END.search(first)
    is_title = fold(first) == fold(title) if title else short and any(map(SENTENCE_END.search, others))
    if not is_title or not fold(first):
        return Converted(title, text, paged)
    return Converted(title or real_title(first), text, paged, frozenset({0}))


def _markdown(content: bytes, path: Path) -> Converted:
    found = decode(content)
    source = LINE_BREAK.sub("\n", found.text).replace(MARK, "")
    # Not the converter's own reading of the YAML front matter: its aliases could be made to fill the memory.
    if front := re.match(r"(?s)---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", source):
        source = source[front.end() :]
    named = re.search(r"(?m)^title:(.+)$", front[1]) if front else None
    source, heading = _one_line_each(source)
    text, _ = _convert("MarkdownToDocument", source, progress_bar=False)
    title = real_title(named[1].strip(" \"'") if named else "") or heading
    return _with_headings(title, text.replace("\f", "\n")).noting(found.note())


def _one_line_each(markdown: str) -> tuple[str, str]:
    """The Markdown with each paragraph on one line, since the converter keeps line breaks, and with headings marked; its
    first heading.
    """
    from markdown_it import MarkdownIt

    lines: list[str | None] = list(markdown.split("\n"))
    title = before = ""
    for token in MarkdownIt().enable("table").parse(markdown):
        in_heading, before = before == "heading_open", token.type
        if token.type not in ("inline", "html_block") or not token.map:
            continue
        first, last = token.map
        children = token.children or []
        if token.type == "html_block":
            lines[first:last] = [_HTML_HEADING.sub(rf"\g<0>{MARK}", line or "") for line in lines[first:last]]
            continue
        if in_heading:
            lines[first] = _marked(lines[first] or "", token.content.split("\n")[0])
            title = title or real_title("".join(child.content or " " for child in children if child.type in _WORDS))
        if in_heading or all(child.type != "hardbreak" for child in children):
            later = [(line or "").lstrip(" \t>") for line in lines[first + 1 : last]]
            lines[first:last] = [" ".join([lines[first] or "", *later]), *([None] * len(later))]
    return "\n".join(line for line in lines if line is not None), title


_WORDS = ("text", "code_inline", "softbreak")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_HTML_HEADING = re.compile(r"(?i)<h[1-6](?:\s[^<>]*)?>")


def _marked(line: str, content: str) -> str:
    """A line of Markdown with a mark before the content of its heading."""
    at = max(0, line.rfind(content))
    return f"{line[:at]}{MARK}{line[at:]}" if content else line


def _html(content: bytes, path: Path) -> Converted:
    from lxml.html import tostring  # type: ignore[import-untyped]
    from trafilatura import html2txt, load_html
    from trafilatura.settings import use_config

    found = decode(content, re.search(rb"""(?i)<meta[^>]{0,200}charset=["']?([\w-]+)""", content[:4000]))
    source = found.text
    if not re.search(r"(?i)<(?:html|body)\b", source):
        source = f"<html><body>{source}</body></html>"
    source = source.replace(MARK, "")
    tree = load_html(source)
    if tree is None:
        raise CorpusError("it contains no text")
    title, hidden = _prepare(tree, Hiding(source))
    config = use_config()
    # By default a text of less than 250 characters counts as a failure, and the fallback includes the menus.
    config["DEFAULT"]["min_extracted_size"] = "1"
    try:
        options = {"favor_recall": True, "config": config}
        page = tostring(tree, encoding="unicode")
        text, _ = _convert("HTMLToDocument", page, encoding="utf-8", extraction_kwargs=options)
    except CorpusError:
        text = "\n".join([*_taken_out(tree), html2txt(tree)])
    left_out = hidden_note(hidden) if hidden else ""
    return _with_headings(title, text.replace("\f", " ")).noting(found.note(), left_out)


def _prepare(tree: Any, page: Hiding) -> tuple[str, int]:
    """Take what a page hides out of it and mark its headings; returns its title, and how many words it hides."""
    hidden = take_out_hidden(tree, page)
    for line_break in [found for heading in tree.iter(*HEADINGS) for found in heading.iter("br")]:
        line_break.tail = f" {line_break.tail or ''}"
    tags = [*tree.iter("title"), *tree.iter("h1")]
    title = next(filter(None, (real_title(tag.text_content()) for tag in tags)), "")
    for heading in list(tree.iter(*HEADINGS)):
        words = " ".join(heading.text_content().split())
        for child in list(heading):
            heading.remove(child)
        heading.text = MARK + words
    return title, hidden


def _taken_out(tree: Any) -> list[str]:
    """The headings, which are then empty."""
    headings = list(tree.iter(*HEADINGS))
    words = [heading.text or "" for heading in headings]
    for heading in headings:
        heading.text = ""
    return words


def _pdf(content: bytes, path: Path) -> Converted:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        with _listening():
            reader = PdfReader(io.BytesIO(content))
            # Many files are encrypted only to restrict printing: the empty password opens them.
            if reader.is_encrypted and not reader.decrypt(""):
                raise CorpusError("it is protected by a password; save it without one")
            title = real_title(str(reader.metadata.title or "") if reader.metadata else "")
    except PyPdfError as error:
        raise CorpusError(f"it is not a complete PDF: {error}; copy or save it again"[:300]) from error
    written = _convert("PyPDFToDocument", content)[0]
    text = tidy(unwrap(written))
    if not text.strip():
        raise CorpusError("its pages contain no text, perhaps only pictures; run text recognition (OCR) on it first")
    return _titled(title, text, paged=True).noting(_without_text(written.split("\f")))


def _without_text(pages: Sequence[str]) -> str:
    """What to say of a PDF's pages that give no text; empty if each gives some."""
    empty = [number for number, page in enumerate(pages, 1) if not page.strip()]
    if not empty:
        return ""
    numbers = ", ".join(map(str, empty[:MOST_NUMBERS])) + (" …" if len(empty) > MOST_NUMBERS else "")
    what = f"page {numbers} contains" if len(empty) == 1 else f"{len(empty):,} pages ({numbers}) contain"
    return f"{what} no text, perhaps only pictures; run text recognition (OCR) on it to have them read"


def _docx(content: bytes, path: Path) -> Converted:
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise CorpusError("it is protected by a password or in the old .doc format; save it as .docx without one")
    try:
        members = zipfile.ZipFile(io.BytesIO(content)).infolist()
    except zipfile.BadZipFile as error:
        raise CorpusError("it is not a complete .docx file; copy or save it again") from error
    # A few kilobytes can unpack to gigabytes. Python never unpacks more of a member than its size given here.
    texts = sum(member.file_size for member in members if not member.filename.startswith("word/media/"))
    if texts > LARGEST_FILE or sum(member.file_size for member in members) > LARGEST_ARCHIVE:
        raise CorpusError(f"it unpacks to more than {LARGEST_FILE / 1e6:,.0f} MB of text; split it into smaller files")
    text, meta = _run(_marking_docx(), content)
    return _with_headings(real_title(meta["docx"]["title"] or ""), text.replace("\f", " "))


def _marking_docx() -> Any:
    """Haystack's converter for .docx, which also marks headings."""

    class Marking(haystack_parts().converters.DOCXToDocument):  # type: ignore[misc]
        def _process_links_in_paragraph(self, paragraph: Any) -> str:
            text = str(super()._process_links_in_paragraph(paragraph)).replace(MARK, "")
            return MARK + " ".join(text.split()) if text.strip() and in_heading_style(paragraph) else text

    known: dict[str | None, bool] = {
        None: False
    }  # by the id of a style; looking one up takes time linear in all styles

    def in_heading_style(paragraph: Any) -> bool:
        name = paragraph._p.style
        if name not in known:
            known[name] = _is_heading_style(paragraph.style)
        return known[name]

    return Marking()


def _is_heading_style(style: Any) -> bool:
    """Whether a style is Title, Subtitle or Heading 1 to 9, in any language of Word, or made from one."""
    for _ in range(MOST_STYLES):
        if style is None:
            return False
        if re.fullmatch(r"(?i)(sub)?title|heading [1-9]", style.name or ""):
            return True
        style = style.base_style
    return False


CONVERTERS: dict[str, Callable[[bytes, Path], Converted]] = {
    ".txt": _text, ".md": _markdown, ".html": _html, ".htm": _html, ".pdf": _pdf, ".docx": _docx,
}  # fmt: skip
_LIBRARIES = {".md": "markdown_it", ".html": "trafilatura", ".htm": "trafilatura", ".pdf": "pypdf", ".docx": "docx"}
