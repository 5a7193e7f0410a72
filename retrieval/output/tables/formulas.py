"""Counts a workbook's cells without a stored value (uncomputed formulas and errors), and its hidden rows and columns.
Libraries return such cells as empty, so patterns find them in the sheets' XML: no entity is expanded, time is linear.
"""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

XML_CHUNK = 1_000_000  # bytes
LONGEST_CELL = 100_000  # bytes of an incomplete cell to carry over to the next chunk
LARGEST_PART = 2_000_000  # bytes read of each part that lists the sheets

_PREFIX = rb"(?:[\w.-]{1,20}:)?"
# A formula with an empty text as its result is marked `t="str"`, and counts as computed.
_UNCOMPUTED = re.compile(
    rb'<%bc(?=[\s>])(?:(?!\st="str")[^<>])*>\s*<%bf(?:\s[^<>]*)?(?:/>|>[^<]*</%bf>)\s*(?:<%bv\s*(?:/>|>\s*</%bv>)\s*)?</%bc>'
    % ((_PREFIX,) * 6)
)
_ERROR = re.compile(rb'<%bc\s[^<>]*\bt="e"' % _PREFIX)
_HIDDEN_ROW = re.compile(rb'<%brow\s(?=[^<>]*\bhidden="(?:1|true)")[^<>]*(?<!/)>\s*<%bc\b' % ((_PREFIX,) * 2))
# Hidden columns that extend to the last possible one only hide empty space, so they do not count.
_HIDDEN_COLUMNS = re.compile(rb'<%bcol\s(?=[^<>]*\bhidden="(?:1|true)")(?![^<>]*\bmax="16384")[^<>]*>' % _PREFIX)
_SHEET = re.compile(rb"<%bsheet\s[^<>]*>" % _PREFIX)
_RELATION = re.compile(rb"<%bRelationship\s[^<>]*>" % _PREFIX)
_ATTRIBUTE = re.compile(rb"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


@dataclass(frozen=True)
class Unread:
    """Numbers of formulas without a stored result, of errors such as #DIV/0!, and of hidden rows and columns."""

    formulas: int = 0
    errors: int = 0
    hidden: int = 0
    columns: int = 0

    def sentences(self) -> list[str]:
        """Notes on these cells that say what to do."""
        notes = []
        if self.formulas:
            one, its = ("formula has", "it reads") if self.formulas == 1 else ("formulas have", "they read")
            notes.append(
                f"{self.formulas:,} {one} no stored result, so {its} as empty: open the file in a spreadsheet program and save it."
            )
        if self.errors:
            one, its = ("cell holds", "it reads") if self.errors == 1 else ("cells hold", "they read")
            notes.append(
                f"{self.errors:,} {one} an error such as #DIV/0!, so {its} as empty: correct the formulas there."
            )
        if self.hidden:
            notes.append(f"The sheet hides {self.hidden:,} of its rows, as a filter does; they were read too.")
        if self.columns:
            notes.append("The sheet hides columns; they were read too.")
        return notes


def count_unread(book: zipfile.ZipFile, sheets: Sequence[int]) -> Unread:
    """The counts for the sheets with these numbers, from 0; a sheet that cannot be found counts nothing."""
    paths = sheet_paths(book)
    formulas = errors = hidden = columns = 0
    for number in sheets:
        if number < len(paths) and paths[number] in book.namelist():
            with book.open(paths[number]) as stream:
                for part in _whole_cells(stream):
                    formulas += sum(1 for _ in _UNCOMPUTED.finditer(part))
                    errors += sum(1 for _ in _ERROR.finditer(part))
                    hidden += sum(1 for _ in _HIDDEN_ROW.finditer(part))
                    columns += sum(1 for _ in _HIDDEN_COLUMNS.finditer(part[:LARGEST_PART].partition(b"sheetData")[0]))
    return Unread(formulas, errors, hidden, columns)


def _whole_cells(stream: IO[bytes]) -> Iterator[bytes]:
    """A sheet in chunks that end where a cell ends."""
    left = b""
    while chunk := stream.read(XML_CHUNK):
        left += chunk
        end = max(left.rfind(b"</c>"), left.rfind(b":c>")) + 4
        if end > 4:
            yield left[:end]
            left = left[end:]
        left = left[-LONGEST_CELL:]
    yield left


def sheet_paths(book: zipfile.ZipFile) -> list[str]:
    """The path of each sheet in the file, in order."""
    relations = {
        one.get("Id", ""): one.get("Target", "") for one in _tags(book, "xl/_rels/workbook.xml.rels", _RELATION)
    }
    found = []
    for sheet in _tags(book, "xl/workbook.xml", _SHEET):
        target = relations.get(next((sheet[name] for name in sheet if name.endswith(":id")), ""), "")
        found.append(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
    return found


def _tags(book: zipfile.ZipFile, path: str, tag: re.Pattern[bytes]) -> list[dict[str, str]]:
    """The attributes of each tag of this kind."""
    if path not in book.namelist():
        return []
    with book.open(path) as stream:
        content = stream.read(LARGEST_PART)
    return [
        {
            one[1].decode(): html.unescape((one[2] or one[3] or b"").decode("utf-8", "replace"))
            for one in _ATTRIBUTE.finditer(found[0])
        }
        for found in tag.finditer(content)
    ]
