"""Countries, organisations and cities that people call by their initials: "the UAE", "the USSR", "NYC".

A page calls itself by them, but a sentence on another page has the full name: "the most populous city in the United Arab Emirates".
"""

from __future__ import annotations

import re

# Initials -> the name in full, with its article. "US" and "UK" are in as many sentences as their full names, so they stay in a claim.
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
_DOTTED = {"U.K.": "UK", "U.A.E.": "UAE", "U.S.S.R.": "USSR", "U.N.": "UN", "E.U.": "EU"}
# Nothing is said of "the EU Commission" or "a UN agency": there, the initials are part of another name or of a description.
_FOLLOWING = (
    r"is|was|are|were|has|had|have|did|does|do|and|or|but|in|on|at|by|for|from|to|of|with|as|when|since|until|till|after|before|during|"
    r"left|joined|became|consists|borders|contains|uses|lies|won|lost|can|will|ended|began|collapsed|launched|invaded|than"
)
_INITIALS = re.compile(
    rf"(?<![\w.&/-])(?P<article>[Tt]he )?(?P<name>{'|'.join(_NAMES)})(?=[,.;:!?]|$| (?:{_FOLLOWING})\b|['’]s\b)"
)
_SPELT = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _DOTTED))})(?!\w)")


def in_full(text: str) -> str:
    """The text with the full names for initials that stand alone; a text in capitals is left as it is."""
    if text.isupper():
        return text
    return _INITIALS.sub(_named, _SPELT.sub(_undotted, text))


def with_us_and_uk(text: str) -> str:
    """The text with the full names of these two, so that its words can be compared with those of another."""
    return _OF_THE_UK.sub("United Kingdom", _OF_THE_US.sub("United States", text))


def _undotted(match: re.Match[str]) -> str:
    """Without its dots, but for one that ends the text."""
    return _DOTTED[match.group()] + ("." if match.end() == len(match.string) else "")


def _named(match: re.Match[str]) -> str:
    name, before = _NAMES[match["name"]], match.string[: match.start()]
    if before.count(" ") > 1 and re.search(r"(?:^|\s)[A-Z][\w'’-]* $", before):
        return match.group()  # the end of another name
    if match["article"] is None and re.search(r"\b(?:an?|its|his|her|their|old|former) $", before):
        name = name.removeprefix("the ")
    return name if before.strip() else name[0].upper() + name[1:]
