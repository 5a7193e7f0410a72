"""The file types that need a parser, with their readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from retrieval.text.files.document import Converted
from retrieval.text.files.pdf.reading import read_pdf
from retrieval.text.files.web_page import read_page
from retrieval.text.files.word.reading import read_word

# By file name extension. Each raises CorpusError, which says what is wrong with the file.
READERS: Mapping[str, Callable[[bytes], Converted]] = {
    ".html": read_page, ".htm": read_page, ".pdf": read_pdf, ".docx": read_word,
}  # fmt: skip
