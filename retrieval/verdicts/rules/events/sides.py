"""Claims that say between whom something was fought, or what it separates: "The Falklands War was between Argentina and the UK".

A network seldom finds "the United Kingdom" in "the UK". Here, the page that says "between … and …" or "separates … from …" supports
the claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import nation_of, nations_in
from retrieval.text.titles import fold, holds_name
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, pages_called, without_brackets

LOOKED_AT = 4  # sentences of a page
_CLAIMS = claim_forms(
    r"(?:the )?(?P<event>[^,;:?!]{2,60}?) (?:is|was|lies|lay|took place|happened)(?: (?:an? )?(?:fought|war|conflict|battle|armed conflict))? between "
    r"(?:the )?(?P<one>[^,;:?!]{2,40}?) and (?:the )?(?P<other>[^,;:?!]{2,40}?)",
    r"(?:the )?(?P<event>[^,;:?!]{2,60}?) (?:separates|separated|divides|divided|joins|connects|links) (?:the )?(?P<one>[^,;:?!]{2,40}?) "
    r"(?:from|and|to|with) (?:the )?(?P<other>[^,;:?!]{2,40}?)",
)
_BETWEEN = re.compile(
    r"\b(?:between|pitted|waged by|fought by|separat(?:es|ed|ing)|divid(?:es|ed|ing)|join(?:s|ed|ing)|connect(?:s|ed|ing)|link(?:s|ed|ing)) "
    r"(?P<sides>[^.;:]{5,200})"
)


def fought_between(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the event's page that names both sides of the claim; None if there is none."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    for page in pages_called(match["event"], pages)[:1]:
        for sentence in page.sentences()[:LOOKED_AT]:
            for found in _BETWEEN.finditer(without_brackets(sentence.text)):
                if all(_is_among(match[side], found["sides"]) for side in ("one", "other")):
                    return Ruling(sentence, True)
    return None


def _is_among(side: str, sides: str) -> bool:
    """Whether the sides name this one, perhaps by another name of its country: "the British Empire"."""
    return holds_name(fold(sides), fold(side)) or nation_of(side) in set(nations_in(sides))
