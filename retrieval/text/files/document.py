"""The result of reading a file: its text, its headings, and notes on what was left out or may be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from retrieval.text.files.plain_text import SENTENCE_END, real_title, tidy
from retrieval.text.languages import ENGLISH
from retrieval.text.titles import fold

LONGEST_FIRST_LINE = 12  # words of a title without a mark
SHORTEST_IN_TABLE = 4  # words of a sentence in a table
_ENDINGS = "in on by to one it which there s".split()  # function words that may end a sentence
_OPEN = ENGLISH.function_words.difference(_ENDINGS).union("not no than about".split())
_ENDS = (".", "!", "?", ":", ";", "…", "”", '"', "»", "|")
WHITE = 245  # of 255: letters whose red, green and blue are no less count as white
LARGEST_DOCUMENT = 50_000_000  # bytes; also the limit for the unpacked XML of a .docx

# Marks headings until the text is tidied, and is removed then. It must be printable, because trafilatura removes other
# characters, and count as punctuation in Markdown, so that emphasis may follow it.
MARK = "\u2e0e"  # editorial coronis

PDF, ZIP = "a PDF", "a zip archive"
LONGEST_LEAD = 1_000  # bytes at the beginning of a file in which to look for its type
# First bytes, what they begin, and what to do.
_TYPES = (
    (b"%PDF-", PDF, "end its name in .pdf"),
    (b"{\\rtf", "an RTF file", "save it as .docx"),
    (b"PK\x03\x04", ZIP, "if it is a Word file, end its name in .docx, else send the files in it"),
)


class Converted(NamedTuple):
    """The tidied text of a document: each line is a paragraph; form feeds separate printed pages if `paged`."""

    title: str
    text: str
    paged: bool = False
    headings: frozenset[int] = frozenset()  # numbers of the lines that are titles or section headings
    notes: tuple[str, ...] = ()  # on what was left out or may be wrong, without full stops
    date: str = ""  # of publication, ISO 8601, if a web page gives it

    def noting(self, *notes: str) -> Converted:
        """The document with these notes added; empty ones are left out."""
        return self._replace(notes=(*self.notes, *filter(None, notes)))


def other_type(content: bytes, own: str = "") -> str:
    """What is wrong, if a file's first bytes are those of a type that its name does not say; else empty. own: its name's type."""
    begins = content[:LONGEST_LEAD].lstrip(b"\xef\xbb\xbf \r\n")
    for sign, name, advice in _TYPES:
        if begins.startswith(sign) and name != own:
            return f"it is {name}, not what its name says; {advice}"
    return ""


def with_headings(title: str, marked: str) -> Converted:
    """The document with its heading marks removed. title: if empty, the first heading."""
    lines: list[str] = []
    headings: list[int] = []
    for line in tidy(marked).split("\n"):
        if plain := line.replace(MARK, "").strip():
            headings += [len(lines)] if line.startswith(MARK) else []
            lines.append(plain)
    first = next(filter(None, (real_title(lines[number]) for number in headings)), "")
    return Converted(title or first, "\n".join(lines), headings=frozenset(headings))


def titled(title: str, text: str, paged: bool = False) -> Converted:
    """A document without marked headings. title: if empty, a short first line that, unlike later ones, has no full stop."""
    first, *others = text.split("\n")
    short = len(first.split()) <= LONGEST_FIRST_LINE and not SENTENCE_END.search(first)
    is_title = fold(first) == fold(title) if title else short and any(map(SENTENCE_END.search, others))
    if not is_title or not fold(first):
        return Converted(title, text, paged)
    return Converted(title or real_title(first), text, paged, frozenset({0}))


def listed(counts: Iterable[tuple[int, str, str]]) -> str:
    """Counts, as (number, singular, plural), in words: "1 comment, 3 hidden words and 2 images"; zeros are left out."""
    phrases = [f"{number:,} {singular if number == 1 else plural}" for number, singular, plural in counts if number]
    return " and ".join(filter(None, (", ".join(phrases[:-1]), *phrases[-1:])))


def row_lines(cells: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table row, from the paragraphs of each cell: one line with bars, or each paragraph if cells hold prose."""
    filled = [cell for cell in cells if any(cell)]
    prose = any(len(cell) > 1 or is_sentence(cell[0]) for cell in filled)
    if prose or len(filled) < 2:
        return [line for cell in filled for line in cell if line]
    shown = (" ".join(line.strip("| ").replace("|", "/") for line in cell) for cell in cells)
    return [f"| {' | '.join(shown)} |"]


def has_ended(line: str) -> bool:
    """Whether a line ends as a sentence, a quotation or a row of cells does."""
    return line.endswith(_ENDS)


def is_open(line: str) -> bool:
    """Whether a line ends with a word that can end neither a sentence nor a heading: "It rose from"."""
    return line.rpartition(" ")[2] in _OPEN and " " in line


def is_sentence(text: str) -> bool:
    """Whether a table cell contains running text."""
    words = len(text.split())
    return words >= SHORTEST_IN_TABLE and (words > LONGEST_FIRST_LINE or bool(SENTENCE_END.search(text)))
