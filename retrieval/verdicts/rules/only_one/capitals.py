"""Capitals of something else: "Munich is the capital of Bavaria" says nothing of the capital of Germany."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, NATIONS
from retrieval.text.titles import without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.only_one.place import CAPITAL, Place, words_of
from retrieval.verdicts.rules.only_one.sentences import CITY_TOO, LAND
from retrieval.verdicts.rules.ruling import Ruling, matches, pages_called

_OF_ELSEWHERE = re.compile(
    r"(?i)\b(?:(?:state|provincial|regional|county) capital\b|capital(?: city)? of (?P<where>[^,;:.()]+))"
)
# "The financial capital of India" is no capital.
_NO_CAPITAL = re.compile(
    r"(?i)\b(?:financial|commercial|business|economic|industrial|cultural|entertainment|fashion|film|music|media|culinary|spiritual|"
    r"sporting|tourist|unofficial|de facto|summer|winter) capital\b"
)
# "The capital of the republic is the city of Grozny": the page's own.
_OWN = re.compile(rf"(?:the|this) (?:{LAND}|kingdom|empire|department)\b(?! of)")
_IS_CAPITAL = re.compile(r"\bcapital(?: city)?(?= of\b| and\b|[,.;)]|$)")
_PART = r"(?:state|province|region|community|canton|county|territory|emirate|prefecture)"
# "a state capital", "the capital of the state of Bavaria", "the capital of Anhui province", "the capital of Anhui, China"
_OF_PART = re.compile(
    rf"\b(?:state|provincial|regional) capital\b|\bcapital(?: city)? of (?:(?:the )?(?:[\w.]+ ){{0,3}}?{_PART} of\b"
    rf"|(?:[\w.]+ ){{1,3}}?(?i:{_PART})\b|[^,;:.()]+, (?:{ANY_NATION})\b)"
)
_SUPERLATIVE = re.compile(r"most|least|\w+est")  # "the most populous state capital" is no capital of a state
_ONCE = re.compile(
    r"\b(?:was|served as) (?:the |its )?(?:former )?capital(?: city)? of (?P<where>[^,;.()]+?),? (?:until|from \d|between \d|before \d)"
)
_OWN_CAPITAL = re.compile(
    r"\b(?:[Tt]he|[Ii]ts|[Tt]heir) capital(?: city)?(?:,? and (?:its )?[a-z]+ (?:city|town))? (?:is|was)\b"
)


def capital_elsewhere(place: Place, pages: Sequence[Page], part: bool) -> Ruling | None:
    """The sentence of a town's page that makes it the capital of another country or, if `part`, of a part of one."""
    first = next(iter(capital_of_others(place, pages)), None)
    nations = set(map(words_of, NATIONS)) if first else set()
    if first is None or place.words - {CAPITAL} not in nations:
        return None
    if part:
        is_elsewhere = _OF_PART.search(first.text) is not None
    else:
        found = _OF_ELSEWHERE.finditer(CITY_TOO.sub("", first.text))
        is_elsewhere = place.now and any(words_of(one["where"] or "") in nations for one in found)
    note = f"“{without_bracket(first.title)}” is the capital of something else."
    return Ruling(first, False, note) if is_elsewhere else None


def capital_once(place: Place, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the town's page that says that it was, but no longer is, the capital of the claim's country."""
    for sentence, found in matches(_page_of_town(place, pages) if place.now else [], _ONCE):
        if words_of(found["where"]) >= place.words - {CAPITAL}:
            return Ruling(sentence, False, f"“{without_bracket(sentence.title)}” was the capital at another time.")
    return None


def _page_of_town(place: Place, pages: Sequence[Page]) -> list[Page]:
    """The first page of the subject's name, if the place is a capital; else none."""
    return pages_called(place.subject, pages)[:1] if CAPITAL in place.words else []


def capital_of_others(place: Place, pages: Sequence[Page]) -> list[Sentence]:
    """What the page of the claim's town says on capitals, if none of it is of the claim's country; empty for other places."""
    sentences = [one for page in _page_of_town(place, pages) for one in page.sentences()]
    on_capitals = [one for one in sentences if _IS_CAPITAL.search(_NO_CAPITAL.sub("", one.text))]
    elsewhere = [one for one in on_capitals if is_of_elsewhere(place, one.text, one.title)]
    silent = all(one in elsewhere or words_of(one.text).isdisjoint(place.words - {CAPITAL}) for one in on_capitals)
    return elsewhere if silent else []


def is_of_elsewhere(place: Place, text: str, title: str) -> bool:
    """Whether the place is a capital and the sentence about the capital of something else: "Munich is the capital of Bavaria".

    title: of the sentence's page, whose capital "the capital" is.
    """
    if CAPITAL not in place.words or any(map(_SUPERLATIVE.fullmatch, place.words)):
        return False
    text = _NO_CAPITAL.sub("", text.replace("U.S.", "US"))
    found = (one["where"] or "" for one in _OF_ELSEWHERE.finditer(CITY_TOO.sub("", text)))
    wholes = [title if _OWN.match(where) else where for where in found]
    if not wholes and _OWN_CAPITAL.search(text):
        wholes = [title]
    asked = place.words - {CAPITAL}
    return bool(wholes) and not any(
        asked <= words_of(where) | {_initials(where)} for where in (whole.split(" in ")[0] for whole in wholes)
    )


def _initials(name: str) -> str:
    """The initials of a name, folded: "png" for Papua New Guinea."""
    return "".join(word[0] for word in name.split() if word[0].isupper()).lower()
