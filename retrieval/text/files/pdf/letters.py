"""Joins the letters of a printed page, as PDFium places them, to pieces of lines; rotated and slanted text is set apart."""

from __future__ import annotations

import ctypes
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

from retrieval.text.files.hyphens import SOFT_HYPHEN
from retrieval.text.files.pdf.bullets import with_bullets
from retrieval.text.files.pdf.drawings import Box, Drawings, is_white
from retrieval.text.files.raised import Run, join_runs

MOST_PAGE_LETTERS = 200_000  # on a page; no readable page has more
# In font sizes.
SAME_GAP = 0.06
WORD_GAP = 0.18  # between words, if no space was drawn
PIECE_GAP = 0.6  # between pieces of a line that may be in different columns
FEWEST_SPACED = 6  # pairs of letters needed to measure a line's spacing
SPACED_ALIKE = 0.7  # share of the pairs that must be spaced alike
WIDEST = 1.1  # letter
ON_GRID = 1.6  # times the usual step; a wider step is a space
LONGEST_FIGURE = 16  # letters that may run against the direction of their line
SAME_LINE = 0.5  # greatest difference between baselines of letters on one line
SLANTED = 0.1  # quarter turns; letters turned less far are on a line of a crooked scan
# A drop cap: how many times larger it is than the lines beside it, and its most letters, with a quotation mark.
LARGER, LONGEST_INITIAL = 1.8, 2
RAISED, SMALLER = 0.1, 0.88  # least height of raised letters above the baseline, and their greatest relative size


class Letter(NamedTuple):
    """A letter, after turning the page until its line runs to the right. Lengths are in points."""

    sign: str
    x0: float
    x1: float
    base: float  # height of the baseline
    size: float
    gone: str = ""  # why it is not read: "struck", "hidden"
    quarter: int = 0  # quarter turns of its line; of a slanted line, 4 plus its angle in degrees


class Spacing(NamedTuple):
    """How far apart a line's letters are. gap: within a word. pitch: from one letter to the next on a grid; else 0."""

    gap: float = 0.0
    pitch: float = 0.0

    def parts(self, before: Letter, letter: Letter, size: float) -> bool:
        """Whether a word ends between two letters."""
        if self.pitch:
            return letter.x0 - before.x0 > ON_GRID * self.pitch
        return letter.x0 - before.x1 > self.gap + WORD_GAP * size


@dataclass
class Piece:
    """Letters of one line without a wide gap, from left to right, or in drawing order if `ordered`."""

    ordered: bool = False
    letters: list[Letter] = field(default_factory=list)
    x0: float = 0.0
    x1: float = 0.0
    base: float = 0.0
    size: float = 0.0

    def measured(self) -> Piece:
        """The piece, with the baseline and size that most of its letters have."""
        if not self.ordered:
            self.letters.sort(key=lambda letter: letter.x0)
        shown = [letter for letter in self.letters if letter.sign != " "] or self.letters
        sizes = Counter(round(letter.size, 1) for letter in shown)
        self.size = sizes.most_common(1)[0][0] or 1.0
        usual = [letter for letter in shown if round(letter.size, 1) == self.size] or shown
        self.base = Counter(round(letter.base, 1) for letter in usual).most_common(1)[0][0]
        self.x0, self.x1 = min(letter.x0 for letter in shown), max(letter.x1 for letter in shown)
        return self

    def text(self, spacing: Spacing | None = None) -> str:
        """The words, with raised letters written by `raised.py`. spacing: its line's, if that is wide."""
        if self.ordered:
            return "".join(letter.sign for letter in self.letters)
        return join_runs(self._runs(spacing or Spacing()))

    def _runs(self, spacing: Spacing) -> Iterator[Run]:
        before: Letter | None = None
        for letter in self.letters:
            if before and before.sign != " " and letter.sign != " " and spacing.parts(before, letter, self.size):
                yield Run(" ")
            small = letter.size < SMALLER * self.size
            higher = letter.base - self.base > (RAISED if small else 2 * RAISED) * self.size
            yield Run(letter.sign, raised=higher and letter.sign != " ")
            before = letter


