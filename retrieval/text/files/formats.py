"""The types of files whose text has to be taken out of markup."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from retrieval.text.files.document import Converted
from retrieval.text.files.pdf.reading import read_pdf
from retrieval.text.files.web_page import read_page
from retrieval.text.files.word.reading import read_word

# By the ending of their names. Each raises CorpusError saying what is wrong with the file.
READERS: Mapping[str, Callable[[bytes], Converted]] = {
    ".html": read_page, ".htm": read_page, ".pdf": read_pdf, ".docx": read_word,
}  # fmt: skip
