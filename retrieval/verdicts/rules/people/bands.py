"""Claims that someone was in a band: "Mick Jagger was a member of the Beatles".

A band's page lists its members, and a network seldom takes the absence of a name for a refutation. Here the list decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.told import Told, pages_called

LOOKED_AT = 6  # sentences of a page
LEAST = 3  # names that make a list
_CLAIM = re.compile(
    r"^(?P<one>[^,;:?!]{3,50}?) (?:is|was) (?:in|(?:an? |one of the )?(?:[a-z]+ )?members? of|(?P<role>(?:the |an? )?(?:lead )?(?:singer|guitarist|drummer|bassist|frontman|vocalist)) (?:of|in|for)) "
    r"(?:the (?:band|group) )?(?P<band>(?:the )?[^,;:?!]{2,50}?)[.!]?$",
    re.IGNORECASE,
)
_BAND = re.compile(r"\b(?:is|was|are|were) an? [^.;]{0,60}?\b(?:band|group|duo|trio|quartet|quintet)\b")
_LIST = re.compile(
    r"\b(?:compris\w+|consist\w+ of|line-?up[^.;]{0,60}?|members[^.;]{0,40}?|composed of|formed by|founded by)\b"
)
_NAME = re.compile(r"[A-Z][\w'’.-]+ (?:[A-Z][\w'’.-]+ ?)+")


def in_band(claim: str, pages: Sequence[Page]) -> Told | None:
    """The sentence of the band's page that lists its members; None if there is none, or if the name is elsewhere on the page."""
    match = _CLAIM.match(" ".join(claim.split()))
    if match is None or len(match["one"].split()) < 2:
        return None
    one = fold(match["one"])
    for page in pages_called(match["band"], pages):
        first = page.sentences()[:LOOKED_AT]
        if not first or not _BAND.search(first[0].text):
            continue
        for sentence in first:
            behind = _LIST.search(sentence.text)
            if behind is None or len(_NAME.findall(sentence.text[behind.start() :])) < LEAST:
                continue
            if one in fold(sentence.text):
                return None if match["role"] else Told(sentence, True)
            if one.split()[-1] not in fold(page.text).split():
                return Told(sentence, False, f"“{without_bracket(page.title)}” lists other members.")
            return None
    return None
