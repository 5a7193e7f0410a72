"""Millions as people shorten them: "a population of 3.3m". `text.quantities` reads "20k", "5bn" and "3m people" as they are."""

from __future__ import annotations

import re

# Metres are no population.
_MILLIONS = re.compile(
    r"(?P<before>\b(?:population|number)(?: of \w+)? (?:of|is|was)(?: (?:about|around|roughly|over|nearly|almost|some|just over|just under))? )"
    r"(?P<number>\d[\d.,]*) ?m(?!\w)",
    re.IGNORECASE,
)


def with_millions(text: str) -> str:
    """The text with "million" for an "m" behind a number that counts people or things."""
    return _MILLIONS.sub(r"\g<before>\g<number> million", text)
