"""Claims that say between whom something was fought, what something separates, or who attacked a place.

A network seldom finds "the United Kingdom" in "the UK", or Japan in "the Imperial Japanese Navy".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, exclude, nation_of, nations_in
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_called, without_brackets

SENTENCES_ON_SIDES, SENTENCES_ON_ATTACKERS = 4, 3  # of a page

# "The Falklands War was between Argentina and the UK"
_FOUGHT_BETWEEN = ClaimForms(
    r"(?:the )?(?P<event>[^,;:?!]{2,60}?) (?:is|was|lies|lay|took place|happened)(?: (?:an? )?(?:fought|war|conflict|battle|armed conflict))? between "
    r"(?:the )?(?P<one>[^,;:?!]{2,40}?) and (?:the )?(?P<other>[^,;:?!]{2,40}?)",
    r"(?:the )?(?P<event>[^,;:?!]{2,60}?) (?:separates|separated|divides|divided|joins|connects|links) (?:the )?(?P<one>[^,;:?!]{2,40}?) "
    r"(?:from|and|to|with) (?:the )?(?P<other>[^,;:?!]{2,40}?)",
)
_BETWEEN = re.compile(
    r"\b(?:between|pitted|waged by|fought by|separat(?:es|ed|ing)|divid(?:es|ed|ing)|join(?:s|ed|ing)|connect(?:s|ed|ing)|link(?:s|ed|ing)) "
    r"(?P<sides>[^.;:]{5,200})"
)

# "Japan attacked Pearl Harbor"
_ATTACKS = "attacked|bombed|invaded|raided"
_ATTACKED = ClaimForms(
    rf"(?:the )?(?P<by>{ANY_NATION})(?:ese|ns|s)? (?:{_ATTACKS}) (?:the )?(?P<place>[^,;:?!]{{2,40}}?)(?: in (?P<year>\d{{4}}))?",
    rf"(?:the )?(?P<place>[^,;:?!]{{2,40}}?) was (?:{_ATTACKS}) by (?:the )?(?P<by>{ANY_NATION})(?:ese|ns|s)?(?: in (?P<year>\d{{4}}))?",
)
_TITLE = re.compile(r"^(?:attacks? on|bombings? of|invasion of|raid on|bombardment of) (?:the )?(?P<place>.+)$")
_BY = re.compile(
    r"\b(?:by|carried out by|from) (?:the )?(?P<who>[^,.;()]{3,60}?)(?= (?:against|on|upon|in|at)\b|[,.;()])"
)


def fought_between(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the event's page that names both sides of the claim; None if there is none."""
    match = _FOUGHT_BETWEEN.match(claim)
    if match is None:
        return None
    for page in pages_called(match["event"], pages)[:1]:
        for sentence in page.sentences()[:SENTENCES_ON_SIDES]:
            for found in _BETWEEN.finditer(without_brackets(sentence.text)):
                names, nations = fold(found["sides"]), set(nations_in(found["sides"]))  # "the British Empire" is the UK
                if all(
                    holds_name(names, fold(one)) or nation_of(one) in nations for one in match.group("one", "other")
                ):
                    return Ruling(sentence, True)
    return None


def attacked(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the attack's page that says whose it was; None if it names no country, or if there is no such page."""
    match = _ATTACKED.match(claim)
    if match is None:
        return None
    nation, place = nation_of(match["by"]), fold(match["place"])
    for page in pages:
        titled = _TITLE.match(fold(without_bracket(page.title)))
        if titled is None or titled["place"] != place:
            continue
        for sentence in page.sentences()[:SENTENCES_ON_ATTACKERS]:
            nations = [one for found in _BY.finditer(sentence.text) for one in nations_in(found["who"])]
            if nation in nations:
                return Ruling(sentence, True) if (match["year"] or "") in sentence.text else None
            if nations and all(exclude(nation, one) for one in nations) and nation not in nations_in(page.text):
                note = f"“{page.title}” says: by {' and '.join(nations)}."
                return Ruling(sentence, False, note, (match["by"], nations[0]))
    return None
