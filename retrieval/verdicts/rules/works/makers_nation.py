"""Claims that say of which country a maker is: "Nutella is made by a German company" beside "manufactured by the Italian company …".

A network takes the other adjective for a detail. Here, the page of the work or thing decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, exclude, nation_of, nations_in
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import (
    Ruling,
    claim_forms,
    first_match,
    matches,
    pages_called,
    pages_meant,
    refuted_by,
    without_brackets,
)

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
    meant = (pages_called(match["work"], pages) or pages_meant(match["work"], pages)) if match else []
    if match is None or len(meant) != 1:  # of several works of one name, any may be meant
        return None
    nation, head = nation_of(match["nation"]), match["role"].split()[-1].lower()
    too = nation in nations_in(without_brackets(meant[0].text))
    for sentence, found in matches(meant, _BY, first=6):
        nations = set(nations_in(found["nations"]))
        if nation in nations and head in found["role"].split():
            return Ruling(sentence, True)
        if nations and not too and all(exclude(nation, one) for one in nations):
            return refuted_by(sentence, f"{found['nations']} {found['role']}", (match["nation"], found["nations"]))
    return None
