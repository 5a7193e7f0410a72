"""What stands in the margins of printed pages: running heads, page numbers, notes at the foot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from retrieval.text.files.pdf.columns import Line

OUTERMOST = 3  # lines at the top and at the foot of a page that may be in its margins
SMALL = 0.93  # of the height of most letters: smaller ones at the foot of a column are notes
NOTE_GAP = 1.5  # between a text and its notes, in letters' heights

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?i)(?:page|pages|p\.|pp\.|seite|s\.|página|pagina)?\s*[-–—|\[(]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|\])]?"
    r"(?:\s*(?:/|of|von|de|sur|di)\s*\d{1,4})?"
)
_LABEL = re.compile(r"(?:\d{1,2}|[*†‡§¶]{1,2})\s+[^\W\d_]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+\s?\S|[*†‡§¶]\S")


@dataclass
class PrintedPage:
    """columns: the lines of its text. apart: paragraphs that belong to no sentence on it, such as its running head."""

    columns: list[list[Line]]
    apart: list[str] = field(default_factory=list)


def set_margins_apart(pages: Sequence[list[list[Line]]]) -> list[PrintedPage]:
    """The pages without page numbers and running heads; of these the first of each kind stays, apart."""
    edges = [list(_edges(columns)) for columns in pages]
    keys = Counter(key for page in edges for key in {(place, _key(line)) for place, _, line in page})
    texts: dict[tuple[str, str], set[str]] = {}
    for page in edges:
        for place, _, line in page:
            texts.setdefault((place, _key(line)), set()).add(line.text)
    told: set[tuple[str, str]] = set()
    found = []
    for columns, page in zip(pages, edges, strict=True):
        gone, apart = set(), []
        for place, outermost, line in page:
            key = (place, _key(line))
            running = keys[key] > 1 and keys[key] >= len(pages) / 8
            if running and key not in told and len(texts[key]) == 1 and not _PAGE_NUMBER.fullmatch(line.text):
                told.add(key)
                apart.append(line.text)
            if running or (outermost and _PAGE_NUMBER.fullmatch(line.text)):
                gone.add(id(line))
        left = [[line for line in column if id(line) not in gone] for column in columns]
        found.append(PrintedPage([column for column in left if column], apart))
    return found


def notes_from(column: Sequence[Line], usual: float) -> int:
    """The number of the line with which the notes at the foot of a column begin; its length if it has none. usual: the
    height of most letters of the document.
    """
    first = len(column)
    while first and column[first - 1].size < SMALL * usual:
        first -= 1
    if first == 0:
        return 0 if column and _LABEL.match(column[0].text) else len(column)
    if first < len(column):
        return first
    for number in range(len(column) - 1, 0, -1):
        gap = column[number - 1].base - column[number].base
        if gap > NOTE_GAP * column[number].size:
            return number if _LABEL.match(column[number].text) else len(column)
    return len(column)


def usual_size(pages: Sequence[Sequence[Sequence[Line]]]) -> float:
    """The height of most letters of a document."""
    sizes: Counter[float] = Counter()
    for line in (line for columns in pages for column in columns for line in column):
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _edges(columns: Sequence[Sequence[Line]]) -> Iterator[tuple[str, bool, Line]]:
    """(place, whether a page number may stand there, line) of the lines at the top and the foot of a page."""
    lines = sorted((line for column in columns for line in column), key=lambda line: -line.base)
    if len(lines) < 2:
        return
    half = min(OUTERMOST, len(lines) // 2)
    for place, outer in (("top", lines[:half]), ("foot", lines[::-1][:half])):
        for number, line in enumerate(outer):
            inner = [other for other in lines if other is not line]
            alone = min(abs(other.base - line.base) for other in inner) > NOTE_GAP * line.size / 1.2
            yield place, number == 0 and alone, line


def _key(line: Line) -> str:
    return f"{_DIGITS.sub('#', line.text.casefold())} {round(line.base / 20)}"
