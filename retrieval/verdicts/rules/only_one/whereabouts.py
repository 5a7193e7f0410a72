"""Claims that say where the holder of a place is: "The tallest waterfall in the world is in Brazil".

One page says who holds the place, and the holder's page where it lies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import continents_in, countries_in, exclude, nation_of
from retrieval.text.titles import fold, holds_name
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.only_one.place import words_of
from retrieval.verdicts.rules.only_one.sentences import places_given
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_called, sentences_of, without_brackets

SENTENCES_ON_HOLDERS, OPENING_SENTENCES = 12, 2  # of a page
_OF_ALL = re.compile(r"\b(?:world|earth|globe|planet)\b", re.IGNORECASE)
_NAMES = re.compile(r"(?<=\w )[A-Z][\w-]+")
_CLAIMS = ClaimForms(
    r"(?:the )?(?P<place>(?:[\w ]+['’]s )?(?:very )?(?:most [a-z]+|[a-z]{2,}est) [^,;:?!]{3,50}?) "
    r"(?:is|lies|stands|is located|is found|can be found) in (?:the )?(?P<where>(?-i:[A-Z])[^,;:?!]{2,30}?)"
)


def whereabouts(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the holder's page that says where it lies; None if no page names the holder, or its page does not say."""
    match = _CLAIMS.match(claim)
    words = words_of(match["place"]) if match else frozenset[str]()
    if match is None or len(words) < 2:
        return None
    # If the claim says “in the world”, so must the sentence.
    of_all = _OF_ALL.search(match["place"]) is not None
    sentences = (one for one in sentences_of(pages, SENTENCES_ON_HOLDERS) if not of_all or _OF_ALL.search(one.text))
    places = (place for one in sentences for place in places_given(one))
    holders = {fold(holder) for holder, place, now in places if place == words and holder and now is not False}
    if len(holders) != 1:
        return None
    return next((_lies_in(match["where"], page) for page in pages_called(holders.pop(), pages)[:1]), None)


def place_located(claim: str) -> frozenset[str] | None:
    """The stems of the place whose holder the claim locates; None if it has another form."""
    match = _CLAIMS.match(claim)
    return words_of(match["place"]) if match else None


def gives_another_place(words: frozenset[str], sentence: Sentence) -> bool:
    """Whether the sentence gives the place with these words only within something named: "the deepest lake in North America"."""
    places = {place for _, place, _ in places_given(sentence)}
    names = words_of(" ".join(_NAMES.findall(sentence.text)))
    return words not in places and any(words < place and (place - words) & names for place in places)


def _lies_in(where: str, page: Page) -> Ruling | None:
    opening = [(one, without_brackets(one.text)) for one in page.sentences()[:OPENING_SENTENCES]]
    nation, continents = nation_of(where), continents_in(where)
    for sentence, text in opening:
        in_nation = nation and nation in countries_in(text)
        on_continent = not nation and continents & continents_in(text)
        if in_nation or on_continent or holds_name(fold(text), fold(where)):
            return Ruling(sentence, True)
    for sentence, text in opening:
        if other := _elsewhere(text, nation, continents):
            return Ruling.quoting(sentence, other, (where, other))
    return None


def _elsewhere(text: str, nation: str, continents: set[str]) -> str:
    """The country or continent that the text names, if the claim's is another; else empty."""
    countries = countries_in(text)
    if nation and countries:
        return countries[0] if all(exclude(nation, one) for one in countries) else ""
    others = continents_in(text)
    return sorted(others)[0] if continents and others and continents.isdisjoint(others) else ""
