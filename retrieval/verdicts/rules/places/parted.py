"""Claims that a country or place once belonged to another: "Slovenia was part of Yugoslavia", "India was a British colony".

A network takes "split from Yugoslavia" for a contradiction. Here, a sentence of the place's page that tells of leaving the other, or of
being its part, supports the claim. None refutes it: a short page leaves most of a place's past out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, nation_of
from retrieval.text.titles import without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, pages_called

LOOKED_AT = 25  # sentences of a page
_PART = r"(?:part|republic|province|colony|territory|possession|dominion|protectorate|state|member|region|overseas territory|dependency)"
_ONCE = r"(?:once |formerly |previously |originally |at one time |for a time |long )?"
_PLACE, _WHOLE = r"(?:the )?(?P<place>[^,;:?!]{2,40}?)", r"(?:the )?(?P<whole>[^,;:?!]{2,40}?)"
_CLAIMS = claim_forms(
    rf"{_PLACE} (?:was|used to be|had been) {_ONCE}(?:an? |one of the )?{_PART}s? of {_WHOLE}",
    rf"{_PLACE} (?:once |formerly |previously )?(?:belonged|used to belong) to {_WHOLE}",
    rf"{_PLACE} (?:was|used to be) {_ONCE}(?:an? )?(?P<nation>{ANY_NATION}) (?:colony|territory|possession|province|protectorate|dominion)",
    rf"{_PLACE} (?:gained|won|declared|got) (?:its )?independence from {_WHOLE}",
)
_LEFT = (
    r"(?:(?:split|separated?|seced\w+|broke away|breaking away|withdrew|independen(?:ce|t)|freed|liberated|detached|partition\w*|independence was \w+) (?:from|of)"
    r"|(?:part|republics?|provinces?|colony|colonies|territory|territories|possessions?|dominion|protectorate|members?) of|province in|under|ruled by|governed by|colon[iy]\w+ by|administered by|"
    r"annexed (?:by|to|into)|incorporated into|belong\w* to|ceded (?:to|by))"
)
_NOT = re.compile(r"\b(?:never|not|resisted|except|map|attempt\w*|tried|failed)\b")


def parted(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the place's page by which it was part of the other; None if there is none."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    said = match.groupdict()
    whole = said.get("nation") or said.get("whole") or ""
    called = "|".join(re.escape(name) for name in _names(whole, pages))
    left = re.compile(rf"\b{_LEFT} (?:the )?(?:[\w'’-]+ ){{0,4}}?(?:{called})\b", re.IGNORECASE)
    for page in pages_called(match["place"], pages):
        for sentence in page.sentences()[:LOOKED_AT]:
            if left.search(sentence.text) and not _NOT.search(sentence.text):
                return Ruling(sentence, True)
    return None


def _names(whole: str, pages: Sequence[Page]) -> set[str]:
    """What a sentence may call the whole: the claim's words, or a nation's other forms."""
    nation = nation_of(whole)
    return {whole, *(without_bracket(page.title) for page in pages_called(whole, pages))} | (
        {nation} if nation else set()
    )
