"""Claims that say who won a tournament or final: "Hungary won the 1954 World Cup" beside "won by West Germany"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from retrieval.text.names.nations import exclude, nations_in
from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.events.battles import by_result, side_words
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling

SENTENCES_ON_FINALS, SENTENCES_ON_TEAMS = 40, 2  # of a page
_EVENTS = r"(?:world cup|super bowl|world series|finals?|euro|cup|championships?|open|tournament|league|bowl)"
_SIDE, _EVENT = (
    r"(?:the )?(?P<side>[^,;:?!]{2,40}?)",
    rf"(?:the )?(?P<event>(?=[^,;:?!]*\b{_EVENTS}\b)[^,;:?!]{{3,60}}?)(?: (?:in|of) (?P<year>\d{{4}}))?",
)
_CLAIMS = ClaimForms(
    rf"{_SIDE} (?:won(?! against)|(?:was|were) the (?:winners?|champions?) of) {_EVENT}",
    rf"{_SIDE} (?P<lost>lost(?! (?:to|against))|(?:was|were) (?:defeated|beaten) in) {_EVENT}",
    rf"{_SIDE} (?:beat|defeated|won against|triumphed over) (?:the )?[^,;:?!]{{2,40}}? in {_EVENT}",
    rf"{_SIDE} (?P<lost>lost) (?:to|against) (?:the )?[^,;:?!]{{2,40}}? in {_EVENT}",
    rf"{_EVENT} was won by {_SIDE}",
)
_FULL_NAME = re.compile(r"\b(?:champions?|between|against|and) (?:the )?(?P<name>(?:[A-Z][\w.]+ )+[A-Z][a-z]+)")
_TEAM = r"[^.;:(),]{3,80}?"
_BEAT = r"(?:defeated|beat|edged)"
_ENDS = r"(?:,| by\b| in\b| to\b| at\b| \d|[.;]|$)"
_WON = (
    re.compile(rf"\bwon by (?:the )?(?P<winner>{_TEAM})(?:, who {_BEAT} (?P<loser>{_TEAM}))?{_ENDS}"),
    re.compile(rf"(?P<winner>{_TEAM}) {_BEAT} (?P<loser>{_TEAM}){_ENDS}"),
    re.compile(rf"(?P<winner>{_TEAM}) (?:won|retained|claimed|took|captured)\b[^.;]{{3,60}}?(?:beating|defeating) (?P<loser>{_TEAM}){_ENDS}"),
    re.compile(rf"(?P<winner>{_TEAM}) (?:won|retained|claimed|took|captured) (?:the|their|its|a) (?:[\w-]+ ){{0,3}}?(?:title|championship|tournament|trophy|final|series)\b"),
)  # fmt: skip
_IS_TEAM = re.compile(r".*\b[A-Z].*(?<! to)(?<! could)(?<! would)(?<! can)$")
# What tells of the last game, and what of others.
_LAST = re.compile(r"\bfinal\b|\b(?:tournament|championship|title|trophy)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"(?i)\b(?:had|previous\w*|earlier|playoffs?|semi-?finals?|quarter-?finals?|rounds?|groups?|qualif\w+|regular season|division series|"
    r"championship series|rematch|half|quarter|game \d)\b"
)
_ONE_GAME = re.compile(r"\b(?:Super Bowl|Final|World Series|Finals)\b")
# Words of a title that people leave out.
_LITTLE = frozenset("fifa uefa nfl mlb nba mens men s football soccer the of in a first".split())
_NUMBERED = re.compile(r"\b(?:\d{4}|[ivxl]+)\b")


def won_final(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the event's page that says whether the claim's side won, or that another did."""
    match = _CLAIMS.match(claim)
    page = _page_of(" ".join(filter(None, (match["event"], match["year"]))), pages) if match else None
    if match is None or page is None:
        return None
    words, nations = _full_name(match["side"], page), _nations(match["side"])
    lost, sides = bool(match.groupdict().get("lost")), list(_sides(page))
    found = [
        (sentence, is_winner) for sentence, team, is_winner in sides if words & _words(team) or nations & _nations(team)
    ]
    winners = [(sentence, team) for sentence, team, is_winner in sides if is_winner]
    if found or lost or not winners or any(_may_be(words, nations, team) for _, team in winners):
        return by_result(found, lost)
    sentence, team = winners[0]
    note = f"“{without_bracket(page.title)}” names another winner."
    return Ruling(sentence, False, note, (match["side"], team.strip()))


def _page_of(event: str, pages: Sequence[Page]) -> Page | None:
    """The page of the one event meant: "the world cup in 1954" is "1954 FIFA World Cup". None without a year or number."""
    asked = set(fold(event).split()) - _LITTLE
    if not _NUMBERED.search(fold(event)):
        return None
    return next((page for page in pages if set(fold(page.title).split()) - _LITTLE == asked), None)


def _sides(page: Page) -> Iterator[tuple[Sentence, str, bool]]:
    """Who won the event (True) and who lost it, as its page says."""
    one_game = _ONE_GAME.search(page.title) is not None
    for sentence in page.sentences()[:SENTENCES_ON_FINALS]:
        if _OTHER.search(sentence.text) or not (one_game or _LAST.search(sentence.text)):
            continue
        for pattern in _WON:
            for found in pattern.finditer(sentence.text):
                if _IS_TEAM.match(found["winner"]):
                    yield from ((sentence, team, key == "winner") for key, team in found.groupdict().items() if team)


def _words(team: str) -> frozenset[str]:
    return side_words(team, _LITTLE)


def _full_name(side: str, page: Page) -> frozenset[str]:
    """The stems of a team's name, with those of its full name if the first sentences give it: Dallas are the Dallas Cowboys."""
    words = _words(side)
    opening = " ".join(sentence.text for sentence in page.sentences()[:SENTENCES_ON_TEAMS])
    return words.union(*(name for name in map(_words, _FULL_NAME.findall(opening)) if words & name))


def _nations(side: str) -> set[str]:
    return set(nations_in(re.sub(r"\b(?:West|East) (?=Germany)", "", side)))


def _may_be(words: Set[str], nations: Set[str], team: str) -> bool:
    """Whether a team may be the claim's side: they share a word, or only one of them is a country, the other perhaps a player."""
    theirs = _nations(team)
    if nations and theirs:
        return not all(exclude(one, other) for one in nations for other in theirs)
    return bool(words & _words(team)) or bool(nations) != bool(theirs)
