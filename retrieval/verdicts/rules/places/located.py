"""Claims that say in which country a place lies: "Copenhagen is in Sweden" beside "the capital of Denmark".

A network often takes a sentence that names the neighbouring country for support. Here, the first sentence of the place's page
decides, if it names one country.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, countries_in, exclude, nation_of, nations_in
from retrieval.text.titles import without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, first_that_holds, pages_called

_PLACE = (
    r"(?:city|town|village|capital|municipality|commune|port|resort|suburb|borough|district|county|province|region|state|canton|"
    r"prefecture|island|mountain|volcano|lake|castle|palace|cathedral|museum|airport|stadium|university|bridge|tower)"
)
_CLAIMS = claim_forms(
    rf"(?:the )?(?P<place>[^,;:?!]{{2,50}}?) (?:is|lies) (?:an? (?:[a-z]+ ){{0,3}}{_PLACE} |located |situated )?(?:in|of) (?:the )?"
    rf"(?:(?:northern|southern|eastern|western|central) (?!america))?(?P<nation>{ANY_NATION})"
)
# "Vienna (German: Wien) is the capital of Austria", "the largest French-speaking city of Canada"
_NO_PLACE = re.compile(rf"\([^()]*\)|(?:{ANY_NATION})[ -](?:speaking|language)\b")
_IS_A_PLACE = re.compile(rf"\b(?:is|was) (?:an? |the |one of the )(?:[\w-]+,? (?:and )?){{0,4}}?{_PLACE}\b")
_OUTSIDE = re.compile(
    r"\b(?:border\w*|near|from|between|across|shared?|both|north|south|east|west|former\w*|territor\w+|occupied|claimed|disputed|colon\w+|"
    r"administered|annexed|separat\w+)\b",
    re.IGNORECASE,
)


def located(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The first sentence of the place's page, if it names another country and no other that may be the claim's; None if the page
    does not say, or if the claim has another form."""
    match = first_match(claim, _CLAIMS)
    nation = nation_of(match["nation"]) if match else ""
    if match is None or not nation:
        return None
    return first_that_holds(filter(None, (_in(nation, page) for page in pages_called(match["place"], pages))))


def _in(nation: str, page: Page) -> Ruling | None:
    for sentence in page.sentences()[:1]:
        text = " ".join(_NO_PLACE.sub("", sentence.text).split())
        named = set(nations_in(text))
        told = set(countries_in(text)) - {"Georgia"}  # which may be a state
        if nation in named or len(told) != 1 or not _IS_A_PLACE.search(text) or _OUTSIDE.search(text):
            return None
        (other,) = told
        if other != nation and exclude(nation, other):
            return Ruling(sentence, False, f"“{without_bracket(page.title)}” says: {other}.")
    return None
