"""Finds the reading order of a printed page: its columns from left to right, each from top to bottom.

A gutter is a left edge that several lines share and no line crosses for a stretch of the page (an X-Y cut, Nagy and Seth
1984, applied to stretches instead of the whole page).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TypeVar

from retrieval.text.files.pdf.letters import LARGER, SAME_LINE, Piece, Spacing, is_initial, rows_of, spacing_of

FEWEST_LINES = 3  # in each column
SHORTEST_LINE = 10  # letters: least median of a column of text; table cells have fewer
LIKE_SPACES = 0.8  # share of a gap's width; if its line has a wider space, the gap may be a space too
NARROWEST_GUTTER = 0.6  # in font sizes
WIDE, CLOSE = 2.3, 1.6  # distances of lines in font sizes: between paragraphs, within one
STRAY = 3.5  # distance from a column to lines outside it, in font sizes
FULL = 0.85  # share of its column that a full line fills
MOST_EDGES = 8  # left edges to try
MOST_PIECES = 20_000  # on a page; a page with more is not text in columns
NOTE_APART = 1.5  # least distance between a text and a short note beside it, in font sizes
OTHER_SIZE = 0.12  # relative difference between two letter sizes
MOST_NOTES = 8  # lines of such notes on a page
ROW_GAP = 4.0  # between cells of a table, in font sizes; spaces in a justified line are narrower
_LINE_NUMBER = re.compile(r"\d{1,4}")
SPEAKER = re.compile(r"[QA][.:]?\s|[A-Z][A-Z .'’-]{1,40}:")
Item = TypeVar("Item")
RUNNING = 0.3  # share of lines that begin in lower case in running text; table cells have fewer


@dataclass(frozen=True)
class Line:
    """A line of a column. Lengths are in points."""

    text: str
    x0: float
    x1: float
    base: float  # height of the baseline above the page's foot
    size: float  # of most letters
    cells: bool = False  # whether a gap as wide as between table cells divides it


def columns(pieces: Sequence[Piece]) -> list[list[Line]]:
    """The lines of each column or stretch, in reading order."""
    if len(pieces) > MOST_PIECES:
        return [list(_lines(rows_of(pieces)))]
    rows = _without_line_numbers(rows_of(_with_first_letters(pieces)))
    return [lines for stretch in _stretches(rows) if (lines := list(_lines(stretch)))]


def _with_first_letters(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with each drop cap joined to the first of the lines beside it, which all begin where it ends."""
    found = list(pieces)
    usual_size = median(piece.size for piece in pieces) if pieces else 0
    initials = [piece for piece in pieces if piece.size > LARGER * usual_size and is_initial(piece)]
    for initial in initials[:MOST_EDGES]:
        height = initial.base - initial.size / 5, initial.base + initial.size
        beside = [piece for piece in found if LARGER * piece.size < initial.size and height[0] < piece.base < height[1]]
        beside = [piece for piece in beside if -piece.size < piece.x0 - initial.x1 < initial.size]
        if len(beside) < 2:
            continue
        first = max(beside, key=lambda piece: piece.base)
        start = first.letters[0]
        first.letters[:0] = [start._replace(sign=letter.sign, x0=start.x0, x1=start.x0) for letter in initial.letters]
        for piece in beside:
            piece.x0 = initial.x0
        found.remove(initial)
    return found


def _without_line_numbers(rows: list[list[Piece]]) -> list[list[Piece]]:
    """The rows without line numbers in the margin, on every line, also on empty ones, or on every fifth."""
    numbered = {
        at: int(row[0].text()) for at, row in enumerate(rows) if row and _LINE_NUMBER.fullmatch(row[0].text().strip())
    }
    places = [at for at in numbered if len(rows[at]) > 1]
    if len(places) < FEWEST_LINES or len({numbered[place] - place for place in places}) > 1:
        return rows
    edge = min(rows[place][1].x0 for place in places)
    runs_on = sum(_is_prose(rows[place][1]) for place in places)
    if any(rows[place][0].x1 > edge for place in places) or runs_on < RUNNING * len(places):
        return rows
    first = places[0]
    count = {at for at, number in numbered.items() if number - at == numbered[first] - first}
    return [row[1:] if at in count else row for at, row in enumerate(rows) if at not in count or len(row) > 1]


def _is_prose(line: Piece) -> bool:
    """Whether a line begins as lines of running text or a transcript do, unlike cells of a table."""
    return line.letters[0].sign.islower() or SPEAKER.match(line.text()) is not None


