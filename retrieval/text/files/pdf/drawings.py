"""Reads a page's drawings, for lines that strike words out and backgrounds of white letters.

A reviewer's "strike out" mark counts as a line too. White letters without a background are hidden; letters without a colour,
such as those that text recognition puts over a picture, are not.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

MOST_OBJECTS = 20_000  # to look at on a page, and parts in an object; a page with more is a drawing, not text
MOST_PARTS = 400
DEEPEST_FORM = 6  # nested forms
WHITE = 245  # of 255, each of red, green and blue
# In font sizes: the greatest thickness of a line through a word, and its least and greatest height above the baseline.
THICKEST = 0.14
LOWEST, HIGHEST = 0.15, 0.45
SLACK = 1.0  # points by which a line may end before the middle of a letter that it strikes out

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Box(NamedTuple):
    """Edges in points; y upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside."""
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def turned(self, quarter: int) -> Box:
        """The box after turning the page until letters in this direction run to the right. quarter: in quarter turns."""
        if quarter == 1:
            return Box(self.bottom, -self.right, self.top, -self.left)
        if quarter == 2:
            return Box(-self.right, -self.top, -self.left, -self.bottom)
        return Box(-self.top, self.left, -self.bottom, self.right) if quarter else self


class Printed(Protocol):
    """A letter. x0, x1: its left and right edges. base: its baseline. size: of its font, in points."""

    @property
    def x0(self) -> float: ...

    @property
    def x1(self) -> float: ...

    @property
    def base(self) -> float: ...

    @property
    def size(self) -> float: ...


class Drawings:
    """A page's drawings. matter: whether they can affect any letters. has_white: whether some letters are white."""

    def __init__(self, page: Any) -> None:
        """page: a PDFium object."""
        self._bars: list[Box] = []  # filled and stroked parts of paths
        self._behind: list[Box] = []  # pictures, and coloured areas
        self._marked = list(_struck_by_reviewers(page.raw))
        self.has_white = False
        self._left = MOST_OBJECTS
        self._read(_Objects(page.raw, "FPDFPage_CountObjects", "FPDFPage_GetObject"), _SAME, 0)
        self.matter = bool(self._bars or self._marked or self.has_white)
        self._seen: dict[int, _Turned] = {}

    def why_gone(self, quarter: int, letter: Printed, white: bool) -> str:
        """Why a letter is not read: "struck", "hidden", or empty. quarter: the quarter turns until its line runs to the
        right.
        """
        if quarter not in self._seen:
            self._seen[quarter] = _Turned(self._bars, self._marked, self._behind if self.has_white else [], quarter)
        return self._seen[quarter].why_gone(letter, white)

    def _read(self, objects: _Objects, matrix: Matrix, depth: int) -> None:
        import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

        for part in objects:
            self._left -= 1
            if self._left < 0:
                return
            kind = pdfium.FPDFPageObj_GetType(part)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.has_white = self.has_white or is_white(pdfium.FPDFPageObj_GetFillColor, part)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < DEEPEST_FORM:
                inner = _Objects(part, "FPDFFormObj_CountObjects", "FPDFFormObj_GetObject")
                self._read(inner, _through(_matrix(part), matrix), depth + 1)
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(part, matrix)
            elif box := _bounds(part, matrix):
                self._behind.append(box)

    def _path(self, path: Any, matrix: Matrix) -> None:
        import pypdfium2.raw as pdfium

        fills, strokes = ctypes.c_int(), ctypes.c_int()
        if not pdfium.FPDFPath_GetDrawMode(path, fills, strokes) or not (fills.value or strokes.value):
            return
        box = _bounds(path, matrix)
        if box and fills.value and not is_white(pdfium.FPDFPageObj_GetFillColor, path):
            self._behind.append(box)
        colour = pdfium.FPDFPageObj_GetFillColor if fills.value else pdfium.FPDFPageObj_GetStrokeColor
        if is_white(colour, path):
            return
        width = ctypes.c_float()
        if not strokes.value or not pdfium.FPDFPageObj_GetStrokeWidth(path, width):
            width.value = 0.0
        self._bars += _parts(path, _through(_matrix(path), matrix), width.value)


