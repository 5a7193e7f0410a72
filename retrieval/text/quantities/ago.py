"""Times that a claim counts back from today: "over a century ago"."""

from __future__ import annotations

import re
from datetime import date

from retrieval.text.quantities.numbers import whole_number

EARLIEST = 1000  # years before this are geology, or vague
_YEARS = {"year": 1, "decade": 10, "century": 100, "centurie": 100}
_AGO = re.compile(
    r"\b(?<!\bno )(?:(?P<more>(?:well |far )?(?:over|more than)|at least)|(?:less|fewer) than|under) (?P<count>[a-z]+(?:[ -][a-z]+){0,3}?|\d{1,4}) (?P<unit>year|decade|century|centurie)s? ago\b",
    re.IGNORECASE,
)


def with_years(text: str) -> str:
    """The text with "before 1926" for "over a century ago" and "after 2006" for "less than twenty years ago". Linear in its length."""
    return _AGO.sub(lambda match: _year(match) or match[0], text)


def _year(match: re.Match[str]) -> str:
    """The bound as a year; empty if the count is no whole number, or too large."""
    count = match["count"].lower()
    value = 1 if count == "a" else whole_number(count) or 0
    year = date.today().year - value * _YEARS[match["unit"].lower()]
    return f"{'before' if match['more'] else 'after'} {year}" if value and year >= EARLIEST else ""
