"""Finds the margins of printed pages: running heads, page numbers, notes at the foot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from retrieval.text.files.pdf.columns import Line
from retrieval.text.files.pdf.letters import SAME_LINE

OUTERMOST = 3  # lines at the top and the foot of a page that may be in the margins
NOTE_SIZE = 0.93  # of the usual letter size; smaller letters at the foot of a column are notes
ALONE = 1.45  # font sizes between a line in the margin and the text
SHORT_HEAD = 0.6  # of the page's widest line
LONGEST_NUMBERS = 20  # digits of numbers that may be page numbers
NOTE_GAP = 1.7  # between a text and its notes, in font sizes

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?i)(?:page|pages|p\.|pp\.|seite|s\.|página|pagina)?\s*[-–—|\[(]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|\])]?"
    r"(?:\s*(?:/|of|von|de|sur|di)\s*\d{1,4})?"
)
# Lines that browsers print around a page: "11/25/26, 3:20 PM  Title" above it, "https://example.org/page 1/2" below.
_BROWSER = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?(?:\s.*)?|(?:https?|file)://\S+(?:\s+\d{1,4}/\d{1,4})?"
)
_CONTINUED = re.compile(
    r"(?i)\W{0,3}(?:(?:story )?continue[ds]|cont['’.]?d?\.?|turn|see)(?: (?:on|from|to))?,? (?:page|p\.) ?[A-Z]?-?\d{1,4}\W{0,3}"
)
GLUED = re.compile(r"\d{1,2}(?=[A-Z][a-z])")  # a note's number without its space
_LABEL = re.compile(rf"{GLUED.pattern}|(?:\d{{1,2}}|[*†‡§¶]{{1,2}})\s+[^\W\d_]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+\s?\S|[*†‡§¶]\S")


@dataclass
class PrintedPage:
    """A page without margins."""

    columns: list[list[Line]]
    apart: list[str] = field(default_factory=list)  # paragraphs outside the text, such as a chapter's running head
    heads: list[str] = field(default_factory=list)  # running heads of the whole document, which are not read


class Edge(NamedTuple):
    """A line at the top or the foot of a page."""

    place: str
    outer: int  # lines between it and the edge of the page
    line: Line
    parts: Sequence[Line]  # in each column
    alone: bool  # whether there is a gap to the next line inwards
    short: bool  # whether it is much shorter than other lines

    @property
    def key(self) -> tuple[str, str]:
        """A key that the line shares with the same line on other pages."""
        return self.place, f"{_DIGITS.sub('#', self.line.text.casefold())} {round(self.line.base / 20)}"


def set_margins_apart(pages: Sequence[list[list[Line]]]) -> list[PrintedPage]:
    """The pages without page numbers and running heads. A head on few pages is kept once, apart from the text."""
    edges = [list(_edges(columns)) for columns in pages]
    occurrences: dict[tuple[str, str], dict[int, str]] = {}
    for number, page in enumerate(edges):
        for edge in page:
            occurrences.setdefault(edge.key, {})[number] = edge.line.text
    shown: set[tuple[str, str]] = set()
    printed = []
    for number, (columns, page) in enumerate(zip(pages, edges, strict=True)):
        running = _running(page, number, occurrences)
        heads = [edge for edge in running if len({*occurrences[edge.key].values()}) == 1 and not _is_number(edge)]
        apart = [edge for edge in heads if edge.key not in shown and 2 * len(occurrences[edge.key]) < len(pages)]
        shown |= {edge.key for edge in apart}
        margins = [*running, *filter(_is_outermost_number, page)]
        gone = {id(part) for edge in margins for part in edge.parts}
        remaining = [[line for line in column if id(line) not in gone] for column in columns]
        texts = ([edge.line.text for edge in lines] for lines in (apart, heads))
        printed.append(PrintedPage([column for column in remaining if column], *texts))
    return printed


def _running(page: Sequence[Edge], number: int, occurrences: Mapping[tuple[str, str], Mapping[int, str]]) -> list[Edge]:
    """The running heads and feet of a page: lines that a nearby page has too. occurrences: edge's key -> page -> text."""
    running = []
    for place in ("top", "foot"):
        lines: list[Edge] = []
        for edge in (edge for edge in page if edge.place == place):
            others = ((step, occurrences[edge.key].get(number + step)) for step in (-2, -1, 1, 2))
            if not any(other is not None and _is_same(edge.line.text, other, step) for step, other in others):
                break
            lines.append(edge)
        # A line as close to the text as the text's lines are to each other may be text that two pages share.
        while lines and not lines[-1].alone:
            if lines[-1].outer == 0 and (lines[-1].short or len(occurrences[lines[-1].key]) > 2):
                break
            lines.pop()
        running += lines
    return running


def _is_same(text: str, other: str, step: int) -> bool:
    """Whether two lines are the same running head: their numbers are equal or count pages, unlike notes' numbers."""
    pairs = zip(_DIGITS.findall(text), _DIGITS.findall(other), strict=True)
    return all(one == two or (len(one + two) < LONGEST_NUMBERS and int(two) - int(one) == step) for one, two in pairs)


def _is_outermost_number(edge: Edge) -> bool:
    # A browser's line may be close above a large heading, and "Continued on page 4" close below the text.
    printed = bool(_BROWSER.fullmatch(edge.line.text) or _CONTINUED.fullmatch(edge.line.text))
    return edge.outer == 0 and (printed or (edge.alone and _is_number(edge)))


def _is_number(edge: Edge) -> bool:
    return bool(_PAGE_NUMBER.fullmatch(edge.line.text) or _BROWSER.fullmatch(edge.line.text))


def notes_from(column: Sequence[Line], usual: float) -> int:
    """Where the notes at the foot of a column begin; its length if it has none. usual: size of most letters, in points."""
    first = count = len(column)
    while first and column[first - 1].size < NOTE_SIZE * usual:
        first -= 1
    if 0 < first < count:
        return first
    if first:
        gaps = ((at, column[at - 1].base - column[at].base) for at in range(count - 1, 0, -1))
        first = next((at for at, gap in gaps if gap > NOTE_GAP * column[at].size), count)
    return first if first < count and _LABEL.match(column[first].text) else count


def usual_size(pages: Sequence[Sequence[Sequence[Line]]]) -> float:
    """The size of most letters in a document."""
    sizes: Counter[float] = Counter()
    for line in (line for columns in pages for column in columns for line in column):
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _edges(columns: Sequence[Sequence[Line]]) -> Iterator[Edge]:
    """The lines at the top and the foot of a page, from the edges inwards."""
    rows: list[list[Line]] = []
    for line in sorted((line for column in columns for line in column), key=lambda line: -line.base):
        if rows and rows[-1][0].base - line.base < SAME_LINE * min(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    if len(rows) < 2:
        return
    widest = max(line.x1 - line.x0 for row in rows for line in row)
    lines = [(_joined(row), row) for row in rows]
    for place, ordered in (("top", lines), ("foot", lines[::-1])):
        for number, (line, parts) in enumerate(ordered[: min(OUTERMOST, len(lines) // 2)]):
            within = ordered[number + 1][0]
            alone = abs(within.base - line.base) > ALONE * max(line.size, within.size)
            yield Edge(place, number, line, parts, alone, line.x1 - line.x0 < SHORT_HEAD * widest)


def _joined(row: Sequence[Line]) -> Line:
    """The parts of a line in a page's columns, joined."""
    parts = sorted(row, key=lambda line: line.x0)
    text = " ".join(line.text for line in parts)
    return Line(text, parts[0].x0, max(line.x1 for line in parts), row[0].base, max(line.size for line in parts))
