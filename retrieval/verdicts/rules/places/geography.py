"""Claims about where a place lies: "Egypt borders Morocco", "Copenhagen is in Sweden".

A page lists all neighbours, and a network does not take the absence of a name for a refutation; nor does it see an exception, "all
other South American countries except Ecuador and Chile".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, countries_in, exclude, nation_of, nations_in
from retrieval.text.titles import begins_with_title, fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import (
    ClaimForms,
    Ruling,
    first_that_holds,
    is_about,
    matches,
    pages_called,
    without_brackets,
)

SENTENCES_ON_BORDERS = 12  # of a page
TWO = 2  # neighbours make a list
OPENING = 2  # sentences in which "bordering" is about the page's subject, whatever else they name

_LAND_OF = r"(?:the )?(?:(?:us |american |canadian )?(?:state|province) of )?"
_ONE, _OTHER = (
    rf"{_LAND_OF}(?P<one>[^,;:?!]{{2,40}}?)",
    rf"{_LAND_OF}(?!some|any|several|many |other )(?P<other>(?:(?! and | or )[^,;:?!]){{2,40}}?)",
)
_NEIGHBOURS = ClaimForms(
    rf"{_ONE} (?:borders(?: on)?|is bordered by|is next to|neighbou?rs|is a neighbou?r of|has a (?:land )?border with|shares a (?:land )?border with) {_OTHER}",
    rf"{_ONE} and {_OTHER} (?:share a (?:common |land )?border|border each other|are neighbou?rs|have a common border)",
)
_NAME = r"[A-Z][\w'’.-]+"
_LIST = re.compile(
    r"\b(?:(?:bordered|bounded) (?:(?:to|on|in) the [a-z]+(?: and [a-z]+)? )?by|borders(?: on)?(?! (?:is|are|was|were|ha[sd]|have)\b)|(?:shares?|has|with) (?:its )?(?:land |maritime )?borders? with|surrounded by|bordering)\b(?P<list>[^.;()]+)"
)
_AT_A_BORDER = re.compile(r"\b(?:border|neighbo|adjoin|frontier|boundar|bounded|across|separat|coast)", re.IGNORECASE)
_WATER = re.compile(r"\b(?:oceans?|seas?|water|gulf|bay|strait)\b", re.IGNORECASE)
_APART = re.compile(r",? (?:while|(?:it is )?(?:narrowly )?separated)\b")
_EXCEPT = re.compile(r"\b(?:except(?: for)?|but not|apart from|excluding|other than)\b(?P<none>.*)")

_NOT_SHARED = re.compile(
    r"\b(?:not|n['’]t|without) (?:to )?(?:(?:share|sharing|have|having) (?:an? |any )?(?:[a-z]+ )?(?:border|shoreline|coast(?:line)?|boundary|frontier)|border(?:ing)?|touch(?:ing)?)\b(?P<none>(?:(?! (?:but|except|other than|apart from|unlike|while|and [a-z])\b)[^.;,()])+)"
)

_KIND_OF_PLACE = (
    r"(?:city|town|village|capital|municipality|commune|port|resort|suburb|borough|district|county|province|region|state|canton|"
    r"prefecture|island|mountain|volcano|lake|castle|palace|cathedral|museum|airport|stadium|university|bridge|tower)"
)
_LOCATED = ClaimForms(
    rf"(?:the )?(?P<place>[^,;:?!]{{2,50}}?) (?:is|lies) (?:an? (?:[a-z]+ ){{0,3}}{_KIND_OF_PLACE} |located |situated )?(?:in|of) (?:the )?"
    rf"(?:(?:northern|southern|eastern|western|central) (?!america))?(?P<nation>{ANY_NATION})"
)
# "Vienna (German: Wien) is the capital of Austria", "the largest French-speaking city of Canada"
_NO_PLACE = re.compile(rf"\([^()]*\)|(?:{ANY_NATION})[ -](?:speaking|language)\b")
_IS_A_PLACE = re.compile(rf"\b(?:is|was) (?:an? |the |one of the )(?:[\w-]+,? (?:and )?){{0,4}}?{_KIND_OF_PLACE}\b")
_OUTSIDE = re.compile(
    r"(?i)\b(?:border\w*|near|from|between|across|shared?|both|north|south|east|west|former\w*|territor\w+|occupied|claimed|disputed|colon\w+|"
    r"administered|annexed|separat\w+)\b"
)


def neighbours(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the page of either that lists its neighbours: supports the claim if the other is one; refutes it if the page
    names the other in no sentence on borders, and the other's list does not name the first; else None.
    """
    match = _NEIGHBOURS.match(claim)
    if match is None:
        return None
    one, other = match["one"], match["other"]
    if ruling := _neighbour(one, other, pages):
        return ruling
    # Two countries have the same border, whichever page lists it.
    back, countries = _neighbour(other, one, pages), nation_of(one) and nation_of(other)
    on_borders = {sentence.text for sentence, _ in matches(pages_called(one, pages)[:1], _AT_A_BORDER)}
    silent = not any(holds_name(fold(text), fold(other)) for text in on_borders)
    return back if back and (back.holds or (countries and silent)) else None


