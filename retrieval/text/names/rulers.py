"""Rulers as people say them, "Elizabeth the Second", in the form of pages: "Elizabeth II"."""

from __future__ import annotations

import re

from retrieval.text.quantities.numbers import IN_ORDER, LARGEST_ROMAN, roman, value_of_ordinal

_ROLE = r"(?:king|queen|pope|emperor|empress|tsar|czar|kaiser|sultan)"
_NAMES = (
    "elizabeth|henry|charles|george|william|edward|james|louis|philip|frederick|catherine|peter|alexander|nicholas|john paul|john|pius|"
    "benedict|mary|richard|napoleon|ramesses|ramses|darius|francis|victor emmanuel|ivan|haakon|christian|gustav|leopold|wilhelm|otto|"
    "harald|felipe|juan carlos|pedro|innocent|gregory|leo|clement|suleiman|mehmed|akbar|margrethe"
)
_SAID = re.compile(
    rf"\b(?P<name>(?:{_ROLE} )?(?:{_NAMES})|{_ROLE} (?-i:[A-Z][a-z]+)),? the (?P<place>{IN_ORDER})\b"
    r"(?! (?:man|woman|person|people|time|son|daughter|child|day|president|king|queen|emperor|pope|one|world|half|part|most|in line|\w+est)\b)",
    re.IGNORECASE,
)


def with_numerals(text: str) -> str:
    """The text with the numerals of its rulers as pages write them."""
    return _SAID.sub(_with_numeral, text)


def _with_numeral(match: re.Match[str]) -> str:
    place = value_of_ordinal(match["place"])
    return f"{match['name']} {roman(place).upper()}" if place <= LARGEST_ROMAN else match[0]
