"""Reads tables of claims: .csv, .tsv, .xlsx, in any usual encoding. A formula is read as the result stored with it."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any

from retrieval.errors import CorpusError
from retrieval.output.tables.formulas import unread_notes
from retrieval.output.tables.headers import (
    MOST_TITLES,
    distinguished,
    filled,
    is_header,
    likeness,
    named_titles,
    names_a_claim,
    titles_above,
    two_rows_of_names,
)
from retrieval.output.tables.sparse import gathered
from retrieval.text.files.charsets import guessed, unmarked_utf16

TYPES = (".csv", ".tsv", ".xlsx")
LARGEST_ARCHIVE = 200_000_000  # bytes that a workbook may unpack to
MOST_COLUMNS = 200
ROWS_LOOKED_AT = 200  # rows from which delimiter, header and column are guessed
LIKE_SENTENCES = 0.5  # likeness of a column of sentences
MOST_TABULAR = 2  # of a sheet with a column of claims
BINARY = "{} holds binary data, not text. Save it as .csv in UTF-8."
OPEN = (
    "The row that begins in line {:,} opens a quotation mark and never closes it, so the last {:,} lines were read as one "
    "row. Close it, or take it out, and send the table again."
)
TOO_LONG = (
    "{} is not a table of text: the row that begins in line {:,} has a cell of more than {:,} characters, as where a quotation "
    "mark is never closed. Close it, or take it out, and send the table again."
)
LONGER = (
    "{:,} of its rows {} more cells than its first row has names, as where a claim with a comma stands without quotation marks; "
    "look at them before you check."
)
WIDE = "It has cells beyond column {:,}, which were left out."
_SEPARATORS = ",;\t|"
_SEPARATOR_LINE = re.compile(r"""\ufeff?"?sep=([^"\r\n\w\s]|\t| )"?[,;\t]*[ \t]*(?:\r\n?|\n|\Z)""", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class Table:
    """A table. columns: names; `column 2` and so on if they have none. rows: those that are not empty, all of one width.
    total: rows in the file, of which `rows` may be only the first. header: whether the first row has the names. notes:
    sentences on what was left out or may be wrong.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    header: bool
    notes: tuple[str, ...] = ()

    def column(self, number: int) -> list[str]:
        """The column's cells that are not empty."""
        return [row[number].strip() for row in self.rows if row[number].strip()]

    def without_header(self) -> Table:
        """The table with its header as an ordinary first row, because it was taken for names by mistake."""
        if not self.header:
            return self
        rows = (self.columns, *self.rows)
        return replace(self, columns=_named([""] * len(self.columns)), rows=rows, total=self.total + 1, header=False)

    def with_header(self) -> Table:
        """The table with its first row as header, because it was taken for an ordinary row by mistake."""
        if self.header or not self.rows:
            return self
        return replace(self, columns=_named(self.rows[0]), rows=self.rows[1:], total=self.total - 1, header=True)


def read_table(path: Path, most: int | None = None) -> Table:
    """Read the first `most` rows of a table; None for all. Raises CorpusError."""
    try:
        if path.suffix.lower() == ".xlsx":
            rows, notes, unread = _workbook_rows(path)
        else:
            (rows, notes), unread = _text_rows(path), []
        kept = list(islice(rows, None if most is None else most + 1))
        beyond = sum(1 for _ in rows)
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}. Name a .csv, .tsv or .xlsx file.") from error
    table = _as_table(kept, beyond, (*notes, *unread)) if kept else None
    if table is None or not table.rows:
        why = " ".join(unread) or "It needs a row per claim, in one of its columns."
        raise CorpusError(f"{path.name} holds no claims. {why}")
    return table if most is None else replace(table, rows=table.rows[:most])


def claim_column(table: Table, named: str = "") -> int:
    """The column with this name or number, from 1; if empty, the one that looks most like claims. Raises CorpusError."""
    if not named:
        return max(range(len(table.columns)), key=lambda number: (_likeness(table, number), -number))
    names = [name.strip().casefold() for name in table.columns]
    if named.strip().casefold() in names:
        return names.index(named.strip().casefold())
    if named.isascii() and named.isdigit() and 1 <= int(named) <= len(names):
        return int(named) - 1
    known = ", ".join(table.columns[:20])
    raise CorpusError(f"There is no column {named!r}. Name one of these, or its number: {known}.")


def _named(row: Sequence[str]) -> tuple[str, ...]:
    """The cells of a row as names of columns; empty ones get a number."""
    return tuple(name.strip() or f"column {number}" for number, name in enumerate(row, 1))


