"""Cells of a table that spreadsheets open."""

from __future__ import annotations

import re

FORMULA = re.compile(r"\s*[=+\-@\t\r\n＝＋－＠]")


def safe_cell(value: object) -> object:
    """Text that a spreadsheet would run as a formula, made plain by an apostrophe in front; other values as they are."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value
