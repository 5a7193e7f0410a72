"""Claims that say who attacked a place: "Japan attacked Pearl Harbor".

A network does not find a country in "the Imperial Japanese Navy". Here, the page of the attack says by whom it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, exclude, nation_of, nations_in
from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match

LOOKED_AT = 3  # sentences of a page
_DONE = "attacked|bombed|invaded|raided"
_CLAIMS = claim_forms(
    rf"(?:the )?(?P<by>{ANY_NATION})(?:ese|ns|s)? (?:{_DONE}) (?:the )?(?P<place>[^,;:?!]{{2,40}}?)(?: in (?P<year>\d{{4}}))?",
    rf"(?:the )?(?P<place>[^,;:?!]{{2,40}}?) was (?:{_DONE}) by (?:the )?(?P<by>{ANY_NATION})(?:ese|ns|s)?(?: in (?P<year>\d{{4}}))?",
)
_PAGE = re.compile(r"^(?:attacks? on|bombings? of|invasion of|raid on|bombardment of) (?:the )?(?P<place>.+)$")
_BY = re.compile(
    r"\b(?:by|carried out by|from) (?:the )?(?P<who>[^,.;()]{3,60}?)(?= (?:against|on|upon|in|at)\b|[,.;()])"
)


def attacked(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the attack's page that says whose it was; None if it names no country, or if there is no such page."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    nation, place = nation_of(match["by"]), fold(match["place"])
    for page in pages:
        titled = _PAGE.match(fold(without_bracket(page.title)))
        if titled is None or titled["place"] != place:
            continue
        for sentence in page.sentences()[:LOOKED_AT]:
            told = [one for found in _BY.finditer(sentence.text) for one in nations_in(found["who"])]
            if nation in told:
                return Ruling(sentence, True) if (match["year"] or "") in sentence.text else None
            if told and all(exclude(nation, one) for one in told) and nation not in nations_in(page.text):
                return Ruling(sentence, False, f"“{page.title}” says: by {' and '.join(told)}.", (match["by"], told[0]))
    return None
