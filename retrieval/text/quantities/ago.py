"""Times that a claim counts back from today: "over a century ago"."""

from __future__ import annotations

import re
from datetime import date

from retrieval.text.quantities.numbers import IN_WORDS, number_of_words

EARLIEST = 1000  # years before this are geology, or vague
_YEARS = {"year": 1, "decade": 10, "century": 100, "centurie": 100}
_AGO = re.compile(
    r"\b(?:(?P<more>(?:well |far )?(?:over|more than)|at least)|(?:less|fewer) than|under) (?P<count>[a-z]+(?:[ -][a-z]+){0,3}?|\d{1,4}) (?P<unit>year|decade|century|centurie)s? ago\b",
    re.IGNORECASE,
)


def with_years(text: str) -> str:
    """The text with "before 1926" for "over a century ago" and "after 2006" for "less than twenty years ago". Linear in its length."""
    return _AGO.sub(lambda match: _year(match) or match[0], text)


def _year(match: re.Match[str]) -> str:
    """The bound as a year; empty if the count is no number, or too large."""
    words = IN_WORDS.fullmatch(match["count"])
    number = number_of_words(words) if words else None
    count = match["count"].lower()
    value = int(count) if count.isdecimal() else 1 if count in ("a", "one") else int(number.value) if number else 0
    year = date.today().year - value * _YEARS[match["unit"].lower()]
    return f"{'before' if match['more'] else 'after'} {year}" if value and year >= EARLIEST else ""
