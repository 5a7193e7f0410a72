"""Cells of a table that spreadsheets open."""

from __future__ import annotations

import re

# Where a cell begins, for readers that part cells by semicolon, tab or bar too, with what may stand before a formula.
FORMULA = re.compile(r"""(^|[;|\t\r\n])(?=[\s"]*[=+\-@\t\r\n＝＋－＠])""")


def safe_cell(value: object) -> object:
    """Text that a spreadsheet would run as a formula, made plain by an apostrophe in front of each place it begins."""
    return FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
