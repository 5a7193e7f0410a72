"""Document formats, read with Haystack's converters."""

from __future__ import annotations

import io
import logging
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from indexing.plain_text import LINE_BREAK, decode, real_title, tidy, unwrap
from retrieval.errors import CorpusError

LARGEST_FILE = 50_000_000  # bytes; also the most XML that a .docx may unpack to
LARGEST_ARCHIVE = 4 * LARGEST_FILE  # bytes of everything in a .docx, unpacked


class Converted(NamedTuple):
    """A document's text, tidied: a line is a paragraph; form feeds separate printed pages if `paged`."""

    title: str
    text: str
    paged: bool = False


class _Haystack(NamedTuple):
    Document: Any
    ByteStream: Any
    DocumentSplitter: Any
    converters: Any


def haystack_parts() -> _Haystack:
    # Haystack decides on import whether to send telemetry.
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    from haystack import Document
    from haystack.components import converters
    from haystack.components.preprocessors import DocumentSplitter
    from haystack.dataclasses import ByteStream

    return _Haystack(Document, ByteStream, DocumentSplitter, converters)


def load_readers() -> None:
    """Load the converters, as the first document would."""
    haystack_parts()
    import docx  # noqa: F401
    import markdown_it  # noqa: F401
    import pypdf  # noqa: F401
    import trafilatura  # noqa: F401


def _convert(name: str, content: bytes | str, **options: Any) -> tuple[str, dict[str, Any]]:
    """Text and metadata from one of Haystack's converters, which only log what goes wrong."""
    haystack = haystack_parts()
    data = content.encode() if isinstance(content, str) else content
    with _listening() as complaints:
        found = getattr(haystack.converters, name)(**options).run(sources=[haystack.ByteStream(data)])["documents"]
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


def _text(content: bytes, path: Path) -> Converted:
    text, _ = _convert("TextFileToDocument", decode(content, path))
    return Converted("", tidy(unwrap(text.replace("\f", "\n\n"))))


def _markdown(content: bytes, path: Path) -> Converted:
    source = LINE_BREAK.sub("\n", decode(content, path))
    # Not the converter's own reading of the YAML front matter: its aliases could be made to fill the memory.
    if front := re.match(r"(?s)---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", source):
        source = source[front.end() :]
    named = re.search(r"(?m)^title:(.+)$", front[1]) if front else None
    source, heading = _one_line_each(source)
    text, _ = _convert("MarkdownToDocument", source, progress_bar=False)
    return Converted(real_title(named[1].strip(" \"'") if named else "") or heading, tidy(text.replace("\f", "\n")))


def _one_line_each(markdown: str) -> tuple[str, str]:
    """The Markdown with each paragraph on one line, since the converter keeps line breaks; its first heading."""
    from markdown_it import MarkdownIt

    lines: list[str | None] = list(markdown.split("\n"))
    heading = ""
    for opening, token in pairwise(MarkdownIt().enable("table").parse(markdown)):
        children = token.children or []
        if token.type == "inline" and opening.type == "heading_open" and not heading:
            heading = real_title("".join(child.content or " " for child in children if child.type in _WORDS))
        if token.type == "inline" and token.map and all(child.type != "hardbreak" for child in children):
            first, last = token.map
            later = [(line or "").lstrip(" \t>") for line in lines[first + 1 : last]]
            lines[first:last] = [" ".join([lines[first] or "", *later]), *([None] * len(later))]
    return "\n".join(line for line in lines if line is not None), heading


_WORDS = ("text", "code_inline", "softbreak")


def _html(content: bytes, path: Path) -> Converted:
    from trafilatura import html2txt, load_html
    from trafilatura.settings import use_config

    source = decode(content, path, re.search(rb"""(?i)<meta[^>]{0,200}charset=["']?([\w-]+)""", content[:4000]))
    if not re.search(r"(?i)<(?:html|body)\b", source):
        source = f"<html><body>{source}</body></html>"
    config = use_config()
    # By default a text of less than 250 characters counts as a failure, and the fallback includes the menus.
    config["DEFAULT"]["min_extracted_size"] = "1"
    try:
        options = {"favor_recall": True, "config": config}
        text, _ = _convert("HTMLToDocument", source, encoding="utf-8", extraction_kwargs=options)
    except CorpusError:
        text = html2txt(source)
    tree = load_html(source)
    tags = [] if tree is None else [*tree.iter("title"), *tree.iter("h1")]
    title = next(filter(None, (real_title(tag.text_content()) for tag in tags)), "")
    return Converted(title, tidy(text.replace("\f", " ")))


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
    text = tidy(unwrap(_convert("PyPDFToDocument", content)[0]))
    if not text.strip():
        raise CorpusError("its pages contain no text, perhaps only pictures; run text recognition (OCR) on it first")
    return Converted(title, text, paged=True)


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
    text, meta = _convert("DOCXToDocument", content)
    return Converted(real_title(meta["docx"]["title"] or ""), tidy(text.replace("\f", " ")))


CONVERTERS: dict[str, Callable[[bytes, Path], Converted]] = {
    ".txt": _text, ".md": _markdown, ".html": _html, ".htm": _html, ".pdf": _pdf, ".docx": _docx,
}  # fmt: skip
