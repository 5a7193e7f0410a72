"""Claims that two names mean one thing: "The bison is the same animal as the buffalo" beside "only distantly related to the true buffalo".

A network takes words that set one thing beside the other for a sign that they are one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, called_in_any_number, matches, spellings

SENTENCES_ON_OTHERS = 15  # of a page
_ONE, _OTHER = (rf"(?:the |an? )?(?P<{name}>[^,;:?!]{{2,40}}?)" for name in ("one", "other"))
_THING = (
    r"(?:things?|person|people|animals?|species|creatures?|plants?|fruits?|vegetables?|fish|birds?|places?|cit(?:y|ies)|countr(?:y|ies)|islands?|languages?|"
    r"instruments?|foods?|drinks?|drugs?|diseases?|substances?|elements?|sports?|games?|bands?|compan(?:y|ies)|planets?|mountains?|rivers?)"
)
_CLAIMS = ClaimForms(
    rf"{_ONE} (?:is|are) (?:exactly |basically |just )?the (?:very )?same(?: {_THING})? as {_OTHER}",
    rf"{_ONE} and {_OTHER} are (?:exactly |basically |just |both )?the (?:very )?same(?: {_THING})?",
    rf"{_ONE} and {_OTHER} are (?:two )?(?P<apart>different) {_THING}",
)
_BESIDE = (
    r"(?:confused with|(?:closely |distantly )?related to|distinct from|different(?: species)? from|differs? from|distinguish\w* (?:it |them )?from|separate from|"
    r"unlike|not the same (?:\w+ )?as|as opposed to|in contrast (?:to|with)|similar to|(?:larger|smaller|bigger|longer|shorter|higher|lower) than|resembl(?:es?|ing))"
)
_MORE_OF_IT = r"(?:other|most|some|many|all|any)\b"  # "unlike other bears" is said of a bear
# "not distinct from", "once considered separate from"
_NOT = re.compile(
    r"(?:\b(?:not|never|no longer|once|formerly|previously|originally|sometimes|hardly)\b|n['’]t\b)[^,;:.]{0,40}$"
)


def one_thing(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of either's page that sets it beside the other; if both names are those of one page, its first sentence."""
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    ones, others = (called_in_any_number(match[name], pages)[:1] for name in ("one", "other"))
    apart = match.groupdict().get("apart") is not None
    if ones and ones == others and ones[0].lines:
        return Ruling(ones[0].sentences()[0], not apart)
    for page, other, called in ((ones, match["other"], others), (others, match["one"], ones)):
        names = spellings(other, called).pattern
        beside = re.compile(
            rf"\b{_BESIDE} (?:the |an? |its |their )?(?:(?!{_MORE_OF_IT})[\w-]+ ){{0,3}}?(?:{names})(?:e?s)?\b",
            re.IGNORECASE,
        )
        for sentence, found in matches(page, beside, SENTENCES_ON_OTHERS):
            if found.group().lower().startswith("confused") or not _NOT.search(sentence.text[: found.start()]):
                return Ruling.quoting(sentence, found.group(), holds=apart)
    return None
