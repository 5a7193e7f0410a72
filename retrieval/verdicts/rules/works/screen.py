"""Claims on films and series: who is in one, "Kate Hudson acted in The Skeleton Key", and where it is shown, "The Simpsons is on NBC".

No page lists everybody, so a missing name refutes nothing; another role or station does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, starts_of, without_article, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, first_that_holds, matches, matches_on_a, pages_called

SENTENCES_ON_CASTS, SENTENCES_ON_PLOTS, SENTENCES_ON_STATIONS = 6, 12, 5  # of a page

_NAME = r"[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)*"
_KIND = r"(?: (?:the )?(?:film|movie|series|sitcom|show|tv show|musical))?"
_IS_IN = ClaimForms(
    r"(?P<actor>[^,;:?!]{3,40}?) (?:(?:co-)?(?:stars?|starred|acts|acted|appears?|appeared|performs?|performed) in"
    r"|(?:plays|played|has|had) an? (?:[a-z]+ )?(?:role|part) in|(?:is|was) (?:in|in the cast of"
    rf"|(?:one of the|the|an?) (?:[a-z]+ )?(?:stars?|actors?|actress(?:es)?|leads?) (?:of|in))){_KIND} (?P<work>[^,;:?!]{{2,60}}?)",
    r"(?P<work>[^,;?!]{2,60}?) (?:(?:co-)?stars|starred|features|featured|has|had) (?P<actor>[^,;:?!]{3,40}?)(?: in it)?",
)
_PLAYS = ClaimForms(
    rf"(?P<actor>[^,;:?!]{{3,40}}?) (?:plays|played|portrays|portrayed|voices|voiced) (?P<role>[^,;:?!]{{2,40}}?)(?: in{_KIND} (?P<work>[^,;:?!]{{2,60}}?))?"
)
_IS_A_WORK = re.compile(
    r"\b(?:is|was|are) an? [^.,;]*?\b(?:film|movie|series|sitcom|show|miniseries|musical|drama|comedy|soap opera)\b"
)
_CAST = re.compile(
    r"\b(?:stars|starring|starred|features|featuring|cast (?:includes|of|also includes)|(?:played|portrayed|voiced) by|roles? of|lead(?:s| roles?))\b(?P<names>[^.;]*)"
)
_NOT_IN_IT = re.compile(
    r"\b(?:not|never|instead|originally|replac\w+|turned down|considered|directed|written|produced|based)\b"
)


# Stations and services that show series.
_NETWORKS = (
    "NBC|ABC|CBS|Fox|HBO|Netflix|AMC|Showtime|UPN|Hulu|PBS|MTV|VH1|FX|Syfy|TNT|TBS|Starz|Bravo|Lifetime|Nickelodeon|ITV|CBC|CTV|"
    "BBC One|BBC Two|BBC Three|BBC Four|BBC|Channel 4|Channel 5|E4|Sky One|The CW|CW|The WB|WB|Disney Channel|Cartoon Network|Comedy Central|"
    "Adult Swim|USA Network|Amazon Prime Video|Amazon Video|Amazon|Apple TV|Disney XD|Discovery Channel|Nine Network|Seven Network|Network Ten|"
    "Telemundo|Univision|Foxtel|YouTube"
)
_NETWORK = rf"(?:the )?(?P<network>{_NETWORKS})(?: (?:network|channel|television))?"
_IS_ON = ClaimForms(
    r"(?P<work>[^,;?!]{2,60}?) (?:(?:is|was) (?:(?:a (?:show|series|sitcom) )?(?:shown |aired |broadcast |originally |first )*)?|(?:originally |first )?(?:aired|airs|ran|runs|"
    rf"premiered|debuted|streams|streamed) (?:originally |first )?)on {_NETWORK}",
    rf"{_NETWORK} (?:airs|aired|broadcasts?|shows?|showed|ran|streams) (?P<work>[^,;?!]{{2,60}}?)",
    rf"(?P<work>[^,;?!]{{2,60}}?) (?:is|was) an? {_NETWORK} (?:original )?(?:show|series|sitcom|production|original)",
)
_SERIES = re.compile(
    r"\b(?:is|was|are) an? [^.,;]*?\b(?:series|sitcom|show|soap opera|miniseries|programme|program|drama|anime)\b"
)
_SHOWN = re.compile(
    rf"\b(?:air\w*|broadcast\w*|premier\w*|debut\w*|ran|runs|shown|stream\w*|releas\w+|series|sitcom|created|show)\b[^.;()]{{0,120}}?\b(?:on|for|by) (?:the )?(?P<network>{_NETWORKS})\b"
)


def in_cast(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the work's page that names the claim's actor among those in it; None if there is none.

    A role counts if the sentence says "Gal Gadot as Diana", or the work has its name and "stars Gal Gadot in the title role".
    """
    role = _PLAYS.match(claim)
    match = role or _IS_IN.match(claim)
    if match is None or " " not in match["actor"]:
        return None
    if role:
        return _plays(role["actor"], role["role"].removeprefix("the "), role["work"] or "", pages)
    return first_that_holds(
        Ruling(sentence, True)
        for page in pages_called(match["work"], pages)
        for sentence, cast in matches_on_a(_IS_A_WORK, page, _CAST, SENTENCES_ON_CASTS)
        if f" {fold(match['actor'])} " in f" {_names_in(cast)} "
    )


