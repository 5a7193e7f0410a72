"""Reads PDFs: PDFium gives letters and their positions; this folder finds lines, columns, paragraphs and margins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from retrieval.errors import CorpusError
from retrieval.text.files.document import PDF, Converted, listed, other_type, titled
from retrieval.text.files.pdf.columns import Line, columns
from retrieval.text.files.pdf.letters import read_letters
from retrieval.text.files.pdf.margins import PrintedPage, set_margins_apart
from retrieval.text.files.pdf.paragraphs import paragraphs_of
from retrieval.text.files.plain_text import real_title, tidy
from retrieval.text.files.word.parts import without_private

_BULLET = re.compile("^[\ue000-\uf8ff] ", re.MULTILINE)  # a symbol font's bullet, which other fonts lack
_LEFT_OUT = (("hidden", "hidden"), ("struck", "struck-out"))  # reasons, in a note
MOST_NUMBERS = 12  # of pages without text, in a note


def read_pdf(content: bytes) -> Converted:
    """The text of a PDF, `paged`. Raises CorpusError, which says what is wrong with it."""
    with _opened(content) as document:
        title = real_title(document.get_metadata_value("Title"))
        left_out: Counter[str] = Counter()
        found = [_page(document, number, left_out) for number in range(len(document))]
    pages = set_margins_apart([page for page, _ in found])
    for page, (_, aside) in zip(pages, found, strict=True):
        page.apart += aside
    text = without_private(_BULLET.sub("", tidy(paragraphs_of(pages))), "Symbol")
    if not text.strip():
        raise CorpusError("its pages contain no text, perhaps only pictures; run text recognition (OCR) on it first")
    converted = titled(title, text, paged=True)
    head = next((real_title(head) for page in pages for head in page.heads), "")
    converted = converted._replace(title=converted.title or head)
    counts = ((left_out[kind], f"{name} word", f"{name} words") for kind, name in _LEFT_OUT)
    return converted.noting(f"left out: {listed(counts)}" if left_out.total() else "", _without_text(pages))


def _page(document: Any, number: int, left_out: Counter[str]) -> tuple[list[list[Line]], list[str]]:
    import pypdfium2  # type: ignore[import-untyped]

    try:
        with closing(document[number]) as page:
            pieces, aside = read_letters(page, left_out)
    except pypdfium2.PdfiumError:
        return [], []  # a damaged page counts as one without text
    return columns(pieces), aside


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    import pypdfium2

    if wrong := other_type(content, PDF):
        raise CorpusError(wrong)
    try:
        document = pypdfium2.PdfDocument(content)
        pages = len(document)
    except pypdfium2.PdfiumError as error:
        # Many files are encrypted only to restrict printing: PDFium opens them without a password.
        if "password" in str(error).lower():
            raise CorpusError("it is protected by a password; save it without one") from error
        why = str(error).rstrip(".")[:200]
        raise CorpusError(f"it is not a complete PDF: {why}; copy or save it again") from error
    with closing(document):
        if not pages:
            raise CorpusError("it is not a complete PDF: it has no pages; copy or save it again")
        yield document


def _without_text(pages: Sequence[PrintedPage]) -> str:
    """A note on pages without text; empty if every page has some."""
    empty = [number for number, page in enumerate(pages, 1) if not page.columns and not page.apart]
    if not empty:
        return ""
    numbers = ", ".join(map(str, empty[:MOST_NUMBERS])) + (" …" if len(empty) > MOST_NUMBERS else "")
    subject = f"page {numbers} contains" if len(empty) == 1 else f"{len(empty):,} pages ({numbers}) contain"
    return f"{subject} no text, perhaps only pictures; run text recognition (OCR) on it to have them read"
