"""The readers of each type of file; those of plain text and Markdown are Haystack's converters."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from retrieval.errors import CorpusError
from retrieval.text.files.charsets import decode
from retrieval.text.files.document import MARK, Converted, titled, with_headings
from retrieval.text.files.formats import READERS
from retrieval.text.files.plain_text import LINE_BREAK, real_title, tidy, unwrap


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
    """Hides a module, as if it were not installed, unless it was imported before. Haystack's splitter imports nltk, and with it
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
    loggers = [logging.getLogger(name) for name in ("haystack",)]
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


def _text(content: bytes) -> Converted:
    found = decode(content)
    text, _ = _convert("TextFileToDocument", found.text)
    return titled("", tidy(unwrap(text.replace("\f", "\n\n")))).noting(found.note())


def _markdown(content: bytes) -> Converted:
    found = decode(content)
    source = LINE_BREAK.sub("\n", found.text).replace(MARK, "")
    # The converter must not read the YAML front matter: hostile aliases in it could fill the memory.
    if front := re.match(r"(?s)---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", source):
        source = source[front.end() :]
    named = re.search(r"(?m)^title:(.+)$", front[1]) if front else None
    source, heading = _one_line_each(source)
    text, _ = _convert("MarkdownToDocument", source, progress_bar=False)
    title = real_title(named[1].strip(" \"'") if named else "") or heading
    return with_headings(title, text.replace("\f", "\n")).noting(found.note())


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
_HTML_HEADING = re.compile(r"(?i)<h[1-6](?:\s[^<>]*)?>")


def _marked(line: str, content: str) -> str:
    """A line of Markdown with a mark before the content of its heading."""
    at = max(0, line.rfind(content))
    return f"{line[:at]}{MARK}{line[at:]}" if content else line


CONVERTERS: dict[str, Callable[[bytes], Converted]] = {".txt": _text, ".md": _markdown, **READERS}
_LIBRARIES = {
    ".md": "markdown_it",
    ".html": "trafilatura",
    ".htm": "trafilatura",
    ".pdf": "pypdfium2",
    ".docx": "lxml.etree",
}
