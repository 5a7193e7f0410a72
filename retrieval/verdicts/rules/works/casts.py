"""Claims that someone is in a film or series: "Kate Hudson acted in The Skeleton Key" beside "starring Kate Hudson".

A network reads "starred in" as "starring", but often not "was in", "acted in" or "has him in it". No page lists everybody, so a
missing name refutes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import (
    Ruling,
    claim_forms,
    first_match,
    first_that_holds,
    matches,
    matches_on_a,
    pages_called,
    refuted_by,
)

SENTENCES_ON_CASTS, SENTENCES_ON_PLOTS = 6, 12  # of a page
_NAME = r"[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)*"
_KIND = r"(?: (?:the )?(?:film|movie|series|sitcom|show|tv show|musical))?"
_FORMS = claim_forms(
    r"(?P<actor>[^,;:?!]{3,40}?) (?:(?:co-)?(?:stars?|starred|acts|acted|appears?|appeared|performs?|performed) in"
    r"|(?:plays|played|has|had) an? (?:[a-z]+ )?(?:role|part) in|(?:is|was) (?:in|in the cast of"
    rf"|(?:one of the|the|an?) (?:[a-z]+ )?(?:stars?|actors?|actress(?:es)?|leads?) (?:of|in))){_KIND} (?P<work>[^,;:?!]{{2,60}}?)",
    r"(?P<work>[^,;?!]{2,60}?) (?:(?:co-)?stars|starred|features|featured|has|had) (?P<actor>[^,;:?!]{3,40}?)(?: in it)?",
)
_PLAYS = claim_forms(
    rf"(?P<actor>[^,;:?!]{{3,40}}?) (?:plays|played|portrays|portrayed|voices|voiced) (?P<role>[^,;:?!]{{2,40}}?)(?: in{_KIND} (?P<work>[^,;:?!]{{2,60}}?))?"
)
_WORK = re.compile(
    r"\b(?:is|was|are) an? [^.,;]*?\b(?:film|movie|series|sitcom|show|miniseries|musical|drama|comedy|soap opera)\b"
)
_CAST = re.compile(
    r"\b(?:stars|starring|starred|features|featuring|cast (?:includes|of|also includes)|(?:played|portrayed|voiced) by|roles? of|lead(?:s| roles?))\b(?P<names>[^.;]*)"
)
_NOT_IN_IT = re.compile(
    r"\b(?:not|never|instead|originally|replac\w+|turned down|considered|directed|written|produced|based)\b"
)


def in_cast(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the work's page that names the claim's actor among those in it; None if there is none.

    A role counts if the sentence says "Gal Gadot as Diana", or the work has its name and "stars Gal Gadot in the title role".
    """
    role = first_match(claim, _PLAYS)
    match = role or first_match(claim, _FORMS)
    if match is None or " " not in match["actor"]:
        return None
    if role:
        return _plays(role["actor"], role["role"].removeprefix("the "), role["work"] or "", pages)
    return first_that_holds(
        Ruling(sentence, True)
        for page in pages_called(match["work"], pages)
        for sentence, cast in matches_on_a(_WORK, page, _CAST, SENTENCES_ON_CASTS)
        if f" {fold(match['actor'])} " in f" {_names_in(cast)} "
    )


def _names_in(cast: re.Match[str]) -> str:
    """The names of a cast, folded, up to what tells of someone who is not in it."""
    return fold(_NOT_IN_IT.split(cast["names"])[0])


def _plays(actor: str, role: str, work: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the actor the role, in this work or, if none is named, in any. Of this work, another actor of the role
    refutes, and so does another role of the actor.
    """
    works = pages_called(work, pages)[:1] if work else pages
    last, name, part = fold(actor).rpartition(" ")[2], re.escape(fold(actor)), re.escape(fold(role))
    has_part = re.compile(rf"\b{name} as (?:[a-z]+ ){{0,4}}?{part}\b")
    has_title = re.compile(rf"\b{name} (?:[a-z]+ ){{0,4}}?(?:title|titular|eponymous) (?:role|character|hero)")
    # "John McClane (Willis)", "Heath Ledger as the Joker"
    given = re.compile(
        rf"\b(?i:{re.escape(role)})\b[^.;()]{{0,20}}\((?P<in_brackets>{_NAME})\)|(?P<before>{_NAME}) as (?:the )?(?i:{re.escape(role)})\b"
    )
    for page in works:
        titled = fold(without_bracket(page.title)) == fold(role)
        for sentence, cast in matches_on_a(_WORK, page, _CAST, SENTENCES_ON_CASTS):
            names = _names_in(cast)
            if has_part.search(names) or (titled and has_title.search(names)):
                return Ruling(sentence, True)
        for sentence, found in matches_on_a(_WORK, page, given, SENTENCES_ON_PLOTS):
            other = found["in_brackets"] or found["before"]
            if last in fold(other).split():
                return Ruling(sentence, True)
            if work and last not in fold(page.text).split():
                return Ruling(sentence, False, f"“{without_bracket(page.title)}” names {other}.", (actor, other))
    return _plays_another(actor, role, work, works, pages) if work else None


def _plays_another(actor: str, role: str, work: str, works: Sequence[Page], pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the work's page, or of the actor's, that gives the actor another role in it. None if a page has a word of the
    claim's role beside the actor's name."""
    words = {fold(word) for word in role.split() if word[0].isupper() and len(word) > 2}
    name, last = re.escape(actor), re.escape(actor.split()[-1])
    in_work = re.compile(
        rf"\b(?:{name}|{last}) (?:(?:portrays|plays|stars as)|as) (?P<other>(?:an? |the )?(?:[A-Z]?[a-z]+ ){{0,4}}{_NAME})"
    )
    of_actor = re.compile(
        rf"\b(?:as|playing|portraying|(?:roles?|portrayal) (?:of|as)) (?P<other>(?:the )?(?:[a-z]+ )*{_NAME}(?: [“\"]\w+[”\"])?(?: {_NAME})?) in "
        rf"(?:the |his |her )?(?:[a-z\d-]+ )*[“\"]?(?:the )?{re.escape(work)}",
        re.IGNORECASE,
    )
    beside = rf"\b{last}\b[^.;,]{{0,60}}\b(?:{'|'.join(map(re.escape, sorted(words)))})\b"
    for page, pattern in [(page, in_work) for page in works] + [
        (page, of_actor) for page in pages_called(actor, pages)[:1]
    ]:
        if not words or re.search(beside, page.text, re.IGNORECASE):
            return None
        for sentence, found in matches([page], pattern, SENTENCES_ON_PLOTS):
            other = found["other"].strip()
            if any(word[0].isupper() for word in other.split()) and words.isdisjoint(fold(other).split()):
                return refuted_by(sentence, other, (role, other))
    return None