def _stretches(rows: Sequence[list[Piece]], depth: int = 0) -> Iterator[Sequence[list[Piece]]]:
    bands = (_band(rows, edge) for edge in _edges(rows))
    first, last, edge = max(bands, key=lambda band: band[1] - band[0], default=(0, 0, 0.0))
    if last - first < FEWEST_LINES or depth > MOST_EDGES:
        notes = list(_notes_beside(rows))
        if not notes and depth <= MOST_EDGES and (cells := _cells_beside(rows)):
            for cell in cells:
                yield from _stretches(cell, depth + 1)
            return
        aside = {id(piece) for note in notes for piece in note}
        yield rows_of(piece for row in rows for piece in row if id(piece) not in aside) if notes else rows
        yield from map(rows_of, notes)
        return
    if first:
        yield from _stretches(rows[:first], depth + 1)
    for side in (True, False):
        part = [piece for row in rows[first:last] for piece in row if _is_left(piece, edge) is side]
        yield from _stretches(rows_of(part), depth + 1)
    if last < len(rows):
        yield from _stretches(rows[last:], depth + 1)


def _cells_beside(rows: Sequence[list[Piece]]) -> list[Sequence[list[Piece]]]:
    """The rows divided wherever two sentences of two lines each stand side by side: the rows above, the left sentence, the
    right one, the rows below, and so on. Empty if there are none."""
    parts: list[Sequence[list[Piece]]] = []
    first = at = 0
    while at + 1 < len(rows):
        if sides := _sentences_beside(rows[at], rows[at + 1]):
            parts += [rows[first:at], *sides]
            first = at = at + 2
        else:
            at += 1
    return [part for part in (*parts, rows[first:]) if part] if parts else []


def _sentences_beside(upper: list[Piece], lower: list[Piece]) -> list[list[list[Piece]]]:
    """Both lines of the left sentence and of the right one; empty if the two rows hold something else."""
    for edge in (piece.x0 - 1.0 for piece in upper[1 : MOST_EDGES + 1]):
        sides = [
            [[piece for piece in row if _is_left(piece, edge) is side] for row in (upper, lower)]
            for side in (True, False)
        ]
        if all(map(_runs_on, sides)) and _is_gutter((upper, lower), edge):
            return sides
    return []


def _runs_on(lines: Sequence[Sequence[Piece]]) -> bool:
    """Whether two lines of a table cell begin at one place, and a sentence runs on from the first to the second."""
    if not all(lines):
        return False
    (first, *_), (second, *_) = lines
    text = "".join(piece.text() for piece in lines[0])
    level = abs(first.x0 - second.x0) < 2 and first.base - second.base < CLOSE * first.size
    return (
        level
        and second.letters[0].sign.islower()
        and len(text) >= SHORTEST_LINE
        and not text.rstrip().endswith((".", ":"))
    )


def _notes_beside(rows: Sequence[list[Piece]]) -> Iterator[list[Piece]]:
    """Notes of a line or two beside a running text, too short for a column."""
    pieces = [piece for row in rows for piece in row]
    edge = Counter(round(piece.x0) for piece in pieces).most_common(1)[0][0] if pieces else 0
    text = [piece for piece in pieces if abs(piece.x0 - edge) < 2]
    others = [piece for piece in pieces if abs(piece.x0 - edge) >= 2 and len(piece.letters) >= SHORTEST_LINE]
    uncapitalized = sum(piece.letters[0].sign.islower() for piece in text)
    if len(others) > MOST_NOTES or uncapitalized < max(FEWEST_LINES, RUNNING * len(text)):
        return
    notes = _split(others, lambda last, line: abs(line.x0 - last.x0) < 2 and last.base - line.base < WIDE * line.size)
    yield from (note for note in notes if len(note) < FEWEST_LINES and _is_beside(note, pieces))


def _is_beside(note: Sequence[Piece], pieces: Sequence[Piece]) -> bool:
    """Whether a note is separate from the text beside it and, if it is a single line, from the lines above and below."""
    members = set(map(id, note))
    text = [piece for piece in pieces if id(piece) not in members]
    reach = (WIDE if len(note) == 1 else SAME_LINE) * note[0].size
    near = [line for line in text if any(abs(line.base - piece.base) < reach for piece in note)]
    left, right = min(piece.x0 for piece in note), max(piece.x1 for piece in note)
    other_size = all(abs(line.size - note[0].size) > OTHER_SIZE * note[0].size for line in near)
    gap = (NARROWEST_GUTTER if other_size else NOTE_APART) * note[0].size
    return bool(near) and (left - max(line.x1 for line in near) > gap or min(line.x0 for line in near) - right > gap)


def _edges(rows: Sequence[list[Piece]]) -> list[float]:
    """Left edges that several lines share, except the leftmost."""
    places = Counter(round(piece.x0) for row in rows for piece in row)
    # Letters such as "T" and "J" begin one point further left or right than others.
    shared = {place: places[place] + places[place + 1] + places[place - 1] for place in places}
    common = [place for place, lines in shared.items() if lines >= FEWEST_LINES]
    left = min(common, default=0)
    others = [place for place in common if place > left + 2]
    return [place - 1.0 for place in sorted(others, key=lambda place: -shared[place])[:MOST_EDGES]]


