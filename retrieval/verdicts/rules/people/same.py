"""Claims that two people share a year or a country: "Neil Armstrong and Buzz Aldrin were born in the same year".

No sentence speaks of both. Here, the pages of both decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from retrieval.text.names.nations import exclude
from retrieval.text.quantities.times import YEAR
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.comparatives import value_of
from retrieval.verdicts.rules.people.origins import countries_of
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, pages_meant, quoting

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
        values = [value_of(match[name], match["event"].lower(), pages) for name in ("one", "other")]
        years = [(one.low // YEAR, one.high // YEAR) for one in values if one]
        if not all(values) or any(first != last for first, last in years):
            return []
        return _both([(one.sentence, one.text) for one in values if one], years[0] == years[1])
    meant = [page for name in ("one", "other") for page in pages_meant(match[name], pages)[:1]]
    found = [one for one in map(countries_of, meant) if one]
    if len(found) < 2:
        return []
    (_, ones), (_, others) = found
    shared = not set(ones).isdisjoint(others)
    if not shared and not all(exclude(one, other) for one, other in product(ones, others)):
        return []
    return _both([(sentence, " and ".join(dict.fromkeys(countries))) for sentence, countries in found], shared)


def _both(found: Sequence[tuple[Sentence, str]], holds: bool) -> list[Ruling]:
    return [Ruling(sentence, holds, quoting(sentence, words)) for sentence, words in found]