def _names_in(cast: re.Match[str]) -> str:
    """The names of a cast, folded, up to what tells of someone who is not in it."""
    return fold(_NOT_IN_IT.split(cast["names"])[0])


def _plays(actor: str, role: str, work: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the actor the role, in this work or, if it is empty, in any. In this work, another actor of the role
    refutes, and so does another role of the actor.
    """
    works = pages_called(work, pages)[:1] if work else pages
    last, name, part = fold(actor).rpartition(" ")[2], re.escape(fold(actor)), re.escape(fold(role))
    has_part = re.compile(rf"\b{name} as (?:[a-z]+ ){{0,4}}?{part}\b")
    has_title = re.compile(rf"\b{name} (?:[a-z]+ ){{0,4}}?(?:title|titular|eponymous) (?:role|character|hero)")
    # "John McClane (Willis)", "Heath Ledger as the Joker"
    of_role = re.compile(
        rf"\b(?i:{re.escape(role)})\b[^.;()]{{0,20}}\((?P<in_brackets>{_NAME})\)|(?P<before>{_NAME}) as (?:the )?(?i:{re.escape(role)})\b"
    )
    for page in works:
        titled = fold(without_bracket(page.title)) == fold(role)
        for sentence, cast in matches_on_a(_IS_A_WORK, page, _CAST, SENTENCES_ON_CASTS):
            names = _names_in(cast)
            if has_part.search(names) or (titled and has_title.search(names)):
                return Ruling(sentence, True)
        for sentence, found in matches_on_a(_IS_A_WORK, page, of_role, SENTENCES_ON_PLOTS):
            other = found["in_brackets"] or found["before"]
            if last in fold(other).split():
                return Ruling(sentence, True)
            if work and last not in fold(page.text).split():
                return Ruling(sentence, False, f"“{without_bracket(page.title)}” names {other}.", (actor, other))
    return _plays_another(actor, role, work, works, pages) if work else None


def _plays_another(actor: str, role: str, work: str, works: Sequence[Page], pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the actor another role in the work; None if the claim's stands beside their name."""
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
                return Ruling.quoting(sentence, other, (role, other))
    return None


def shown_on(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says who shows the series; None if its page names the claim's network only elsewhere."""
    match = _IS_ON.match(claim)
    if match is None:
        return None
    network, work = match["network"], match["work"]
    if ruling := first_that_holds(_by_its_page(network, page) for page in pages_called(work, pages)):
        return ruling
    # "the Netflix science fiction series Stranger Things"
    named = re.compile(
        rf"(?i:\b{re.escape(network)}) (?:[\w-]+ ){{0,5}}(?:series|sitcom|show)[\W]{{1,3}}(?i:{re.escape(work)})(?!\w)"
    )
    return next((Ruling(sentence, True) for sentence, _ in matches(pages, named, SENTENCES_ON_STATIONS)), None)


def _by_its_page(network: str, page: Page) -> Ruling | None:
    asked = fold(network)
    found = [(one, match["network"]) for one, match in matches_on_a(_SERIES, page, _SHOWN, SENTENCES_ON_STATIONS)]
    for sentence, other in found:
        if starts_of(fold(other), [asked]):  # BBC One is the BBC's
            return Ruling(sentence, True)
    if not found or re.search(rf"\b{re.escape(without_article(asked).split()[0])}\b", fold(page.text)):
        return None
    sentence, other = found[0]
    return Ruling(sentence, False, f"“{without_bracket(page.title)}” names {other}.", (network, other))
