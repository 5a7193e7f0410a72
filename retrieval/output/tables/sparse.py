"""Rewrites a workbook's sheets in which a cell is far from all others, so that filled rows follow one another.

The library that reads workbooks stores a cell for every position up to the last filled one: one cell in the last row
and column of a sheet would take 400 GB. Bounded patterns find everything, and no entity is expanded.
"""

from __future__ import annotations

import io
import re
import zipfile

from retrieval.output.tables.formulas import sheet_paths

MOST_PLACES = 4_000_000  # positions in the rectangle of a sheet's cells; smaller sheets are not rewritten
PLACES_A_CELL = 8  # positions per cell; fuller sheets are not rewritten
_PREFIX = rb"(?:[\w.-]{1,20}:)?"
_CELL = re.compile(rb"""<%bc(?:\s[^<>]*?)?\sr\s*=\s*["']([A-Za-z]{1,7})(\d{1,9})["']""" % _PREFIX)
_ROW = re.compile(rb"<%brow(?:\s[^<>]*)?>" % _PREFIX)
_WHOLE_CELL = re.compile(rb"<(%bc)(?:\s[^<>]*)?(?:/>|>.*?</\1>)" % _PREFIX, re.DOTALL)
_NUMBER = re.compile(rb"""\s(?:r|spans)\s*=\s*["'][^"'<>]*["']""")
_DIMENSION = re.compile(rb"<%bdimension(?:\s[^<>]*)?/?>" % _PREFIX)


def gathered(archive: zipfile.ZipFile, most_columns: int) -> io.BytesIO | None:
    """The workbook with its sparse sheets rewritten; None if it has none. Cells beyond `most_columns` go into the last."""
    names = set(archive.namelist())
    rewritten: dict[str, bytes] = {}
    for path in sheet_paths(archive):
        if path in names and _is_sparse(content := archive.read(path)):
            rewritten[path] = _gathered(content, most_columns)
    if not rewritten:
        return None
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as copy:
        for name in names:
            copy.writestr(name, rewritten[name] if name in rewritten else archive.read(name))
    out.seek(0)
    return out


def _is_sparse(sheet: bytes) -> bool:
    cells = columns = rows = 0
    for cell in _CELL.finditer(sheet):
        cells, columns, rows = cells + 1, max(columns, column_number(cell[1])), max(rows, int(cell[2]))
    return columns * rows > max(MOST_PLACES, PLACES_A_CELL * cells)


def column_number(letters: bytes) -> int:
    """From 1: A, B, …, Z, AA."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


def column_letters(number: int) -> bytes:
    """The inverse: A, B, …, AA to numbers from 1."""
    letters = b""
    while number:
        number, place = divmod(number - 1, 26)
        letters = b"%c" % (ord("A") + place) + letters
    return letters


def _gathered(sheet: bytes, most_columns: int) -> bytes:
    """The sheet with its rows renumbered, and no columns beyond those that are read."""
    sheet = _DIMENSION.sub(b"", sheet)
    parts, position, row = list[bytes](), 0, 0
    for opened in _ROW.finditer(sheet):
        parts.append(_renumbered(sheet[position : opened.start()], row, most_columns))
        row += 1
        parts.append(_NUMBER.sub(b"", opened[0]))
        position = opened.end()
    return b"".join([*parts, _renumbered(sheet[position:], row, most_columns)])


def _renumbered(cells: bytes, row: int, most_columns: int) -> bytes:
    def place(whole: re.Match[bytes]) -> bytes:
        cell = _CELL.match(whole[0])
        if cell is None:
            return whole[0]
        letters = cell[1] if column_number(cell[1]) < most_columns else column_letters(most_columns)
        return whole[0][: cell.start(1)] + letters + b"%d" % row + whole[0][cell.end(2) :]

    return _WHOLE_CELL.sub(place, cells)
