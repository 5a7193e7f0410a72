"""Claims that say of which country or place someone or something is: "Che Guevara was Cuban", "Bruce Lee was born in Macau".

The first words of the subject's page, or the sentence that names the place of birth or death, decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, countries_in, exclude, nation_of, nations_in, nations_of_places
from retrieval.text.quantities.dates import MONTHS
from retrieval.text.titles import fold, holds_name
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import (
    ClaimForms,
    Ruling,
    called_in_any_number,
    first_that_holds,
    is_about,
    matches,
    pages_called,
    pages_meant,
    sentences_of,
    without_brackets,
)

SENTENCES_ON_ORIGINS = 12  # of a page
MOST_BEFORE_PLACE = 50  # characters before a place that say what somebody did there
_SUBJECT = r"(?:the )?(?P<subject>[^,;:?!]{2,60}?)"
# "the first American woman in space", but not "the first American president", which may be one of America.
_OF_NATION = (
    rf"{_SUBJECT} (?:is|was|are|were) (?:originally |actually |really )?(?:an? |(?P<place>the (?:first|last|only|youngest|oldest) ))?"
    rf"(?P<nation>{ANY_NATION})(?P<kind>(?: [a-z-]+){{0,3}}(?(place) (?:in|to|on) [^,;:?!]{{2,40}}?|))"
)
_FROM = (
    rf"{_SUBJECT} (?:(?:is|was|are|were|comes?|came|hails?|hailed) (?:originally )?from|(?:began|started|originated|originates?|arose|emerged) (?:first )?in"
    rf"|(?:was|were) (?:first )?(?:invented|developed|created) in) (?:the )?(?P<nation>{ANY_NATION})"
)
_PLAYS_FOR = rf"{_SUBJECT} (?P<plays>plays|played|has played|competes|competed) for (?:the )?(?P<nation>{ANY_NATION})(?: national (?:\w+ )?team)?"
_IS_FROM = ClaimForms(_PLAYS_FOR, _OF_NATION, _FROM)
# Where a company or band comes from, if its first words do not say.
_BEGAN = re.compile(
    rf"\b(?:[Ff]ounded|[Ee]stablished|[Ff]ormed|[Bb]ased|[Hh]eadquartered) in (?:[A-Z][\w'’-]+,? (?:in )?)?(?:the )?(?P<nation>{ANY_NATION})(?!\w)"
)
_EVENT_IN = ClaimForms(
    rf"{_SUBJECT} (?P<event>(?:is|was|were) born|died|passed away|(?:was|were|got) (?:killed|assassinated|murdered|executed)) in (?:the )?"
    r"(?P<place>(?!\d)(?:(?! to )[^,;:?!()]){2,40}?)(?P<rest>,? (?:on|in|at) [^;:?!()]{2,40})?"
)
# "a tradition of Chinese origin", "a stew, originating in Hungary"
_ORIGIN = re.compile(
    rf"\bof (?P<nation>{ANY_NATION}) origin\b|\boriginat(?:es?|ed|ing) (?:in|from) (?:the )?(?P<nation2>{ANY_NATION})(?!\w)"
)
_ADJECTIVES = rf"(?:{ANY_NATION})(?:(?:[-–/]|, | and | or | )(?:{ANY_NATION}))*(?![\w])"
_HEAD = re.compile(
    rf"\b(?:is|was|were|are) (?:an?|the) (?:(?!of |in |to |by |from |at |for )[\w'’-]+ ){{0,3}}?(?P<nations>{_ADJECTIVES})(?!-born)"
)
_NATIVE = re.compile(rf"(?P<nation>{ANY_NATION})-born\b")
_NAME = r"[A-Z][\w'’.-]*(?: (?:of |upon |de |la |on )?(?:the )?[A-Z][\w'’.-]*)*"
_DIED = r"died|passed away|(?:was|were|and) (?:killed|assassinated|murdered|executed)"
_BIRTH, _DEATH = (
    re.compile(
        rf"\b(?:{words})\b(?: (?:(?! and | but | who |, s?he |, they )[^;()]){{0,60}}?)?? (?:in|at)(?: the)?(?: [A-Za-z]+ (?:city|town|village) of| [a-z]+ of)? "
        rf"(?P<places>{_NAME}(?:, {_NAME}|,? in (?:the )?{_NAME}|, an? [a-z]+(?: [a-z]+)? (?:of|in|near) (?:the )?{_NAME})*)"
    )
    for words in (r"[Bb]orn", _DIED)
)
# "a house in Ketchum, Idaho, where he committed suicide"
_THERE = re.compile(
    rf"\b(?P<places>{_NAME}(?:, {_NAME})*),? where (?:he|she) (?:later )?(?:committed suicide|{_DIED})\b"
)
# The first that fits counts: a drama film is a film.
_WORKS = {
    "film": re.compile(r"\b(?:film|movie)\b"),
    "series": re.compile(r"\b(?:series|sitcom|show|drama|soap opera|program(?:me)?)\b"),
    "music": re.compile(r"\b(?:album|song|single|EP)\b"),
    "book": re.compile(r"\b(?:novel|book|play|comic)\b"),
}
_OTHERS = re.compile(r"\b(?:[Hh]is|[Hh]er|[Tt]heir|who|whose|people|soldiers|men|women|children)\b")
_TOO = re.compile(r"\b(?:citizen\w*|national(?:ity|s)?|naturali[sz]ed|dual|parents|descent|ancestry|heritage)\b")
_IN_LANGUAGE = re.compile(rf"\b(?:{ANY_NATION}): ")  # "(Italian: Cristoforo Colombo)"
_LATER = re.compile(r"\b(?:moved|relocated|raised|grew up|lived|settled|emigrated|died|buried|studied|educated)\b")
_TIME = re.compile(rf"(?:{'|'.join(MONTHS)}|[Tt]he )\b|\d")


def origin(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says where the claim's subject is from, was born or died."""
    if match := _EVENT_IN.match(claim):
        is_place = match["place"][0].isupper() and not _TIME.match(match["place"])
        meant = pages_meant(match["subject"], pages) if is_place else []
        born = match["event"].lower().endswith("born")
        ruling = first_that_holds(_event_in(match["place"], page, pages, born) for page in meant)
        return None if ruling and ruling.holds and match["rest"] else ruling
    match = _IS_FROM.match(claim)
    if match is None:
        return None
    nation, subject, groups = nation_of(match["nation"]), match["subject"], match.groupdict()
    meant = pages_meant(subject, pages) or called_in_any_number(subject, pages)
    ruling = first_that_holds(_of_nation(nation, page) for page in meant)
    kind = groups.get("kind") or ""
    if ruling is None or (ruling.holds and (kind or groups.get("plays"))):
        return None
    if not ruling.holds and ruling.sentence.title != meant[0].title:
        return None  # a film of that name says nothing of the person
    another = fold(ruling.sentence.title) != fold(subject) and _is_another(kind, ruling.sentence.text)
    return None if another else ruling