def _neighbour(one: str, asked: str, pages: Sequence[Page]) -> Ruling | None:
    """Decided by the lists on the pages of both whether the other, which is asked for, is a neighbour of the first."""
    others = pages_called(asked, pages)[:1]
    names = {fold(asked), *(fold(without_bracket(other.title)) for other in others)}
    for page in pages_called(one, pages)[:1]:
        listed = _listed(page)
        for sentence, denied in matches([page], _NOT_SHARED, SENTENCES_ON_BORDERS, own=True):
            if any(holds_name(fold(denied["none"]), name) for name in names):
                return Ruling.quoting(sentence, denied.group(), (asked, denied.group()))
        for sentence, text in listed:
            none = _EXCEPT.search(text)
            if none and any(holds_name(fold(none["none"]), name) for name in names):
                return Ruling.quoting(sentence, text.strip(), (asked, none.group()))
            if any(holds_name(fold(text), name) for name in names):
                return Ruling(sentence, True)
        bordering = fold(" ".join(one.text for one in page.sentences() if _AT_A_BORDER.search(one.text)))
        named = any(holds_name(bordering, name) for name in names)
        theirs = [fold(_EXCEPT.sub("", text)) for other in others for _, text in _listed(other)]
        back = any(holds_name(text, fold(without_bracket(page.title))) for text in theirs)
        by_land = _WATER.search(asked) and any("land border" in one.text for one, _ in listed)
        if listed and others and not (named or back or by_land or any(_EXCEPT.search(text) for _, text in listed)):
            sentence, text = listed[0]
            return Ruling.quoting(sentence, text.strip(), (asked, text.strip()))
    return None


def _listed(page: Page) -> list[tuple[Sentence, str]]:
    """The sentences of the page that list the neighbours of its subject, and the lists."""
    return [
        (sentence, _APART.split(match["list"])[0])
        for sentence in page.sentences()[:SENTENCES_ON_BORDERS]
        for match in _LIST.finditer(without_brackets(sentence.text))
        if len(re.findall(_NAME, match["list"])) >= TWO
        and (
            is_about(page.title, match.string[: match.start()])
            or (sentence.line == 0 and begins_with_title(sentence.text, sentence.title))
            or (match.group().startswith("bordering") and sentence.line < OPENING)
        )
    ]


def located(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The first sentence of the place's page, if it names another country and no other that may be the claim's."""
    match = _LOCATED.match(claim)
    nation = nation_of(match["nation"]) if match else ""
    if match is None or not nation:
        return None
    return first_that_holds(_in_another(nation, page) for page in pages_called(match["place"], pages))


def _in_another(nation: str, page: Page) -> Ruling | None:
    for sentence in page.sentences()[:1]:
        text = " ".join(_NO_PLACE.sub("", sentence.text).split())
        named = set(nations_in(text))
        countries = set(countries_in(text)) - {"Georgia"}  # which may be a state
        if nation in named or len(countries) != 1 or not _IS_A_PLACE.search(text) or _OUTSIDE.search(text):
            return None
        (other,) = countries
        if other != nation and exclude(nation, other):
            return Ruling.quoting(sentence, other)
    return None
