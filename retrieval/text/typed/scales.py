"""Millions as people shorten them: "a population of 3.3m". `text.quantities` reads "20k" and "5bn" as they are."""

from __future__ import annotations

import re

# Metres have no population and are not sold.
_COUNTED = (
    r"people|inhabitants|residents|citizens|users|members|followers|subscribers|viewers|visitors|passengers|students|employees|deaths|"
    r"copies|albums|records|units|books|cars|votes|dollars|euros|pounds"
)
_ABOUT = r"(?: (?:about|around|roughly|over|nearly|almost|some|just over|just under))?"
_MILLIONS = re.compile(
    rf"(?P<before>\b(?:population|number)(?: of \w+)? (?:of|is|was){_ABOUT} )(?P<number>\d[\d.,]*) ?m(?!\w)"
    rf"|(?<![\w.,])(?P<number2>\d[\d.,]*) ?m(?= (?:{_COUNTED})\b)",
    re.IGNORECASE,
)


def with_millions(text: str) -> str:
    """The text with "million" for an "m" behind a number that counts people or things."""
    return _MILLIONS.sub(lambda found: f"{found['before'] or ''}{found['number'] or found['number2']} million", text)