def spacing_of(row: Sequence[Piece], above: Spacing | None = None) -> Spacing:
    """The spacing of a line's letters. above: the spacing of the line above, which decides for a line of a few figures."""
    pairs = [
        (before, letter)
        for piece in row
        for before, letter in pairwise(piece.letters)
        if before.sign != " " != letter.sign and abs(before.base - letter.base) < RAISED * piece.size
    ]
    size = max((piece.size for piece in row), default=1.0)
    gaps = [letter.x0 - before.x1 for before, letter in pairs]
    if not gaps or median(gaps) < WORD_GAP * size / 2:
        return Spacing()
    gap, steps = median(gaps), [letter.x0 - before.x0 for before, letter in pairs]
    spelt = sum(letter.sign.isalpha() for _, letter in pairs) >= SPACED_ALIKE * len(pairs)
    if above is not None and above != Spacing() and not spelt:
        return above if abs(above.gap - gap) < SAME_GAP * size or above.pitch else Spacing()
    if not spelt or len(pairs) < FEWEST_SPACED:
        return Spacing()
    pitch = median(steps)
    if sum(abs(step - pitch) < SAME_GAP * size for step in steps) >= SPACED_ALIKE * len(steps):
        return Spacing(gap, pitch)
    alike = sum(abs(other - gap) < SAME_GAP * size for other in gaps) >= SPACED_ALIKE * len(gaps)
    return Spacing(gap) if alike and gap > WORD_GAP * size / 2 else Spacing()


def read_letters(page: Any, left_out: Counter[str]) -> tuple[list[Piece], list[str]]:
    """The pieces of a page's lines, and the lines of rotated text. left_out: counts words "struck" out and "hidden"."""
    drawings = Drawings(page)
    with closing(page.get_textpage()) as text_page:
        letters = _apart(_letters(text_page, drawings))
        found = list(_seen(letters, left_out) if drawings.matter else letters)
    if not found:
        return [], []
    if leftwards(found):
        return list(lines_as_drawn(found)), []
    usual = Counter(letter.quarter for letter in found).most_common(1)[0][0]
    upright = [letter for letter in found if letter.quarter == usual]
    if usual == 0:
        upright = with_bullets(upright, drawings.shapes)
    return list(_pieces(upright)), _aside([letter for letter in found if letter.quarter != usual])


def _seen(letters: Iterable[Letter], left_out: Counter[str]) -> Iterator[Letter]:
    """The letters that are read; the words of the others are counted, and a gap within a word ("4[0]5") is closed."""
    last: Letter | None = None
    unread: list[Letter] = []
    for gone, same in groupby(letters, lambda letter: letter.gone):
        if gone:
            unread = list(same)
            left_out[gone] += sum(len(piece.text().split()) for piece in _pieces(unread))
            continue
        for letter in same:
            if last is not None and unread:
                within = _is_within(last, unread, letter)
                yield last._replace(x1=letter.x0) if within else last
                if not within:
                    yield unread[0]._replace(sign=" ", x1=unread[0].x0, gone="", quarter=0)
            elif last is not None:
                yield last
            last, unread = letter, []
    if last is not None:
        yield last


def _is_within(before: Letter, unread: Sequence[Letter], after: Letter) -> bool:
    """Whether letters that are left out touch the one before and the one after."""
    on_line = all(abs(letter.base - before.base) < RAISED * before.size for letter in (*unread, after))
    edges = before.sign, unread[0].sign, unread[-1].sign, after.sign
    gaps = abs(unread[0].x0 - before.x1), abs(after.x0 - unread[-1].x1)
    return on_line and " " not in edges and max(gaps) < WORD_GAP * before.size / 2


