"""Makes the cells of exported tables safe for spreadsheet programs."""

from __future__ import annotations

import re

# Where a formula may begin: at the start of a cell, even for readers that separate cells by semicolon, bar or tab.
FORMULA = re.compile(r"""(^|[;|\t\r\n])(?=[\s"]*[=+\-@\t\r\n＝＋－＠])""")
NUMBER = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]{1,3})?%?")
DECIMALS = 4
BYTE_ORDER_MARK = "\ufeff"  # goes first in a table: without it, Excel takes UTF-8 for another encoding


def safe_cell(value: object) -> object:
    """A cell of an export: text by `safe_text`, numbers with at most `DECIMALS` places."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    return safe_text(value) if isinstance(value, str) else value


def safe_text(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet program would begin a formula; numbers stay as they are."""
    return text if NUMBER.fullmatch(text) else FORMULA.sub(r"\1'", text)
