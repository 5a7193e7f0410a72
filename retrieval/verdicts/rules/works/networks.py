"""Claims that say where a series is shown: "The Simpsons is on NBC" beside "created by Matt Groening for Fox".

The reader takes another station for no answer. The series' page decides: it names the claim's, or only others.
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
)

SENTENCES_ON_STATIONS = 5  # of a page
# Stations and services that show series.
_NETWORKS = (
    "NBC|ABC|CBS|Fox|HBO|Netflix|AMC|Showtime|UPN|Hulu|PBS|MTV|VH1|FX|Syfy|TNT|TBS|Starz|Bravo|Lifetime|Nickelodeon|ITV|CBC|CTV|"
    "BBC One|BBC Two|BBC Three|BBC Four|BBC|Channel 4|Channel 5|E4|Sky One|The CW|CW|The WB|WB|Disney Channel|Cartoon Network|Comedy Central|"
    "Adult Swim|USA Network|Amazon Prime Video|Amazon Video|Amazon|Apple TV|Disney XD|Discovery Channel|Nine Network|Seven Network|Network Ten|"
    "Telemundo|Univision|Foxtel|YouTube"
)
_NETWORK = rf"(?:the )?(?P<network>{_NETWORKS})(?: (?:network|channel|television))?"
_FORMS = claim_forms(
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


def shown_on(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says who shows the series, of its page before others'; None if there is none, or if the page names the claim's
    network only elsewhere.
    """
    match = first_match(claim, _FORMS)
    if match is None:
        return None
    rulings = (_by_its_page(match["network"], page) for page in pages_called(match["work"], pages))
    return first_that_holds(rulings) or _by_another_page(match["network"], match["work"], pages)


def _by_another_page(network: str, work: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of another page that calls it the network's: "the Netflix science fiction series Stranger Things"."""
    named = re.compile(
        rf"(?i:\b{re.escape(network)}) (?:[\w-]+ ){{0,5}}(?:series|sitcom|show)[\W]{{1,3}}(?i:{re.escape(work)})(?!\w)"
    )
    return next((Ruling(sentence, True) for sentence, _ in matches(pages, named, SENTENCES_ON_STATIONS)), None)


def _by_its_page(network: str, page: Page) -> Ruling | None:
    asked = fold(network).removeprefix("the ")
    found = [(one, match["network"]) for one, match in matches_on_a(_SERIES, page, _SHOWN, SENTENCES_ON_STATIONS)]
    for sentence, other in found:
        if f"{fold(other).removeprefix('the ')} ".startswith(f"{asked} "):  # BBC One is the BBC's
            return Ruling(sentence, True)
    if not found or re.search(rf"\b{re.escape(asked.split()[0])}\b", fold(page.text)):
        return None
    sentence, other = found[0]
    return Ruling(sentence, False, f"“{without_bracket(page.title)}” names {other}.", (network, other))
