"""Claims that someone is in a film or series: "Kate Hudson acted in The Skeleton Key" beside "starring Kate Hudson".

A network reads "starred in" as "starring", but often not "was in", "acted in" or "has him in it". No page lists everybody, so a
missing name refutes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.told import Told, first_match, first_that_holds, found_on, pages_called

LOOKED_AT = 6  # sentences of a page
_KIND = r"(?: (?:the )?(?:film|movie|series|sitcom|show|tv show|musical))?"
_FORMS = (
    re.compile(
        r"^(?P<actor>[^,;:?!]{3,40}?) (?:(?:co-)?(?:stars?|starred|acts|acted|appears?|appeared|performs?|performed) in"
        r"|(?:plays|played|has|had) an? (?:[a-z]+ )?(?:role|part) in|(?:is|was) (?:in|in the cast of"
        rf"|(?:one of the|the|an?) (?:[a-z]+ )?(?:stars?|actors?|actress(?:es)?|leads?) (?:of|in))){_KIND} (?P<work>[^,;:?!]{{2,60}}?)[.!]?$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<work>[^,;?!]{2,60}?) (?:(?:co-)?stars|starred|features|featured|has|had) (?P<actor>[^,;:?!]{3,40}?)(?: in it)?[.!]?$",
        re.IGNORECASE,
    ),
)
_PLAYS = [
    re.compile(
        rf"^(?P<actor>[^,;:?!]{{3,40}}?) (?:plays|played|portrays|portrayed|voices|voiced) (?P<role>[^,;:?!]{{2,40}}?)(?: in{_KIND} (?P<work>[^,;:?!]{{2,60}}?))?[.!]?$",
        re.IGNORECASE,
    )
]
_WORK = re.compile(
    r"\b(?:is|was|are) an? [^.,;]*?\b(?:film|movie|series|sitcom|show|miniseries|musical|drama|comedy|soap opera)\b"
)
_CAST = re.compile(
    r"\b(?:stars|starring|starred|features|featuring|cast (?:includes|of|also includes)|(?:played|portrayed|voiced) by|roles? of|lead(?:s| roles?))\b(?P<names>[^.;]*)"
)
_NOT_IN_IT = re.compile(
    r"\b(?:not|never|instead|originally|replac\w+|turned down|considered|directed|written|produced|based)\b"
)


def in_cast(claim: str, pages: Sequence[Page]) -> Told | None:
    """The sentence of the work's page that names the claim's actor among those in it; None if there is none.

    A role counts if the sentence says "Gal Gadot as Diana", or the work has its name and "stars Gal Gadot in the title role".
    """
    if match := first_match(claim, _PLAYS):
        return _plays(match["actor"], match["role"], pages_called(match["work"], pages) if match["work"] else pages)
    match = first_match(claim, _FORMS)
    if match is None or " " not in match["actor"]:
        return None
    return first_that_holds(
        Told(sentence, True)
        for page in pages_called(match["work"], pages)
        for sentence, cast in found_on(page, LOOKED_AT, _WORK, _CAST)
        if f" {fold(match['actor'])} " in f" {fold(_NOT_IN_IT.split(cast['names'])[0])} "
    )


def _plays(actor: str, role: str, pages: Sequence[Page]) -> Told | None:
    """The sentence that gives the actor the role. pages: of works in which it may be."""
    name = re.escape(fold(actor))
    part = re.compile(rf"\b{name} as (?:[a-z]+ ){{0,4}}?{re.escape(fold(role))}\b")
    title = re.compile(rf"\b{name} (?:[a-z]+ ){{0,4}}?(?:title|titular|eponymous) (?:role|character|hero)")
    for page in pages if " " in actor else ():
        named = fold(without_bracket(page.title)) == fold(role)
        for sentence, cast in found_on(page, LOOKED_AT, _WORK, _CAST):
            names = fold(_NOT_IN_IT.split(cast["names"])[0])
            if part.search(names) or (named and title.search(names)):
                return Told(sentence, True)
    return None
