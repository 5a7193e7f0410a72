"""Claims that say how often something takes place: "The Fields Medal is awarded every year" beside "takes place every four years".

A network reads that it recurs, and takes another interval for support. Here, the intervals of the subject's page decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.titles import without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, pages_meant

LOOKED_AT = 8  # sentences of a page
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
_CLAIMS = claim_forms(
    rf"(?:the )?(?P<subject>[^,;:?!]{{2,60}}?) (?:(?:is|are|was|were|gets?) )?(?:an? |{_TAKES_PLACE} |normally |usually )*{_OFTEN}"
    rf"(?: {_EVENT})?"
)
_SAID = re.compile(rf"\b{_OFTEN}(?![\w-])", re.IGNORECASE)
_PLACED = re.compile(rf"\b(?:{_TAKES_PLACE}|{_EVENT})\b", re.IGNORECASE)


def recurring(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that gives another interval; None if a sentence gives the claim's, or none gives any."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    asked = _years(match)
    for page in pages_meant(match["subject"], pages)[:1]:
        said = list(_intervals(page))
        if said and all(years != asked for _, years, _ in said):
            sentence, _, words = said[0]
            return Ruling(sentence, False, f"“{without_bracket(page.title)}” says: {words}.", (_words(match), words))
    return None


def _intervals(page: Page) -> Iterator[tuple[Sentence, int, str]]:
    """The sentences that say how often something takes place, with the years between, and the words."""
    for sentence in page.sentences()[:LOOKED_AT]:
        if _PLACED.search(sentence.text):
            for found in _SAID.finditer(sentence.text):
                yield sentence, _years(found), found.group()


def _years(match: re.Match[str]) -> int:
    """The years of the interval."""
    if word := match["word"]:
        return _YEARS[word.lower()]
    return _NUMBERS.get(match["many"].lower()) or int(match["many"])


def _words(match: re.Match[str]) -> str:
    return match["word"] or f"every {match['many']}"
