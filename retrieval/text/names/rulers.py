"""Rulers as people say them, "Elizabeth the Second", in the form of pages: "Elizabeth II"."""

from __future__ import annotations

import re

_NUMERALS = {
    "first": "I", "second": "II", "third": "III", "fourth": "IV", "fifth": "V", "sixth": "VI", "seventh": "VII", "eighth": "VIII",
    "ninth": "IX", "tenth": "X", "twelfth": "XII", "thirteenth": "XIII", "fourteenth": "XIV", "fifteenth": "XV", "sixteenth": "XVI",
    "twenty-third": "XXIII",
}  # fmt: skip
_ROLE = r"(?:king|queen|pope|emperor|empress|tsar|czar|kaiser|sultan)"
_NAMES = (
    "elizabeth|henry|charles|george|william|edward|james|louis|philip|frederick|catherine|peter|alexander|nicholas|john paul|john|pius|"
    "benedict|mary|richard|napoleon|ramesses|ramses|darius|francis|victor emmanuel|ivan|haakon|christian|gustav|leopold|wilhelm|otto|"
    "harald|felipe|juan carlos|pedro|innocent|gregory|leo|clement|suleiman|mehmed|akbar|margrethe"
)
_SAID = re.compile(
    rf"\b(?P<name>(?:{_ROLE} )?(?:{_NAMES})|{_ROLE} (?-i:[A-Z][a-z]+)),? the (?P<place>{'|'.join(_NUMERALS)})\b"
    r"(?! (?:man|woman|person|people|time|son|daughter|child|day|president|king|queen|emperor|pope|one|world|half|part|most|in line|\w+est)\b)",
    re.IGNORECASE,
)


def with_numerals(text: str) -> str:
    """The text with the numerals of its rulers as pages write them."""
    return _SAID.sub(lambda match: f"{match['name']} {_NUMERALS[match['place'].lower()]}", text)