class _Turned:
    """A page's drawings, turned until the lines of letters in one direction run to the right."""

    def __init__(self, bars: Sequence[Box], marked: Sequence[Box], behind: Sequence[Box], quarter: int) -> None:
        turned = (box.turned(quarter) for box in bars)
        self._bars = sorted((box for box in turned if box.right - box.left > box.top - box.bottom), key=_height)
        self._heights = list(map(_height, self._bars))
        self._near: dict[tuple[float, float], list[Box]] = {}  # by baseline and size
        self._marked = [box.turned(quarter) for box in marked]
        self._behind = [box.turned(quarter) for box in behind]

    def why_gone(self, letter: Printed, white: bool) -> str:
        near = self._near.get((letter.base, letter.size))
        if near is None:
            near = self._near[letter.base, letter.size] = self._bars_through(letter.base, letter.size)
        if not (near or white or self._marked):
            return ""
        middle, height = (letter.x0 + letter.x1) / 2, letter.base + letter.size / 4
        if any(bar.left - SLACK <= middle <= bar.right + SLACK for bar in near):
            return "struck"
        if any(box.holds(middle, height) for box in self._marked):
            return "struck"
        return "hidden" if white and not any(box.holds(middle, height) for box in self._behind) else ""

    def _bars_through(self, base: float, size: float) -> list[Box]:
        """The bars that strike out letters of this size on this baseline."""
        first = bisect_left(self._heights, base + LOWEST * size)
        last = bisect_right(self._heights, base + HIGHEST * size, first)
        return [bar for bar in self._bars[first:last] if bar.top - bar.bottom <= THICKEST * size]


def _height(box: Box) -> float:
    return (box.bottom + box.top) / 2


class _Objects:
    """The objects of a page or a form."""

    def __init__(self, holder: Any, count: str, get: str) -> None:
        import pypdfium2.raw as pdfium

        self._holder, self._count, self._get = holder, getattr(pdfium, count), getattr(pdfium, get)

    def __iter__(self) -> Iterator[Any]:
        for number in range(max(0, self._count(self._holder))):
            if part := self._get(self._holder, number):
                yield part


def is_white(colour: Any, thing: Any, *place: int) -> bool:
    """Whether a PDFium function returns a colour that is white, or nearly so."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    known = colour(thing, *place, red, green, blue, alpha)
    return bool(known) and min(red.value, green.value, blue.value) >= WHITE


def _parts(path: Any, matrix: Matrix, width: float) -> Iterator[Box]:
    """The straight parts of a path that are flat enough to be a line through a word. width: of the stroke."""
    import pypdfium2.raw as pdfium

    count = pdfium.FPDFPath_CountSegments(path)
    if not 1 < count <= MOST_PARTS:
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[tuple[float, float]] = []
    half = width * max(abs(matrix[0]), abs(matrix[3]), abs(matrix[1]), abs(matrix[2])) / 2
    for number in range(count + 1):
        segment = pdfium.FPDFPath_GetPathSegment(path, number) if number < count else None
        if segment is None or pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            if len(points) > 1:
                yield _around(points, half)
            points = []
        if segment is not None and pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            points.append(_point(x.value, y.value, matrix))


def _around(points: list[tuple[float, float]], half: float) -> Box:
    across, up = [x for x, _ in points], [y for _, y in points]
    flat = max(up) - min(up) < max(across) - min(across)
    wide, high = (0.0, half) if flat else (half, 0.0)
    return Box(min(across) - wide, min(up) - high, max(across) + wide, max(up) + high)


def _struck_by_reviewers(page: Any) -> Iterator[Box]:
    import pypdfium2.raw as pdfium

    for number in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_OBJECTS)):
        mark = pdfium.FPDFPage_GetAnnot(page, number)
        try:
            if not mark or pdfium.FPDFAnnot_GetSubtype(mark) != pdfium.FPDF_ANNOT_STRIKEOUT:
                continue
            quad = pdfium.FS_QUADPOINTSF()
            for place in range(min(pdfium.FPDFAnnot_CountAttachmentPoints(mark), MOST_PARTS)):
                if pdfium.FPDFAnnot_GetAttachmentPoints(mark, place, quad):
                    across, up = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
                    yield Box(min(across), min(up), max(across), max(up))
        finally:
            if mark:
                pdfium.FPDFPage_CloseAnnot(mark)


def _bounds(part: Any, matrix: Matrix) -> Box | None:
    import pypdfium2.raw as pdfium

    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(part, left, bottom, right, top):
        return None
    corners = [_point(x.value, y.value, matrix) for x in (left, right) for y in (bottom, top)]
    return _around(corners, 0.0)


def _matrix(part: Any) -> Matrix:
    import pypdfium2.raw as pdfium

    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(part, found):
        return _SAME
    return found.a, found.b, found.c, found.d, found.e, found.f


def _through(inner: Matrix, outer: Matrix) -> Matrix:
    """The product of two matrices; the inner one applies first."""
    a, b, c, d, e, f = inner
    ends = _point(e, f, outer)
    return (
        a * outer[0] + b * outer[2], a * outer[1] + b * outer[3],
        c * outer[0] + d * outer[2], c * outer[1] + d * outer[3], *ends,
    )  # fmt: skip


def _point(x: float, y: float, matrix: Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
