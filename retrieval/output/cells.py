"""Cells of a table that spreadsheets open."""

from __future__ import annotations

import re

# The beginning of a cell, also for readers that separate cells by semicolon, tab or bar, with what may precede a formula.
FORMULA = re.compile(r"""(^|[;|\t\r\n])(?=[\s"]*[=+\-@\t\r\n＝＋－＠])""")


NUMBER = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]{1,3})?%?")
DECIMALS = 4
BYTE_ORDER_MARK = "\ufeff"  # at the start of a table: without it, Excel takes UTF-8 for another encoding


def safe_cell(value: object) -> object:
    """The content of a cell of an export: text as `safe_text`, numbers with at most `DECIMALS` places."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    return safe_text(value) if isinstance(value, str) else value


def safe_text(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet would begin a formula; a number stays a number."""
    return text if NUMBER.fullmatch(text) else FORMULA.sub(r"\1'", text)