def _as_table(kept: Sequence[Sequence[str]], beyond: int, notes: tuple[str, ...]) -> Table:
    titles = titles_above(kept[:ROWS_LOOKED_AT])
    if titles:
        notes, above, kept = (*notes, named_titles(kept[:titles])), kept[titles - 1], kept[titles:]
        kept = [distinguished(above, kept[0]), *kept[1:]]
    if any(any(row[MOST_COLUMNS:]) for row in kept):
        notes = (*notes, WIDE.format(MOST_COLUMNS))
    filled = (number for row in kept for number, cell in enumerate(row[:MOST_COLUMNS], 1) if cell.strip())
    width = max(filled, default=1)
    rows = [(*row[:width], *[""] * (width - len(row))) for row in kept if any(row[:width])]
    if not rows:
        return Table((), (), 0, False, notes)
    header = is_header(rows[0], rows[1:ROWS_LOOKED_AT])
    if header and (longer := sum(any(row[len(kept[0]) :]) for row in rows)):
        notes = (*notes, LONGER.format(longer, "has" if longer == 1 else "have"))
    columns = _named(rows[0]) if header else _named([""] * width)
    if header and len(rows) > 2 and (names := two_rows_of_names(rows[0], rows[1], rows[2:ROWS_LOOKED_AT])):
        columns, rows = _named(names), rows[1:]
    rows = rows[header:]
    return Table(columns, tuple(rows), len(rows) + beyond, header, notes)


def _likeness(table: Table, number: int) -> float:
    cells = [row[number] for row in table.rows[:ROWS_LOOKED_AT]]
    return likeness(cells, table.columns[number] if table.header else "")


def _workbook_rows(path: Path) -> tuple[Iterator[list[str]], list[str], list[str]]:
    """Rows of the sheet that looks most like a table of claims, notes, and warnings about unread cells in it and before it."""
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    try:
        archive = zipfile.ZipFile(path)
        if sum(member.file_size for member in archive.infolist()) > LARGEST_ARCHIVE:
            raise CorpusError(f"{path.name} unpacks to more than {LARGEST_ARCHIVE // 1_000_000} MB. Split it.")
        rewritten = gathered(archive, MOST_COLUMNS + 1)
        book = CalamineWorkbook.from_filelike(rewritten) if rewritten else CalamineWorkbook.from_path(str(path))
        names = book.sheet_names
        visible = [sheet.visible is SheetVisibleEnum.Visible for sheet in book.sheets_metadata]
        order = sorted(range(len(names)), key=lambda number: not visible[number])  # hidden sheets last
        best: tuple[int, int, list[list[str]], Iterator[list[str]]] | None = None  # with the sheet's place in the order
        for place, number in enumerate(order):
            if best and (best[0] == MOST_TABULAR or not visible[number]):
                break
            rows = _sheet_rows(book.get_sheet_by_name(names[number]))
            first = list(islice(rows, MOST_TITLES + 2))
            if first and (best is None or _tabular(first) > best[0]):
                best = _tabular(first), place, first, rows
        if best is None:
            return iter(()), [], unread_notes(archive, order)
        _, place, first, rows = best
        notes = [f"Of its {len(names)} sheets, only “{names[order[place]]}” was read."] if len(names) > 1 else []
        return chain(first, rows), notes, unread_notes(archive, order[: place + 1])
    except (CalamineError, zipfile.BadZipFile, ValueError) as error:
        raise CorpusError(
            f"{path.name} is not a workbook that can be read; it may be damaged or have a password. Save it again as .xlsx, or as .csv."
        ) from error


def _sheet_rows(sheet: Any) -> Iterator[list[str]]:
    """The rows of a sheet that are not empty."""
    return (cells for row in sheet.iter_rows() if any(cells := _cells(row)))


def _tabular(rows: Sequence[Sequence[str]]) -> int:
    """How much a sheet's first rows look like a table of claims, unlike a title or a note on the workbook: 0 to `MOST_TABULAR`."""
    columns = zip_longest(*rows[1:], fillvalue="")
    if any(map(names_a_claim, rows)) or any(likeness(cells, "") >= LIKE_SENTENCES for cells in columns):
        return MOST_TABULAR
    return int(len(rows) > 1 and max(len(filled(row)) for row in rows) > 1)


def _cells(row: Sequence[Any]) -> list[str]:
    """The cells as texts, one more than is read, to see whether there are more."""
    return [_plain(value) for value in row[: MOST_COLUMNS + 1]]


