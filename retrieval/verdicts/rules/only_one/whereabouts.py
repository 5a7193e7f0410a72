"""Claims that say where the holder of a place is: "The tallest waterfall in the world is in Brazil".

No sentence has it all: one page says who holds the place, and the holder's page where it lies. Here, both decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.names.nations import continents_in, countries_in, exclude, nation_of
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.only_one.place import words_of
from retrieval.verdicts.rules.only_one.sentences import places_given
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, pages_called, without_brackets

LOOKED_AT, OPENING = 12, 2  # sentences of a page
_OF_ALL = re.compile(r"\b(?:world|earth|globe|planet)\b", re.IGNORECASE)
_NAMES = re.compile(r"(?<=\w )[A-Z][\w-]+")
_CLAIMS = claim_forms(
    r"(?:the )?(?P<place>(?:[\w ]+['’]s )?(?:very )?(?:most [a-z]+|[a-z]{2,}est) [^,;:?!]{3,50}?) "
    r"(?:is|lies|stands|is located|is found|can be found) in (?:the )?(?P<where>(?-i:[A-Z])[^,;:?!]{2,30}?)"
)


def whereabouts(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the holder's page that says where it lies; None if no page names the holder, or its page does not say."""
    match = first_match(claim, _CLAIMS)
    words = words_of(match["place"]) if match else frozenset[str]()
    if match is None or len(words) < 2:
        return None
    of_all = _OF_ALL.search(match["place"]) is not None
    holders = {fold(holder) for page in pages for holder in _holders(page, words, of_all)}
    if len(holders) != 1:
        return None
    for page in pages_called(holders.pop(), pages)[:1]:
        return _lies_in(match["where"], page)
    return None


def place_located(claim: str) -> frozenset[str] | None:
    """The stems of the place whose holder the claim locates; None if it has another form."""
    match = first_match(claim, _CLAIMS)
    return words_of(match["place"]) if match else None


def gives_another_place(words: frozenset[str], sentence: Sentence) -> bool:
    """Whether the sentence gives the place with these words only within something named: "the deepest lake in North America"."""
    given = {place for _, place, _ in places_given(sentence)}
    names = words_of(" ".join(_NAMES.findall(sentence.text)))
    return words not in given and any(words < place and (place - words) & names for place in given)


def _holders(page: Page, words: frozenset[str], of_all: bool) -> Iterator[str]:
    """Who holds the place according to the page. of_all: whether it is one of the whole world, which a sentence must say."""
    for sentence in page.sentences()[:LOOKED_AT]:
        if not of_all or _OF_ALL.search(sentence.text):
            given = places_given(sentence)
            yield from (holder for holder, place, now in given if place == words and holder and now is not False)


def _lies_in(where: str, page: Page) -> Ruling | None:
    opening = [(one, without_brackets(one.text)) for one in page.sentences()[:OPENING]]
    nation, continents = nation_of(where), continents_in(where)
    for sentence, text in opening:
        if holds_name(fold(text), fold(where)) or (nation and nation in countries_in(text)):
            return Ruling(sentence, True)
        if continents and not nation and continents & continents_in(text):
            return Ruling(sentence, True)
    for sentence, text in opening:
        if told := _elsewhere(sentence, text, nation, continents):
            return Ruling(sentence, False, f"“{without_bracket(page.title)}” says: {told}.", (where, told))
    return None


def _elsewhere(sentence: Sentence, text: str, nation: str, continents: set[str]) -> str:
    """The country or continent that the sentence names, if the claim's is another; else empty."""
    countries = countries_in(text)
    if nation and countries:
        return countries[0] if all(exclude(nation, one) for one in countries) else ""
    told = continents_in(text)
    return sorted(told)[0] if continents and told and continents.isdisjoint(told) else ""
