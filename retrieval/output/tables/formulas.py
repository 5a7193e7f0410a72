"""Counts a workbook's cells without a stored value (uncomputed formulas and errors), and its hidden rows and columns.
Libraries return such cells as empty, so patterns find them in the sheets' XML: no entity is expanded, time is linear.
"""

from __future__ import annotations

import html
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
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


# What is counted -> its pattern.
_COUNTED = {"formulas": _UNCOMPUTED, "errors": _ERROR, "hidden": _HIDDEN_ROW}


def unread_notes(book: zipfile.ZipFile, sheets: Sequence[int]) -> list[str]:
    """Notes on the sheets with these numbers, from 0; none on a sheet that cannot be found."""
    paths, counts = sheet_paths(book), Counter[str]()
    for number in sheets:
        if number < len(paths) and paths[number] in book.namelist():
            with book.open(paths[number]) as stream:
                for part in _whole_cells(stream):
                    counts.update({name: len(pattern.findall(part)) for name, pattern in _COUNTED.items()})
                    counts["columns"] += len(_HIDDEN_COLUMNS.findall(part[:LARGEST_PART].partition(b"sheetData")[0]))
    return list(_notes(counts["formulas"], counts["errors"], counts["hidden"], counts["columns"]))


def _notes(formulas: int, errors: int, hidden: int, columns: int) -> Iterator[str]:
    if formulas:
        subject, reads = ("formula has", "it reads") if formulas == 1 else ("formulas have", "they read")
        yield f"{formulas:,} {subject} no stored result, so {reads} as empty: open the file in a spreadsheet program and save it."
    if errors:
        subject, reads = ("cell holds", "it reads") if errors == 1 else ("cells hold", "they read")
        yield f"{errors:,} {subject} an error such as #DIV/0!, so {reads} as empty: correct the formulas there."
    if hidden:
        yield f"The sheet hides {hidden:,} of its rows, as a filter does; they were read too."
    if columns:
        yield "The sheet hides columns; they were read too."


def _whole_cells(stream: IO[bytes]) -> Iterator[bytes]:
    """A sheet in chunks that end where a cell ends."""
    buffer = b""
    while chunk := stream.read(XML_CHUNK):
        buffer += chunk
        end = max(buffer.rfind(b"</c>"), buffer.rfind(b":c>")) + 4
        if end > 4:
            yield buffer[:end]
            buffer = buffer[end:]
        buffer = buffer[-LONGEST_CELL:]
    yield buffer


def sheet_paths(book: zipfile.ZipFile) -> list[str]:
    """The path of each sheet in the file, in order."""
    relations = {
        tag.get("Id", ""): tag.get("Target", "") for tag in _tags(book, "xl/_rels/workbook.xml.rels", _RELATION)
    }
    paths = []
    for sheet in _tags(book, "xl/workbook.xml", _SHEET):
        target = relations.get(next((sheet[name] for name in sheet if name.endswith(":id")), ""), "")
        paths.append(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
    return paths


def _tags(book: zipfile.ZipFile, path: str, tag: re.Pattern[bytes]) -> list[dict[str, str]]:
    """The attributes of each tag of this kind."""
    if path not in book.namelist():
        return []
    with book.open(path) as stream:
        content = stream.read(LARGEST_PART)
    return [
        {
            attribute[1].decode(): html.unescape((attribute[2] or attribute[3] or b"").decode("utf-8", "replace"))
            for attribute in _ATTRIBUTE.finditer(found[0])
        }
        for found in tag.finditer(content)
    ]
