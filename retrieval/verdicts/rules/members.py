"""Claims that a country is in an organisation: "Iceland is in NATO", "Norway is a member of the European Union".

Pages mention it in passing ("the smallest population of any NATO member", "despite rejecting full EU membership"), and a network
only sees the two names. Here, the sentence of the country's page that speaks of membership decides, else a list on the organisation's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.names.nations import ANY_NATION, nation_of, nations_in
from retrieval.text.titles import without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, matches, pages_called

NEAR = 60  # characters between the organisation and the word for belonging to it
BEFORE, BEHIND = 25, 10  # and from these two to a word that denies it
# An organisation's names, separated by "/".
_ORGANISATIONS = (
    "European Union/EU", "North Atlantic Treaty Organization/North Atlantic Treaty Organisation/North Atlantic Treaty/NATO",
    "United Nations/UN", "Commonwealth of Nations/British Commonwealth/Commonwealth", "Eurozone/eurozone/euro area/euro zone",
    "Schengen Area/Schengen", "Organisation for Economic Co-operation and Development/OECD",
    "Organization of the Petroleum Exporting Countries/OPEC", "Association of Southeast Asian Nations/ASEAN",
    "African Union", "Arab League", "Warsaw Pact", "European Economic Area/EEA", "European Free Trade Association/EFTA",
    "Council of Europe", "World Trade Organization/WTO", "Group of Seven/G7", "Group of Eight/G8", "Group of Twenty/G20/G-20",
    "BRICS", "Nordic Council", "Mercosur", "Organization of American States/OAS", "Benelux",
)  # fmt: skip
_NAMES = {name.lower(): names.split("/") for names in _ORGANISATIONS for name in names.split("/")}
_CLAIMS = claim_forms(
    r"(?:the )?(?P<country>[^,;:?!]{2,40}?) (?:(?:is|are)(?: also| still| now| currently)? (?:in|part of|(?:an? |one of the )?(?:[a-z]+ )?members?(?: state| states| country| nation)? of)|belongs? to|has joined|joined) "
    rf"(?:the )?(?P<organisation>{'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})"
)
_EURO = claim_forms(
    r"(?:the )?(?P<country>[^,;:?!]{2,40}?) (?:uses|has|adopted) the euro(?: as its currency)?",
    r"(?:the )?(?P<country>[^,;:?!]{2,40}?)['’]s currency is the euro",
    r"(?:the )?euro is (?:the|an) (?:official )?currency (?:of|in) (?:the )?(?P<country>[^,;:?!]{2,40}?)",
)
# On the organisation's page: "by the first five members: Iran, Iraq, …".
_LISTED = re.compile(
    r"\b(?:members?|states|countries|nations)\b[^:.;]{0,60}: (?P<all>(?:(?:the|kingdom of|republic of) )*(?:"
    + ANY_NATION
    + r"),[^.;]+)",
    re.IGNORECASE,
)
_NARROWER = re.compile(
    r"\b(?:founding|original|first|permanent|new) member", re.IGNORECASE
)  # which is more than a member
_BELONGS = r"(?<!its )(?<!their )(?:member(?! (?:states|countries|nations)\b)|(?:one of|among) the [\w -]{0,20}members|membership|joined|acceded|accession|admitted|part of)\b"
_NOT = re.compile(
    r"\b(?:not|never|nor|non-\w+|reject\w*|withdr\w+|left|leav\w+|exit\w*|former\w*|outside|declin\w+|suspend\w*|expel\w*|until)\b"
)
_UNSURE = re.compile(
    r"\b(?:candida\w+|appli\w+|apply\w*|negotiat\w+|aspir\w+|seek\w*|potential|prospect\w*|future|observer|associat\w*|bid|lost|replac\w*|represent\w*|would|may|should|plan\w*)\b"
)


def member(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says whether the country belongs to the organisation; None if its page does not say, or not clearly."""
    euro, match = first_match(claim, _EURO), first_match(claim, _CLAIMS)
    found = euro or match
    country, organisation = found["country"] if found else "", match["organisation"] if match else "eurozone"
    if not nation_of(country) or _NARROWER.search(claim):
        return None
    names = "|".join(map(re.escape, _NAMES[organisation.lower()]))
    name = rf"\b(?:{names})\b(?! (?:of |for )?[A-Z])"
    belongs = re.compile(rf"{name}[^.;]{{0,{NEAR}}}?\b{_BELONGS}|\b{_BELONGS}[^.;]{{0,{NEAR}}}?{name}")
    for page in pages_called(country, pages):
        for sentence in page.sentences():
            text = sentence.text
            clauses = [text[max(0, one.start() - BEFORE) : one.end() + BEHIND] for one in belongs.finditer(text)]
            if not clauses or _UNSURE.search(text):
                continue
            if not any(map(_NOT.search, clauses)):
                return Ruling(sentence, True)
            note = f"“{without_bracket(page.title)}” speaks against membership: {organisation}."
            return Ruling(sentence, False, note)
    return next(_listed(nation_of(country), organisation, pages), None)


def _listed(country: str, organisation: str, pages: Sequence[Page]) -> Iterator[Ruling]:
    """The sentences of the organisation's page, or the euro's, that list the country among the members."""
    names = _NAMES[organisation.lower()]
    names_of_pages = [*names, *(f"member states of {name}" for name in names)]
    names_of_pages += ["euro"] if organisation == "eurozone" else []
    called = {page.id: page for name in names_of_pages for page in pages_called(name, pages)}
    for sentence, listed in matches(called.values(), _LISTED):
        if country in nations_in(listed["all"]) and not _NOT.search(sentence.text):
            yield Ruling(sentence, True)
