"""Claims that say where a series is shown: "The Simpsons is on NBC" beside "created by Matt Groening for Fox".

The reader takes another station for no answer. The series' page decides: it names the claim's, or only others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import Ruling, first_match, first_that_holds, found_on, pages_called

LOOKED_AT = 5  # sentences of a page
# Stations and services that show series.
_NETWORKS = (
    "NBC|ABC|CBS|Fox|HBO|Netflix|AMC|Showtime|UPN|Hulu|PBS|MTV|VH1|FX|Syfy|TNT|TBS|Starz|Bravo|Lifetime|Nickelodeon|ITV|CBC|CTV|"
    "BBC One|BBC Two|BBC Three|BBC Four|BBC|Channel 4|Channel 5|E4|Sky One|The CW|CW|The WB|WB|Disney Channel|Cartoon Network|Comedy Central|"
    "Adult Swim|USA Network|Amazon Prime Video|Amazon Video|Amazon|Apple TV|Disney XD|Discovery Channel|Nine Network|Seven Network|Network Ten|"
    "Telemundo|Univision|Foxtel|YouTube"
)
_NETWORK = rf"(?:the )?(?P<network>{_NETWORKS})(?: (?:network|channel|television))?"
_FORMS = (
    re.compile(
        r"^(?P<work>[^,;?!]{2,60}?) (?:(?:is|was) (?:(?:a (?:show|series|sitcom) )?(?:shown |aired |broadcast |originally |first )*)?|(?:originally |first )?(?:aired|airs|ran|runs|"
        rf"premiered|debuted|streams|streamed) (?:originally |first )?)on {_NETWORK}[.!]?$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^{_NETWORK} (?:airs|aired|broadcasts?|shows?|showed|ran|streams) (?P<work>[^,;?!]{{2,60}}?)[.!]?$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?P<work>[^,;?!]{{2,60}}?) (?:is|was) an? {_NETWORK} (?:original )?(?:show|series|sitcom|production|original)[.!]?$",
        re.IGNORECASE,
    ),
)
_SERIES = re.compile(
    r"\b(?:is|was|are) an? [^.,;]*?\b(?:series|sitcom|show|soap opera|miniseries|programme|program|drama|anime)\b"
)
_SHOWN = re.compile(
    rf"\b(?:air\w*|broadcast\w*|premier\w*|debut\w*|ran|runs|shown|stream\w*|releas\w+|series|sitcom|created|show)\b[^.;()]{{0,120}}?\b(?:on|for|by) (?:the )?(?P<network>{_NETWORKS})\b"
)


def shown_on(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says who shows the series, of its page before others'; None if there is none, or if the page names the claim's
    network only elsewhere.
    """
    match = first_match(claim, _FORMS)
    if match is None:
        return None
    found = (told for page in pages_called(match["work"], pages) if (told := _told(match["network"], page)))
    return first_that_holds(found) or _told_elsewhere(match["network"], match["work"], pages)


def _told_elsewhere(network: str, work: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of another page that calls it the network's: "the Netflix science fiction series Stranger Things"."""
    named = re.compile(
        rf"(?i:\b{re.escape(network)}) (?:[\w-]+ ){{0,5}}(?:series|sitcom|show)[\W]{{1,3}}(?i:{re.escape(work)})(?!\w)"
    )
    return next(
        (Ruling(one, True) for page in pages for one in page.sentences()[:LOOKED_AT] if named.search(one.text)), None
    )


def _told(network: str, page: Page) -> Ruling | None:
    others, asked = list[tuple[Sentence, str]](), fold(network).removeprefix("the ")
    for sentence, shown in found_on(page, LOOKED_AT, _SERIES, _SHOWN):
        said = shown["network"]
        if f"{fold(said).removeprefix('the ')} ".startswith(f"{asked} "):  # BBC One is the BBC's
            return Ruling(sentence, True)
        others.append((sentence, said))
    if not others or re.search(rf"\b{re.escape(asked.split()[0])}\b", fold(page.text)):
        return None
    sentence, said = others[0]
    return Ruling(sentence, False, f"“{without_bracket(page.title)}” names {said}.", (network, said))
