"""Claims that say of which country a maker is: "Nutella is made by a German company" beside "manufactured by the Italian company …".

A network takes the other adjective for a detail. Here, the page of the work or thing decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, exclude, nation_of, nations_in
from retrieval.text.titles import without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import (
    Ruling,
    claim_forms,
    first_match,
    pages_called,
    pages_meant,
    without_brackets,
)

LOOKED_AT = 6  # sentences of a page
_CLAIMS = claim_forms(
    r"(?:the )?(?P<work>[^,;:?!]{2,60}?) (?:is|was|are|were) (?:an? (?:[\w-]+ ){1,4}?)?(?:originally |first )?(?:(?:made|created|written|directed|produced|manufactured|invented|designed|developed|founded|painted|composed|owned|recorded|published|built) )?by an? "
    rf"(?P<nation>{ANY_NATION}) (?P<role>[a-z][a-z -]{{2,30}}?)(?: (?:called|named) [^,;:?!]{{2,40}}?)?"
)
_BY = re.compile(
    rf"\bby (?:the )?(?:[a-z-]+ ){{0,2}}?(?P<nations>(?:{ANY_NATION})(?:[-– ](?:{ANY_NATION}))*) (?P<role>[a-z]+(?: [a-z]+)?)"
)


def of_makers_nation(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the maker's country; None if none does, or if the page also names the claim's."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    nation, head = nation_of(match["nation"]), match["role"].split()[-1].lower()
    meant = pages_called(match["work"], pages) or pages_meant(match["work"], pages)
    # Of several works of one name, any may be meant.
    return _by(nation, head, match["nation"], meant[0]) if len(meant) == 1 else None


def _by(nation: str, head: str, asked: str, page: Page) -> Ruling | None:
    too = nation in nations_in(without_brackets(page.text))
    for sentence in page.sentences()[:LOOKED_AT]:
        for found in _BY.finditer(sentence.text):
            told = set(nations_in(found["nations"]))
            if nation in told and head in found["role"].split():
                return Ruling(sentence, True)
            if told and not too and all(exclude(nation, one) for one in told):
                note = f"“{without_bracket(page.title)}” says: {found['nations']} {found['role']}."
                return Ruling(sentence, False, note, (asked, found["nations"]))
    return None
