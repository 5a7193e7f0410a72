"""Claims that say how often something takes place: "every year" beside "takes place every four years"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches, pages_meant

_NUMBERS = {
    "two": 2, "other": 2, "second": 2, "three": 3, "third": 3, "four": 4, "fourth": 4, "five": 5, "fifth": 5, "six": 6, "seven": 7, "ten": 10,
}  # fmt: skip
# How often, in words: an adverb or an adjective, or "every" with a number of years.
_YEARS = {
    "annual": 1, "annually": 1, "yearly": 1, "each year": 1, "every year": 1, "once a year": 1, "biennial": 2, "biennially": 2,
    "triennial": 3, "triennially": 3, "quadrennial": 4, "quadrennially": 4,
}  # fmt: skip
_OFTEN = rf"(?:every (?P<many>{'|'.join(_NUMBERS)}|\d{{1,2}}) years?|(?P<word>{'|'.join(sorted(_YEARS, key=len, reverse=True))}))"
_TAKES_PLACE = (
    r"(?:held|awarded|given|presented|hosted|organi[sz]ed|staged|celebrated|elected|contested|played|run|conferred|bestowed|"
    r"takes? place|took place|occurs?|happens?|meets?)"
)
_EVENT = r"(?:elections?|competition|tournament|championships?|games|award|prize|festival|event|race)"
_CLAIMS = ClaimForms(
    rf"(?:the )?(?P<subject>[^,;:?!]{{2,60}}?) (?:(?:is|are|was|were|gets?) )?(?:an? |{_TAKES_PLACE} |normally |usually )*{_OFTEN}"
    rf"(?: {_EVENT})?"
)
_INTERVAL = re.compile(rf"\b{_OFTEN}(?![\w-])", re.IGNORECASE)
_PLACED = re.compile(rf"\b(?:{_TAKES_PLACE}|{_EVENT})\b", re.IGNORECASE)


def recurring(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that gives another interval; None if a sentence gives the claim's, or none gives any."""
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    found = matches(pages_meant(match["subject"], pages)[:1], _INTERVAL, first=8)
    intervals = [(sentence, interval) for sentence, interval in found if _PLACED.search(sentence.text)]
    if not intervals or any(_years(interval) == _years(match) for _, interval in intervals):
        return None
    sentence, interval = intervals[0]
    asked = match["word"] or f"every {match['many']}"
    return Ruling.quoting(sentence, interval.group(), (asked, interval.group()))


def _years(match: re.Match[str]) -> int:
    """The years of the interval."""
    if word := match["word"]:
        return _YEARS[word.lower()]
    return _NUMBERS.get(match["many"].lower()) or int(match["many"])
