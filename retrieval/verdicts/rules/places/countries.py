"""Claims on what countries belong to and pay with: "Iceland is in NATO", "Japan's currency is the yuan".

Pages mention a membership in passing ("the smallest population of any NATO member", "despite rejecting full EU membership"), and a
country's page seldom names its currency; the currency's page names its countries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.names.nations import ANY_NATION, nation_of, nations_in
from retrieval.text.titles import without_bracket
from retrieval.text.words import stems
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches, pages_called, sentences_of

MOST_TO_BELONGING = 60  # characters between the organisation and the word for belonging to it
DENIED_BEFORE, DENIED_BEHIND = 25, 10  # and from these two to a word that denies it
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
_IS_MEMBER = ClaimForms(
    r"(?:the )?(?P<country>[^,;:?!]{2,40}?) (?:(?:is|are)(?: also| still| now| currently)? (?:in|part of|(?:an? |one of the )?(?:[a-z]+ )?members?(?: state| states| country| nation)? of)|belongs? to|has joined|joined) "
    rf"(?:the )?(?P<organisation>{'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})"
)
_EURO = ClaimForms(
    r"(?:the )?(?P<country>[^,;:?!]{2,40}?) (?:uses|has|adopted) the euro(?: as its currency)?",
    r"(?:the )?(?P<country>[^,;:?!]{2,40}?)['’]s currency is the euro",
    r"(?:the )?euro is (?:the|an) (?:official )?currency (?:of|in) (?:the )?(?P<country>[^,;:?!]{2,40}?)",
)
# On the organisation's page: "by the first five members: Iran, Iraq, …".
_LISTED = re.compile(
    r"(?i)\b(?:members?|states|countries|nations)\b[^:.;]{0,60}: (?P<all>(?:(?:the|kingdom of|republic of) )*(?:"
    + ANY_NATION
    + r"),[^.;]+)"
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

SENTENCES_ON_CURRENCIES = 4  # of a page
_LAND = rf"(?:the )?(?P<land>{ANY_NATION})"
# "the yen", or a common name of money: "strong" is none
_COMMON = r"(?:dollar|pound|euro|yen|yuan|renminbi|rupee|peso|krona|krone|franc|rouble|ruble|real|won|lira|dinar|dirham|rand|baht|shekel|zloty|riyal|rial|shilling|mark)"
_MONEY = rf"(?:the |(?=(?:[a-z]+ )?{_COMMON}s?\b))(?P<money>[^,;:?!]{{2,30}}?)"
_CURRENCY = r"(?:official |national |main )?(?:currency|money)(?: unit)?"
_HAS_CURRENCY = ClaimForms(
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


def member(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says whether the country belongs to the organisation."""
    euro, match = _EURO.match(claim), _IS_MEMBER.match(claim)
    found = euro or match
    country, organisation = found["country"] if found else "", match["organisation"] if match else "eurozone"
    if not nation_of(country) or _NARROWER.search(claim):
        return None
    names = "|".join(map(re.escape, _NAMES[organisation.lower()]))
    name = rf"\b(?:{names})\b(?! (?:of |for )?[A-Z])"
    belongs = re.compile(
        rf"{name}[^.;]{{0,{MOST_TO_BELONGING}}}?\b{_BELONGS}|\b{_BELONGS}[^.;]{{0,{MOST_TO_BELONGING}}}?{name}"
    )
    for sentence in sentences_of(pages_called(country, pages)):
        text = sentence.text
        clauses = [
            text[max(0, one.start() - DENIED_BEFORE) : one.end() + DENIED_BEHIND] for one in belongs.finditer(text)
        ]
        if not clauses or _UNSURE.search(text):
            continue
        if not any(map(_NOT.search, clauses)):
            return Ruling(sentence, True)
        note = f"“{without_bracket(sentence.title)}” speaks against membership: {organisation}."
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


def currency(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that makes the claim's currency that of the country, or of another, or gives the country another."""
    match = _HAS_CURRENCY.match(claim)
    if match is None:
        return None
    land, money = nation_of(match["land"]), stems(match["money"])
    others = list[Ruling]()
    for sentence in sentences_of(pages, SENTENCES_ON_CURRENCIES):
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
