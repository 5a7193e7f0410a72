"""Reads a page's drawings: lines that strike words out, also a reviewer's, and the backgrounds of white letters."""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from retrieval.text.files.document import WHITE

MOST_OBJECTS = 20_000  # to look at on a page; a page with more is a drawing, not text
MOST_OBJECT_PARTS = 400  # of an object
DEEPEST_FORM = 6  # nested forms
# In font sizes: the greatest thickness of a line through a word, and its least and greatest height above the baseline.
THICKEST, LOWEST, HIGHEST = 0.14, 0.15, 0.45
SLACK = 1.0  # points by which a line may end before the middle of a letter that it strikes out


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


class Drawings:
    """A page's drawings. matter: whether they can affect any letters. has_white: whether some letters are white."""

    def __init__(self, page: Any) -> None:
        """page: a PDFium object."""
        from pypdfium2 import PdfMatrix  # type: ignore[import-untyped]

        self.shapes: list[Box] = []  # filled and stroked parts of paths
        self._behind: list[Box] = []  # pictures, and coloured areas
        self._marked = list(_struck_by_reviewers(page.raw))
        self.has_white = False
        self._budget = MOST_OBJECTS
        self._read(_objects(page.raw, "FPDFPage_CountObjects", "FPDFPage_GetObject"), PdfMatrix(), 0)
        self.matter = bool(self.shapes or self._marked or self.has_white)
        self._turned: dict[int, _Turned] = {}

    def why_gone(self, quarter: int, middle: float, base: float, size: float, white: bool) -> str:
        """Why a letter is not read: "struck", "hidden", or empty. quarter: the turns until its line runs to the right."""
        if quarter not in self._turned:
            self._turned[quarter] = _Turned(self.shapes, self._marked, self._behind if self.has_white else [], quarter)
        return self._turned[quarter].why_gone(middle, base, size, white)

    def _read(self, objects: Iterable[Any], matrix: Any, depth: int) -> None:
        """Read objects, of a page or a form in it. matrix: from their coordinates to the page's."""
        import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

        for part in objects:
            self._budget -= 1
            if self._budget < 0:
                return
            kind = pdfium.FPDFPageObj_GetType(part)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.has_white = self.has_white or is_white(pdfium.FPDFPageObj_GetFillColor, part)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < DEEPEST_FORM:
                inner = _objects(part, "FPDFFormObj_CountObjects", "FPDFFormObj_GetObject")
                self._read(inner, _matrix(part).multiply(matrix), depth + 1)
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(part, matrix)
            elif box := _bounds(part, matrix):
                self._behind.append(box)

    def _path(self, path: Any, matrix: Any) -> None:
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
        self.shapes += _parts(path, _matrix(path).multiply(matrix), width.value)


class _Turned:
    """A page's drawings, turned until the lines of letters in one direction run to the right."""

    def __init__(self, bars: Sequence[Box], marked: Sequence[Box], behind: Sequence[Box], quarter: int) -> None:
        turned = (box.turned(quarter) for box in bars)
        self._bars = sorted((box for box in turned if box.right - box.left > box.top - box.bottom), key=_height)
        self._heights = list(map(_height, self._bars))
        self._near: dict[tuple[float, float], list[Box]] = {}  # bars that strike out letters, by baseline and size
        self._marked = [box.turned(quarter) for box in marked]
        self._behind = [box.turned(quarter) for box in behind]

    def why_gone(self, middle: float, base: float, size: float, white: bool) -> str:
        if (base, size) not in self._near:
            first = bisect_left(self._heights, base + LOWEST * size)
            bars = self._bars[first : bisect_right(self._heights, base + HIGHEST * size, first)]
            self._near[base, size] = [bar for bar in bars if bar.top - bar.bottom <= THICKEST * size]
        height = base + size / 4
        barred = any(bar.left - SLACK <= middle <= bar.right + SLACK for bar in self._near[base, size])
        if barred or any(box.holds(middle, height) for box in self._marked):
            return "struck"
        return "hidden" if white and not any(box.holds(middle, height) for box in self._behind) else ""


def _height(box: Box) -> float:
    return (box.bottom + box.top) / 2


def _objects(holder: Any, count: str, get: str) -> Iterator[Any]:
    """The objects of a page or a form. count, get: PDFium's functions for these."""
    import pypdfium2.raw as pdfium

    parts = (getattr(pdfium, get)(holder, number) for number in range(getattr(pdfium, count)(holder)))
    return filter(None, parts)


def is_white(read_colour: Any, holder: Any, *index: int) -> bool:
    """Whether the colour that a PDFium function returns is nearly white; letters of text recognition have no colour."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    has_colour = read_colour(holder, *index, red, green, blue, alpha)
    return bool(has_colour) and min(red.value, green.value, blue.value) >= WHITE


def _parts(path: Any, matrix: Any, width: float) -> Iterator[Box]:
    """The boxes around a path's separate lines; none if it has many segments. width: of the stroke."""
    import pypdfium2.raw as pdfium

    count = pdfium.FPDFPath_CountSegments(path)
    if not 1 < count <= MOST_OBJECT_PARTS:
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[tuple[float, float]] = []
    half = width * max(map(abs, matrix.get()[:4])) / 2
    for number in range(count + 1):
        segment = pdfium.FPDFPath_GetPathSegment(path, number) if number < count else None
        if segment is None or pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            if len(points) > 1:
                yield _around(points, half)
            points = []
        if segment is not None and pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            points.append(matrix.on_point(x.value, y.value))


def _around(points: Sequence[tuple[float, float]], half: float = 0.0) -> Box:
    """The box around points, widened by half of a stroke's width across its length."""
    across, up = zip(*points, strict=True)
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
            for place in range(min(pdfium.FPDFAnnot_CountAttachmentPoints(mark), MOST_OBJECT_PARTS)):
                if pdfium.FPDFAnnot_GetAttachmentPoints(mark, place, quad):
                    yield _around([(quad.x1, quad.y1), (quad.x2, quad.y2), (quad.x3, quad.y3), (quad.x4, quad.y4)])
        finally:
            if mark:
                pdfium.FPDFPage_CloseAnnot(mark)


def _bounds(part: Any, matrix: Any) -> Box | None:
    import pypdfium2.raw as pdfium

    edges = [ctypes.c_float() for _ in range(4)]
    known = pdfium.FPDFPageObj_GetBounds(part, *edges)
    return Box(*matrix.on_rect(*(edge.value for edge in edges))) if known else None


def _matrix(part: Any) -> Any:
    import pypdfium2.raw as pdfium
    from pypdfium2 import PdfMatrix

    found = pdfium.FS_MATRIX()
    return PdfMatrix.from_raw(found) if pdfium.FPDFPageObj_GetMatrix(part, found) else PdfMatrix()
