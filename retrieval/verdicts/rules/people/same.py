"""Claims that two people share a year or a country: "Neil Armstrong and Buzz Aldrin were born in the same year".

No sentence speaks of both. Here, the pages of both decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.text.names.nations import exclude
from retrieval.text.quantities.times import YEAR
from retrieval.text.titles import without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.comparatives import value_of
from retrieval.verdicts.rules.people.origins import countries_of
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, pages_meant

_TWO = r"(?:both )?(?:the )?(?P<one>[^,;:?!]{2,60}?) and (?:the )?(?P<other>[^,;:?!]{2,60}?)"
_CLAIMS = claim_forms(
    rf"{_TWO} (?:were |was )?(?:both )?(?P<event>born|died) (?:in|during) the same year",
    rf"{_TWO} (?:are|were|come|came|both come|both came) (?:both )?from the same (?P<country>country|nation)",
    rf"{_TWO} (?:are|were) (?:both )?of the same (?P<country>nationality)",
)


def same(claim: str, pages: Sequence[Page]) -> list[Ruling]:
    """The sentences of both pages that give the year or the country; empty where one does not, or if the claim has another form."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return []
    if match.groupdict().get("event"):
        given = [value_of(match[name], match["event"].lower(), pages) for name in ("one", "other")]
        years = [one and (one.low // YEAR, one.high // YEAR) for one in given]
        if not all(given) or any(year and year[0] != year[1] for year in years):
            return []
        return _both([(one.sentence, one.text) for one in given if one], years[0] == years[1])
    found = [countries_of(page) for name in ("one", "other") for page in pages_meant(match[name], pages)[:1]]
    told = [one for one in found if one]
    if len(told) < 2:
        return []
    shared = set(told[0][1]) & set(told[1][1])
    apart = all(exclude(one, other) for one in told[0][1] for other in told[1][1])
    sentences = [(sentence, " and ".join(dict.fromkeys(countries))) for sentence, countries in told]
    return _both(sentences, bool(shared)) if shared or apart else []


def _both(given: Sequence[tuple[Sentence, str]], holds: bool) -> list[Ruling]:
    notes = (f"“{without_bracket(sentence.title)}” says: {text}." for sentence, text in given)
    return [Ruling(sentence, holds, note) for (sentence, _), note in zip(given, notes, strict=True)]