def _band(rows: Sequence[list[Piece]], edge: float) -> tuple[int, int, float]:
    """(first row, one past the last, edge) of the longest stretch of rows where an edge divides two columns of text."""
    best, first = (0, 0, edge), 0
    for number, row in enumerate([*rows, []]):
        crosses = any(_is_left(piece, edge) and piece.x1 > edge - NARROWEST_GUTTER * piece.size for piece in row)
        if row and not crosses:
            continue
        start, end = _trimmed(rows, edge, first, number)
        if end - start > best[1] - best[0] and _divides(rows[start:end], edge):
            best = (start, end, edge)
        first = number + 1
    return best


def _trimmed(rows: Sequence[list[Piece]], edge: float, first: int, last: int) -> tuple[int, int]:
    """The stretch without rows above and below the right column, such as a heading or a short last line."""
    right = [number for number in range(first, last) if any(not _is_left(piece, edge) for piece in rows[number])]
    right = _without_strays(rows, right)
    if not right:
        return first, first
    start, end = right[0], right[-1] + 1
    # If the left column is longer than the right one, its lines are full; text below both begins with short lines.
    edge_of_left = max((piece.x1 for row in rows[start:end] for piece in row if _is_left(piece, edge)), default=edge)
    while end < last:
        piece, before = rows[end][-1], rows[end - 1][0]
        full = piece.x1 - rows[end][0].x0 > FULL * (edge_of_left - rows[end][0].x0)
        if before.base - piece.base > (WIDE if full else CLOSE) * piece.size:
            break
        end += 1
    return start, end


def _without_strays(rows: Sequence[list[Piece]], right: Sequence[int]) -> list[int]:
    """The right column's lines without the few beyond a gap, such as a running head and a page number."""
    groups = _split(right, lambda last, at: rows[last][-1].base - rows[at][-1].base < STRAY * rows[at][-1].size)
    large = [group for group in groups if len(group) >= FEWEST_LINES]
    return [number for number in right if large[0][0] <= number <= large[-1][-1]] if large else []


def _split(items: Iterable[Item], goes_on: Callable[[Item, Item], bool]) -> list[list[Item]]:
    """The items in order, divided into runs: a new one begins where an item does not go on from its predecessor."""
    runs: list[list[Item]] = []
    for item in items:
        if not runs or not goes_on(runs[-1][-1], item):
            runs.append([])
        runs[-1].append(item)
    return runs


def _divides(rows: Sequence[list[Piece]], edge: float) -> bool:
    sides = [[[piece for piece in row if _is_left(piece, edge) is side] for row in rows] for side in (True, False)]
    left, right = ([row for row in side if row] for side in sides)
    if min(len(left), len(right)) < FEWEST_LINES:
        return False
    lengths = (median(sum(len(piece.letters) for piece in row) for row in side) for side in (left, right))
    if min(lengths) < SHORTEST_LINE or not _is_gutter(rows, edge):
        return False
    shared_height = min(left[0][0].base, right[0][0].base) - max(left[-1][0].base, right[-1][0].base)
    return shared_height > FEWEST_LINES / 2 * median(row[0].size for row in right)


def _is_gutter(rows: Sequence[list[Piece]], edge: float) -> bool:
    """Whether the gap before an edge is wider than the spaces in most of its lines, unlike gaps in justified text."""
    spacelike = divided = 0
    begins = Counter(round(piece.x0) for row in rows for piece in row)
    for row in rows:
        sides = [piece for piece in row if _is_left(piece, edge)], [piece for piece in row if not _is_left(piece, edge)]
        if not all(sides):
            continue
        divided += 1
        between = [(before, after) for side in sides for before, after in pairwise(side)]
        # Gaps where several lines begin belong to other columns.
        spaces = [after.x0 - before.x1 for before, after in between if begins[round(after.x0)] < FEWEST_LINES]
        shown = ([letter for letter in piece.letters if letter.sign != " "] for piece in row)
        spaces += [after.x0 - before.x1 for letters in shown for before, after in pairwise(letters)]
        spacelike += max(spaces, default=0.0) > LIKE_SPACES * (sides[1][0].x0 - sides[0][-1].x1)
    return 2 * spacelike < max(1, divided)


def _is_left(piece: Piece, edge: float) -> bool:
    return piece.x0 < edge - piece.size / 5


def _lines(rows: Sequence[list[Piece]]) -> Iterator[Line]:
    spacing: Spacing | None = None
    for row in rows:
        spacing = spacing_of(row, spacing)
        if text := " ".join(" ".join(piece.text(spacing) for piece in row).split()):
            widest = max(row, key=lambda piece: len(piece.letters))
            left, right = min(piece.x0 for piece in row), max(piece.x1 for piece in row)
            cells = any(after.x0 - before.x1 > ROW_GAP * widest.size for before, after in pairwise(row))
            yield Line(text, left, right, widest.base, widest.size, cells)