def _letters(text_page: Any, drawings: Drawings) -> Iterator[Letter]:
    """The letters in drawing order."""
    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

    page, box, matrix = text_page.raw, pdfium.FS_RECTF(), pdfium.FS_MATRIX()
    x, y = ctypes.c_double(), ctypes.c_double()
    for number in range(min(text_page.count_chars(), MOST_PAGE_LETTERS)):
        code = pdfium.FPDFText_GetUnicode(page, number)
        if code in (10, 13) or pdfium.FPDFText_IsGenerated(page, number) == 1:
            continue
        if 0xDC00 <= code <= 0xDFFF and number:
            high = pdfium.FPDFText_GetUnicode(page, number - 1)  # of a surrogate pair, as in equations
            code = 0x10000 + ((high & 0x3FF) << 10) + (code & 0x3FF) if 0xD800 <= high <= 0xDBFF else code
        sign = _sign(code)
        if not sign or not pdfium.FPDFText_GetLooseCharBox(page, number, box):
            continue
        pdfium.FPDFText_GetCharOrigin(page, number, x, y)
        size = pdfium.FPDFText_GetFontSize(page, number)
        quarter, slant = 0, 0.0
        if pdfium.FPDFText_GetMatrix(page, number, matrix):
            size *= math.hypot(matrix.c, matrix.d)
            turns = 2 * math.atan2(matrix.b, matrix.a) / math.pi
            quarter, slant = round(turns) % 4, turns - round(turns)
        if abs(slant) > SLANTED:
            angle = turns * math.pi / 2
            along = x.value * math.cos(angle) + y.value * math.sin(angle)
            height = y.value * math.cos(angle) - x.value * math.sin(angle)
            yield Letter(
                sign, along, along + size / 2, height, round(size, 1), quarter=4 + round(math.degrees(angle)) % 360
            )
            continue
        turned = Box(box.left, box.bottom, box.right, box.top).turned(quarter)
        base = (y.value, -x.value, -y.value, x.value)[quarter]
        letter = Letter(sign, turned.left, turned.right, base, round(size, 1), quarter=quarter)
        if drawings.matter:
            white = drawings.has_white and is_white(pdfium.FPDFText_GetFillColor, page, number)
            middle = (letter.x0 + letter.x1) / 2
            letter = letter._replace(gone=drawings.why_gone(quarter, middle, letter.base, letter.size, white))
        yield letter


def _apart(letters: Iterable[Letter]) -> Iterator[Letter]:
    """The letters, with those of a ligature, which all have the same position, put side by side."""
    for _, same in groupby(letters, lambda letter: letter[1:]):
        drawn = list(same)
        step = (drawn[0].x1 - drawn[0].x0) / len(drawn)
        for number, letter in enumerate(drawn):
            start = letter.x0 + number * step
            yield letter if len(drawn) == 1 else letter._replace(x0=start, x1=start + step)


def _sign(code: int) -> str:
    if code in (2, 0xFFFE):
        return "-"  # PDFium's code for a hyphen at the end of a line
    if code == 0xAD:
        return SOFT_HYPHEN
    if 0x1D400 <= code <= 0x1D7FF:
        return unicodedata.normalize("NFKC", chr(code))
    if code < 32 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF or code == 0xFFFF:
        return ""
    return " " if chr(code).isspace() else chr(code)


def leftwards(letters: Sequence[Letter]) -> bool:
    """Whether many of the letters belong to a script that runs from right to left."""
    signs = [letter.sign for letter in letters if letter.sign.isalpha()]
    return 3 * sum("\u0590" <= sign <= "\u08ff" or "\ufb1d" <= sign <= "\ufefc" for sign in signs) > len(signs)


def lines_as_drawn(letters: Sequence[Letter]) -> Iterator[Piece]:
    """The lines in PDFium's order, which respects the direction of figures and names within them."""
    piece = Piece(ordered=True)
    for letter in letters:
        last = piece.letters[-1] if piece.letters else letter
        if letter.sign == " ":
            piece.letters.append(letter)
            continue
        if abs(letter.base - last.base) > SAME_LINE * max(letter.size, last.size):
            yield piece.measured()
            piece = Piece(ordered=True)
        elif piece.letters and last.sign != " " and not _touches(letter, piece.letters[-LONGEST_FIGURE:]):
            piece.letters.append(Letter(" ", letter.x0, letter.x0, letter.base, letter.size))
        piece.letters.append(letter)
    yield piece.measured()


def _touches(letter: Letter, before: Sequence[Letter]) -> bool:
    """Whether a letter touches the one before or, after a figure, the figure's first digit."""
    gaps = (min(abs(letter.x0 - other.x1), abs(other.x0 - letter.x1)) for other in before)
    return min(gaps) <= WORD_GAP * letter.size


