"""Claims on two things at once, that say two things of one, or on all of a kind.

"Bach and Beethoven were both German" and "Paris is the capital of France and lies on the Seine" are true if both halves are. No
sentence says that two people "were born in the same year": the pages of both decide. What holds only of most refutes "all birds".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from retrieval.text.names.nations import exclude
from retrieval.text.quantities.times import YEAR
from retrieval.text.titles import without_bracket
from retrieval.text.words import stem
from retrieval.types import Evidence, Page, Sentence
from retrieval.verdicts.rules.comparatives import value_of
from retrieval.verdicts.rules.halves import halves_of
from retrieval.verdicts.rules.people.origins import countries_of
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_meant

_BOTH = re.compile(
    r"(?i)^(?:both )?(?P<one>[^,;:?!]{2,60}?) and (?P<other>[^,;:?!]{2,60}?)"
    r" (?:(?P<verb>are|were|come|came|hail|hailed)(?P<both> both)?|both (?P<did>[a-z]+)) (?P<rest>[^;:?!]{2,100})$"
)
# "Neither Norway nor Iceland is in the EU" is read as the denial of this.
_EITHER = re.compile(
    r"(?i)^(?:either )?(?P<one>[^,;:?!]{2,60}?) or (?P<other>[^,;:?!]{2,60}?) (?P<rest>(?:is|are|was|were|has|had|borders|belongs|won|wrote) [^;:?!]{2,100})$"
)
_SINGULAR = {"are": "is", "were": "was", "come": "comes", "hail": "hails", "have": "has"}

SENTENCES_ON_A_KIND = 5  # the most relevant ones
_ALL = re.compile(r"^(?:all|every|each)(?: of)?(?: the)? (?P<words>[\w'’-]+(?: [\w'’-]+){1,3})", re.IGNORECASE)
_SOME = re.compile(
    r"(?i)\b(?:most|many|some|several|certain|a few|(?:almost|nearly|not) (?:all|every)|the majority of|not every)"
    r"(?: of)?(?: the)? (?P<kind>(?:(?!(?:and|or|all|every)\b)[\w'’-]+(?: |\b)){1,4})"
)
_BUT = re.compile(r"\b(?:except|with the exception of|apart from|other than|excluding)\b", re.IGNORECASE)
_TWO = r"(?:both )?(?:the )?(?P<one>[^,;:?!]{2,60}?) and (?:the )?(?P<other>[^,;:?!]{2,60}?)"
_SAME = ClaimForms(
    rf"{_TWO} (?:were |was )?(?:both )?(?P<event>born|died) (?:in|during) the same year",
    rf"{_TWO} (?:are|were|come|came|both come|both came) (?:both )?from the same (?P<country>country|nation)",
    rf"{_TWO} (?:are|were) (?:both )?of the same (?P<country>nationality)",
)


def each_of(claim: str) -> tuple[str, ...]:
    """The claim on each of the two things, or each of the two things that it says; the claim alone if it has one part."""
    text = " ".join(claim.split())
    match = _BOTH.match(text)
    if match and (match["both"] or match["did"] or claim.lower().startswith("both ")):
        plural = (match["verb"] or match["did"]).lower()
        verb = _SINGULAR.get(plural, plural)
        return tuple(f"{match[name]} {verb} {match['rest']}" for name in ("one", "other"))
    return halves_of(text) or (claim,)


def either_of(claim: str) -> tuple[str, ...]:
    """The claim on each of two things of which one suffices; empty if it is not such a claim."""
    match = _EITHER.match(" ".join(claim.split()))
    return tuple(f"{match[name]} {match['rest']}" for name in ("one", "other")) if match else ()


def same(claim: str, pages: Sequence[Page]) -> list[Ruling]:
    """The sentences of both pages that give the year or the country; empty where one does not."""
    match = _SAME.match(claim)
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
    return [Ruling.quoting(sentence, words, holds=holds) for sentence, words in found]


def of_some(claim: str, sentences: Sequence[Evidence]) -> Ruling | None:
    """The sentence that says only of some what the claim says of all; None if there is none."""
    match = _ALL.match(" ".join(claim.split()))
    if match is None:
        return None
    words = match["words"].lower().split()
    kind = stem(next((word for word in words if word.endswith("s")), words[0]))
    for one in sentences[:SENTENCES_ON_A_KIND]:
        supports = one.stance.supports > max(one.stance.refutes, one.stance.neutral)
        if supports and _leaves_some_out(one.sentence.text, kind):
            return Ruling(one.sentence, False, f"“{without_bracket(one.sentence.title)}” says so only of some.")
    return None


def _leaves_some_out(text: str, kind: str) -> bool:
    """Whether the text speaks of some of the kind, or of all but some. kind: its stem."""
    some = [match["kind"] for match in _SOME.finditer(text)] + ([text] if _BUT.search(text) else [])
    return any(kind in map(stem, re.findall(r"[\w'’-]+", one.lower())) for one in some)