def countries_of(page: Page) -> tuple[Sentence, list[str]] | None:
    """The sentence that says of which countries the page's subject is, and these: "an Austrian-born American actor"."""
    found = list(matches([page], _HEAD, first=1))
    nations = [nation for _, match in found for nation in nations_in(match["nations"])]
    return (found[0][0], nations) if nations else None


def _is_another(kind: str, first: str) -> bool:
    """Whether the page's first sentence is about a work, and the claim about something else, or about a work of another kind."""
    ours, theirs = (
        next((work for work, words in _WORKS.items() if words.search(text)), "")
        for text in (kind, first.partition(",")[0])
    )
    return bool(kind and theirs and ours != theirs)


def _of_nation(nation: str, page: Page) -> Ruling | None:
    """Decided by the first sentence, "… is an Argentine revolutionary", else by "of Chinese origin" or "founded in"."""
    for sentence in page.sentences()[:1]:
        _, nations = countries_of(page) or (sentence, list[str]())
        native = [nation_of(match["nation"]) for match in _NATIVE.finditer(sentence.text)]
        if nations or nation in native:
            return _decided(nation, [*nations, *native] if nation in native else nations, page, sentence)
    for sentence in page.sentences()[:SENTENCES_ON_ORIGINS]:
        arose = _ORIGIN.search(without_brackets(sentence.text))
        if arose and is_about(page.title, arose.string[: arose.start()]):
            return _decided(nation, [nation_of(arose["nation"] or arose["nation2"])], page, sentence)
    if nation in nations_in(page.text):
        return None
    began = matches([page], _BEGAN, SENTENCES_ON_ORIGINS, own=True)
    return next((_decided(nation, [nation_of(match["nation"])], page, one) for one, match in began), None)