def _aside(letters: Sequence[Letter]) -> list[str]:
    """The lines of rotated text."""
    lines = []
    letters = [*map(_reaching, letters, [*letters[1:], *letters[-1:]])]
    for quarter in sorted({letter.quarter for letter in letters}):
        pieces = _pieces(letter for letter in letters if letter.quarter == quarter)
        lines += [" ".join(piece.text().strip() for piece in row) for row in rows_of(pieces)]
    return [line for line in lines if any(map(str.isalnum, line))]


def _reaching(letter: Letter, following: Letter) -> Letter:
    """A slanted letter, whose width is unknown, made to reach the one that follows it closely."""
    near = letter.size / 8 < following.x0 - letter.x0 < WIDEST * letter.size
    return letter._replace(x1=following.x0) if near and letter.quarter == following.quarter > 3 else letter


def _pieces(letters: Iterable[Letter]) -> Iterator[Piece]:
    """Joins letters that follow one another in drawing order, then pieces that touch."""
    drawn: list[Piece] = []
    spaced = False
    for letter in letters:
        if letter.sign == " ":
            spaced = bool(drawn)
            if drawn and abs(drawn[-1].letters[-1].base - letter.base) < SAME_LINE * letter.size:
                drawn[-1].letters.append(letter)
            continue
        if not drawn or not _follows(drawn[-1], letter, spaced):
            drawn.append(Piece())
        drawn[-1].letters.append(letter)
        spaced = False
    shown = [piece.measured() for piece in drawn if any(letter.sign != " " for letter in piece.letters)]
    for row in rows_of(shown):
        yield from _touching(row)


def _follows(piece: Piece, letter: Letter, spaced: bool) -> bool:
    last = next((drawn for drawn in reversed(piece.letters) if drawn.sign != " "), None)
    if last is None:
        return False
    size, height = max(last.size, letter.size), abs(letter.base - last.base)
    if is_initial(piece) and last.size > LARGER * letter.size and height < RAISED * last.size:
        return False
    most = 2 * PIECE_GAP if spaced else PIECE_GAP
    return height < SAME_LINE * size and -0.5 * size < letter.x0 - last.x1 < most * size


def is_initial(piece: Piece) -> bool:
    """Whether a piece may be a drop cap."""
    return len(piece.letters) <= LONGEST_INITIAL and piece.letters[-1].sign.isupper()


def rows_of(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces by line, from the top of the page to its foot; each row from left to right."""
    rows: list[list[Piece]] = []
    largest: Piece | None = None  # of the last row
    for piece in sorted(pieces, key=lambda piece: (-piece.base, piece.x0)):
        if largest is not None and _is_level(largest, piece, rows[-1]):
            rows[-1].append(piece)
            largest = max(largest, piece, key=lambda piece: piece.size)
        else:
            rows.append([piece])
            largest = piece
    return [sorted(row, key=lambda piece: piece.x0) for row in rows]


def _is_level(largest: Piece, piece: Piece, row: Sequence[Piece]) -> bool:
    """Whether a piece is on the line of a row. largest: of the row's pieces."""
    below = largest.base - piece.base
    smaller, larger = sorted((largest.size, piece.size))
    # A raised or lowered piece belongs to the larger letters beside it.
    near = below < SAME_LINE * larger and smaller < SMALLER * larger and any(_near(piece, other) for other in row[-8:])
    return below < SAME_LINE * smaller or near


def _near(piece: Piece, other: Piece) -> bool:
    return max(piece.x0, other.x0) - min(piece.x1, other.x1) < PIECE_GAP * max(piece.size, other.size)


def _touching(row: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of a row, joined unless the gap between them is wide."""
    joined: list[Piece] = []
    for piece in row:
        near = joined and -0.5 * piece.size < piece.x0 - joined[-1].x1 < PIECE_GAP * min(piece.size, joined[-1].size)
        if near and not (is_initial(joined[-1]) and joined[-1].size > LARGER * piece.size):
            joined[-1].letters += piece.letters
            joined[-1].x1 = max(joined[-1].x1, piece.x1)
        else:
            joined.append(piece)
    yield from (piece.measured() for piece in joined)
