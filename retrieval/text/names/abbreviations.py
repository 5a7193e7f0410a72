"""Names as people type them, in the form that pages have: "the UAE", "the USSR" and "NYC" in full; "Elizabeth the Second" as
"Elizabeth II".

A page calls itself by its initials, but a sentence on another page has the full name.
"""

from __future__ import annotations

import re

from retrieval.text.quantities.numbers import IN_ORDER, LARGEST_ROMAN, roman, value_of_ordinal

# Initials -> the name in full, with its article. "US" and "UK" are in as many sentences as their full names, so a claim keeps them.
_NAMES = {
    "UAE": "the United Arab Emirates",
    "USSR": "the Soviet Union",
    "GDR": "East Germany",
    "DRC": "the Democratic Republic of the Congo",
    "PRC": "the People's Republic of China",
    "NYC": "New York City",
    "EU": "the European Union",
    "UN": "the United Nations",
    "WHO": "the World Health Organization",
    "WTO": "the World Trade Organization",
    "IMF": "the International Monetary Fund",
    "PNG": "Papua New Guinea",
    "FBI": "the Federal Bureau of Investigation",
}
_OF_THE_US, _OF_THE_UK = re.compile(r"\bU\.?S\.?(?:A\b\.?)?(?!\w)"), re.compile(r"\bU\.?K\b\.?")
_DOTTED = re.compile(r"(?<!\w)(?:U\.K|U\.A\.E|U\.S\.S\.R|U\.N|E\.U)\.(?!\w)")
# Not "the EU Commission" or "a UN agency": there, the initials are part of another name or of a description.
_FOLLOWING = (
    r"is|was|are|were|has|had|have|did|does|do|and|or|but|in|on|at|by|for|from|to|of|with|as|when|since|until|till|after|before|during|"
    r"left|joined|became|consists|borders|contains|uses|lies|won|lost|can|will|ended|began|collapsed|launched|invaded|than"
)
_INITIALS = re.compile(
    rf"(?<![\w.&/-])(?P<article>[Tt]he )?(?P<name>{'|'.join(_NAMES)})(?=[,.;:!?]|$| (?:{_FOLLOWING})\b|['’]s\b)"
)
_RULER = r"(?:king|queen|pope|emperor|empress|tsar|czar|kaiser|sultan)"
_RULERS = (
    "elizabeth|henry|charles|george|william|edward|james|louis|philip|frederick|catherine|peter|alexander|nicholas|john paul|john|pius|"
    "benedict|mary|richard|napoleon|ramesses|ramses|darius|francis|victor emmanuel|ivan|haakon|christian|gustav|leopold|wilhelm|otto|"
    "harald|felipe|juan carlos|pedro|innocent|gregory|leo|clement|suleiman|mehmed|akbar|margrethe"
)
_ORDINAL_NAME = re.compile(
    rf"\b(?P<name>(?:{_RULER} )?(?:{_RULERS})|{_RULER} (?-i:[A-Z][a-z]+)),? the (?P<place>{IN_ORDER})\b"
    r"(?! (?:man|woman|person|people|time|son|daughter|child|day|president|king|queen|emperor|pope|one|world|half|part|most|in line|\w+est)\b)",
    re.IGNORECASE,
)


def in_full(text: str) -> str:
    """The text with the full names for initials that stand alone; a text in capitals is left as it is."""
    if text.isupper():
        return text
    return _INITIALS.sub(_named, _DOTTED.sub(_undotted, text))


def with_numerals(text: str) -> str:
    """The text with ordinals in the names of rulers as Roman numerals."""
    return _ORDINAL_NAME.sub(_with_numeral, text)


def with_us_and_uk(text: str) -> str:
    """The text with the full names of the US and the UK, so that its words can be compared with those of another text."""
    return _OF_THE_UK.sub("United Kingdom", _OF_THE_US.sub("United States", text))


def _undotted(match: re.Match[str]) -> str:
    """The initials without full stops, except one that ends the text."""
    return match[0].replace(".", "") + ("." if match.end() == len(match.string) else "")


def _named(match: re.Match[str]) -> str:
    name, before = _NAMES[match["name"]], match.string[: match.start()]
    if before.count(" ") > 1 and re.search(r"(?:^|\s)[A-Z][\w'’-]* $", before):
        return match.group()  # the end of another name
    if match["article"] is None and re.search(r"\b(?:an?|its|his|her|their|old|former) $", before):
        name = name.removeprefix("the ")
    return name if before.strip() else name[0].upper() + name[1:]


def _with_numeral(match: re.Match[str]) -> str:
    place = value_of_ordinal(match["place"])
    return f"{match['name']} {roman(place).upper()}" if place <= LARGEST_ROMAN else match[0]
