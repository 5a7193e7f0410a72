"""The result of reading a file: its text, its headings, and notes on what was left out or may be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from retrieval.text.files.plain_text import SENTENCE_END, real_title, tidy
from retrieval.text.titles import fold

LONGEST_FIRST_LINE = 12  # words of a title that nothing marks as one
FEWEST_WORDS = 4  # of a sentence in a table
LARGEST_FILE = 50_000_000  # bytes; also the most XML that a .docx may unpack to

# Put before each heading until the text is tidy. Printable, because trafilatura removes other characters; punctuation
# in Markdown, so that emphasis may follow it; removed from the text that is read.
MARK = "\u2e0e"  # editorial coronis


class Converted(NamedTuple):
    """A document's text, tidied: a line is a paragraph; form feeds separate printed pages if `paged`.

    headings: numbers of the lines that are titles or names of sections. notes: on what was left out or may be wrong,
    without a full stop. date: of publication, ISO 8601, if a page of the web gives it.
    """

    title: str
    text: str
    paged: bool = False
    headings: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    date: str = ""

    def noting(self, *notes: str) -> Converted:
        """The document with these notes added; empty ones are left out."""
        return self._replace(notes=(*self.notes, *filter(None, notes)))


def with_headings(title: str, marked: str) -> Converted:
    """The document without the marks of headings. title: if known; else the first heading is the title."""
    lines: list[str] = []
    headings: list[int] = []
    for line in tidy(marked).split("\n"):
        if plain := line.replace(MARK, "").strip():
            headings += [len(lines)] if line.startswith(MARK) else []
            lines.append(plain)
    first = next(filter(None, (real_title(lines[number]) for number in headings)), "")
    return Converted(title or first, "\n".join(lines), headings=frozenset(headings))


def titled(title: str, text: str, paged: bool = False) -> Converted:
    """A document of a format without marked headings. title: if known; else the first line, if it is a title.

    The first line is a title if it equals the known one, or if it is short and lacks the full stop that later lines have.
    """
    first, *others = text.split("\n")
    short = len(first.split()) <= LONGEST_FIRST_LINE and not SENTENCE_END.search(first)
    is_title = fold(first) == fold(title) if title else short and any(map(SENTENCE_END.search, others))
    if not is_title or not fold(first):
        return Converted(title, text, paged)
    return Converted(title or real_title(first), text, paged, frozenset({0}))


def listed(things: Iterable[tuple[int, str, str]]) -> str:
    """(number, singular, plural) as words: "1 comment, 3 hidden words and 2 images"; zeros are left out."""
    said = [f"{number:,} {one if number == 1 else several}" for number, one, several in things if number]
    return " and ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))


def row_lines(cells: Sequence[Sequence[str]]) -> list[str]:
    """The row of a table as lines. cells: the paragraphs of each. A row of figures and names is one line between bars; one
    that lays out text, whose cells hold sentences or several paragraphs, gives its paragraphs.
    """
    filled = [cell for cell in cells if any(cell)]
    prose = any(len(cell) > 1 or is_sentence(cell[0]) for cell in filled)
    if prose or len(filled) < 2:
        return [line for cell in filled for line in cell if line]
    shown = (" ".join(line.strip("| ").replace("|", "/") for line in cell) for cell in cells)
    return [f"| {' | '.join(shown)} |"]


def is_sentence(text: str) -> bool:
    """Whether a cell of a table holds running text."""
    words = len(text.split())
    return words >= FEWEST_WORDS and (words > LONGEST_FIRST_LINE or bool(SENTENCE_END.search(text)))
