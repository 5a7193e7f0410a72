"""Claims that someone was famous while alive, or only later: "Lovecraft wasn't famous while he was alive" beside "posthumous fame"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches_about, pages_meant

_FAMOUS = r"(?:famous|well[- ]known|popular|successful|recogni[sz]ed|appreciated|celebrated|known|acclaimed)"
_VERY = r"(?:very |really |already |widely |that |all that |only )*"
_LIFE = r"(?:(?:during|in) (?:his|her) (?:own )?life(?:time)?|(?:while|when) (?:he|she) was (?:still )?alive)"
_CLAIMS = ClaimForms(
    rf"(?P<subject>[^,;:?!]{{2,60}}?) (?:was|became|got)(?P<denied>n['’]t| not| never)? {_VERY}{_FAMOUS} {_LIFE}",
    rf"(?P<subject>[^,;:?!]{{2,60}}?) (?:only )?(?:became|got|was) {_VERY}{_FAMOUS} (?P<denied>only after|after) (?:his|her) death",
)
_FAME = r"(?:fame|recogni\w+|acclaim\w*|reputation|popularity|renown\w*)"
_KNOWN = r"(?:famous|popular|well[- ]known|widely known)"
# Not "recognition in a film that was released posthumously", nor "an unknown illness".
_OF_FAME = r"(?:(?!\b(?:is|was|were|and|but|who|which|whose|won|(?!increas|reviv)[a-z]+ed)\b)[^,.;])"
_OBSCURE = r"(?:unknown(?= (?:to|as|in|during|throughout|outside|beyond|abroad|before|until|when|at|for)\b)|obscur\w+|unrecogni[sz]ed|unappreciated|neglected|not (?:widely |well |generally )?(?:recogni[sz]ed|known|famous|appreciated)|n[eo](?:ver|t) (?:famous|well[- ]known))"
_LATER = re.compile(
    rf"(?i)\bposthumous(?:ly)? (?:[a-z]+ )?(?:{_FAME}|{_KNOWN})|\b(?:{_FAME}|(?:became|become|grew|more) (?:[a-z]+ )?{_KNOWN})\b{_OF_FAME}{{0,50}}?\b(?:posthumously|after (?:his|her) death)|"
    rf"\b{_OBSCURE}\b{_OF_FAME}{{0,60}}?\b(?:before (?:he|she) died|(?:during|in|throughout) (?:his|her) (?:own )?life(?:time)?|until after (?:his|her) death|when (?:he|she) died)"
)


def fame(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the person's page by which fame came after death; None if there is none."""
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    for page in pages_meant(match["subject"], pages)[:1]:
        for sentence, found in matches_about(page, _LATER):
            return Ruling.quoting(sentence, found.group(), holds=match["denied"] is not None)
    return None