def _event_in(place: str, page: Page, pages: Sequence[Page], born: bool) -> Ruling | None:
    """Decided by where the page's subject was born, or died."""
    nation = nation_of(place) or next(iter(nations_of_places(place)), "") or _where(place, pages)
    for sentence in page.sentences()[: SENTENCES_ON_ORIGINS if born else None]:
        if places := _places_in(sentence, born):
            return _at_place(place, nation, places, page, sentence)
    for sentence in page.sentences()[:1] if nation and born else ():
        if native := _NATIVE.search(sentence.text):
            country = nation_of(native["nation"])
            if nation == country:
                return Ruling(sentence, True) if nation_of(place) else None
            # "A Russian-born American": the second is no place of birth.
            return Ruling.quoting(sentence, native.group()) if exclude(nation, country) else None
    return None


def _where(place: str, pages: Sequence[Page]) -> str:
    """The one country that the first sentence of the place's page names: "… is the capital of Austria"; empty without one."""
    first = (without_brackets(sentence.text) for sentence in sentences_of(pages_called(place, pages)[:1], 1))
    countries = {country for text in first for country in countries_in(text)}
    return countries.pop() if len(countries) == 1 else ""


def _places_in(sentence: Sentence, born: bool) -> str:
    """The places of birth, or death, of the page's subject in the sentence, the nearest first; empty if it names none."""
    for match in (_BIRTH if born else _DEATH).finditer(sentence.text):
        before = sentence.text[: match.start()]
        own = born or (is_about(sentence.title, before) and not _OTHERS.search(before))
        if own and not _TIME.match(match["places"]):
            return match["places"]
    there = None if born else _THERE.search(sentence.text)
    return there["places"] if there else ""


def _at_place(place: str, nation: str, places: str, page: Page, sentence: Sentence) -> Ruling | None:
    """Decided by the places named, "Peekskill, New York": a single place may lie within the claim's, or contain it."""
    nations = nations_of_places(places)
    if nation and nations and all(exclude(nation, one) for one in nations):
        return Ruling.quoting(sentence, " and ".join(nations))
    if holds_name(fold(places), fold(place)) or (nation in nations and nation_of(place)):
        return Ruling(sentence, True)
    if nation_of(place):
        return None
    named = matches([page], re.compile(rf"\b{re.escape(place)}\b", re.IGNORECASE))
    before = (one.text[max(0, match.start() - MOST_BEFORE_PLACE) : match.start()] for one, match in named)
    apart = "," in places and all(map(_LATER.search, before))
    return Ruling.quoting(sentence, places, (place, places)) if apart else None


def _decided(nation: str, nations: Sequence[str], page: Page, sentence: Sentence) -> Ruling | None:
    """Decided by the countries that the sentence names, if no other sentence may name the claim's too."""
    if nation in nations:
        return Ruling(sentence, True)
    others = (one.text for one in page.sentences() if one == sentence or _TOO.search(one.text))
    too = any(nation in nations_in(_IN_LANGUAGE.sub("", text)) for text in others)
    if not too and all(exclude(nation, one) for one in nations):
        return Ruling.quoting(sentence, " and ".join(dict.fromkeys(nations)))
    return None
