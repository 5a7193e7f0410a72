"""Claims on the currency of a country: "Japan's currency is the yuan", "The pound is the currency of the United Kingdom".

A country's page seldom names its currency; the currency's page names its countries. That sentence decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, nation_of, nations_in
from retrieval.text.titles import without_bracket
from retrieval.text.words import stems
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match

SENTENCES_ON_CURRENCIES = 4  # of a page
_LAND = rf"(?:the )?(?P<land>{ANY_NATION})"
# "the yen", or a common name of money: "strong" is none
_COMMON = r"(?:dollar|pound|euro|yen|yuan|renminbi|rupee|peso|krona|krone|franc|rouble|ruble|real|won|lira|dinar|dirham|rand|baht|shekel|zloty|riyal|rial|shilling|mark)"
_MONEY = rf"(?:the |(?=(?:[a-z]+ )?{_COMMON}s?\b))(?P<money>[^,;:?!]{{2,30}}?)"
_CURRENCY = r"(?:official |national |main )?(?:currency|money)(?: unit)?"
_CLAIMS = claim_forms(
    rf"{_LAND}['’]s? {_CURRENCY} is {_MONEY}",
    rf"the {_CURRENCY} (?:of|in|used in) {_LAND} is (?:called )?{_MONEY}",
    rf"{_MONEY} is (?:the |an? )?{_CURRENCY} (?:of|in|used in) {_LAND}",
    rf"{_LAND} uses {_MONEY} as (?:its )?{_CURRENCY}",
)
# "has been the official currency of Japan since 1871"
_IS_OF = re.compile(
    r"\b(?:is|has been) (?:the|an|one of the) (?:sole )?(?:official |national )?currenc(?:y|ies)(?: unit)? of (?P<lands>[^.;]+)"
)
_SHARED = re.compile(
    r"\b(?:and|other|several|many|eurozone|union|formerly|until|territor\w+|members?|states|countries)\b"
)


def currency(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says of which country something is the currency: of the claim's currency, or else of another one of the claim's
    country. None if no page says so clearly."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    land, money = nation_of(match["land"]), stems(match["money"])
    others = list[Ruling]()
    for sentence in (sentence for page in pages for sentence in page.sentences()[:SENTENCES_ON_CURRENCIES]):
        found = _IS_OF.search(sentence.text.replace("U.S.", "US"))
        lands = found["lands"].split(" since ")[0] if found else ""
        named = set(nations_in(lands))
        same = money <= stems(" ".join((sentence.title, *sentence.all_names)))
        if same and land in named:
            return Ruling(sentence, True)
        if named and (land in named) != same and not _SHARED.search(lands):
            note = f"“{without_bracket(sentence.title)}” is the currency of {lands.strip()}."
            others.append(Ruling(sentence, False, note))
    return next(iter(others), None)