def _plain(value: Any) -> str:
    """A cell as text: 3 for 3.0, dates without a time of midnight."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):  # spreadsheet programs keep 15 digits at most
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    if isinstance(value, datetime) and not (value.hour or value.minute or value.second):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date | datetime) else _CONTROL.sub(" ", str(value)).strip()


def _text_rows(path: Path) -> tuple[Iterator[list[str]], list[str]]:
    text, notes = _decoded(path.read_bytes(), path.name)
    text = text.lstrip("\ufeff")
    separator_line = _SEPARATOR_LINE.match(text)  # a line for Excel, not a row
    text = text[separator_line.end() :] if separator_line else text
    separator = separator_line[1] if separator_line else "\t" if path.suffix.lower() == ".tsv" else _separator(text)
    form = _form(text, separator) if separator else {}
    return _parsed(text, separator, path.name, form), [*notes, *_open_quotation(text, separator, form)]


def _form(text: str, separator: str) -> Mapping[str, Any]:
    """Arguments for the csv module on how cells are quoted: whichever of its forms leaves the fewest rows too long."""
    sample = list(islice(io.StringIO(text, newline=""), ROWS_LOOKED_AT))
    forms: list[Mapping[str, Any]] = [{}, {"skipinitialspace": True}, {"escapechar": "\\", "doublequote": False}]
    if "'" in text:
        forms.append({"quotechar": "'"})
    return min(forms, key=lambda form: _too_long(sample, separator, form)) if '"' in text or "'" in text else {}


def _too_long(sample: Sequence[str], separator: str, form: Mapping[str, Any]) -> int:
    """The number of rows in a sample with more cells than the first."""
    try:
        widths = [len(row) for row in csv.reader(sample, delimiter=separator, **form) if row]
    except csv.Error:
        return len(sample) + 1
    return sum(width > widths[0] for width in widths)


def _open_quotation(text: str, separator: str, form: Mapping[str, Any]) -> list[str]:
    """A note on a quotation mark that is never closed, so that the rows after it are one cell; empty if there is none."""
    if not separator or text.count('"') % 2 == 0:
        return []
    reader, begins, ends = csv.reader(io.StringIO(text, newline=""), delimiter=separator, **form), 0, 0
    try:
        for _ in reader:
            begins, ends = ends, reader.line_num
    except csv.Error:
        return []  # reading the rows reports it
    last = "".join(islice(io.StringIO(text, newline=""), begins, ends))
    return [OPEN.format(begins + 1, ends - begins)] if ends - begins > 1 and last.count('"') % 2 else []


def _parsed(text: str, separator: str, name: str, form: Mapping[str, Any]) -> Iterator[list[str]]:
    lines = io.StringIO(text, newline="")
    parser: Iterable[list[str]] = (
        csv.reader(lines, delimiter=separator, **form) if separator else ([line] for line in lines)
    )
    ended = 0  # the line where the last row ended
    try:
        for row in parser:
            ended = getattr(parser, "line_num", 0)
            cells = [_CONTROL.sub(" ", cell).strip() for cell in row]
            if any(cells):
                yield cells
    except csv.Error as error:
        if "field limit" in str(error):
            raise CorpusError(TOO_LONG.format(name, ended + 1, csv.field_size_limit())) from error
        raise CorpusError(f"{name} is not a table of text: {error}. Save it again as .csv in UTF-8.") from error


def _decoded(content: bytes, name: str) -> tuple[str, list[str]]:
    """The text, in UTF-8 or UTF-16, else Windows-1252 line by line, and notes. Raises CorpusError if it is not a text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace"), []
    if encoding := unmarked_utf16(content):
        return content.decode(encoding, "replace"), []
    if len(_CONTROL.findall(content[:4_000].decode("latin-1"))) > len(content[:4_000]) / 10:
        raise CorpusError(BINARY.format(name))
    decoded = guessed(content)
    return decoded.text, [f"{note[:1].upper()}{note[1:]}."] if (note := decoded.note()) else []


def _separator(text: str) -> str:
    """The delimiter; empty if each line is one cell, as in a list of sentences with commas in them."""
    best, width = ("," if '"' in text[:10_000] else ""), 1
    sample = list(islice(io.StringIO(text, newline=""), ROWS_LOOKED_AT))
    for separator in _SEPARATORS:
        try:
            rows = [row for row in csv.reader(sample, delimiter=separator) if any(cell.strip() for cell in row)]
        except csv.Error:
            continue
        if not rows:
            continue
        titles = titles_above(rows) or next((at for at, row in enumerate(rows) if len(row) > 1), 0)
        rows = rows[titles:]
        usual, count = Counter(map(len, rows)).most_common(1)[0]
        if not names_a_claim(rows[0]) and _only_punctuates(rows):
            continue
        if len(rows[0]) > width and names_a_claim(rows[0]) and max(map(len, rows[1:]), default=1) > 1:
            best, width = separator, len(rows[0])  # even if the rows below these names vary in width
        elif usual > width and count >= 0.8 * (titles + len(rows)):
            best, width = separator, usual
    return best


def _only_punctuates(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the delimiter only punctuates sentences: "It was built in 1850; it was sold in 1990."."""
    later = [cell for row in rows for cell in row[1:]]
    return bool(later) and sum(cell[:1] == " " and cell[1:2].islower() for cell in later) >= 0.8 * len(later)


def table_as_json(table: Table, longest: int) -> dict[str, Any]:
    """The table for another process, with cells cut to `longest` characters."""
    names, *rows = [[cell[:longest] for cell in row] for row in (table.columns, *table.rows)]
    return {"columns": names, "rows": rows, "total": table.total, "header": table.header, "notes": list(table.notes)}
