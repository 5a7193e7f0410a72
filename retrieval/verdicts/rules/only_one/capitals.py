"""Capitals of something else: "Munich is the capital of Bavaria" says nothing of the capital of Germany."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, NATIONS
from retrieval.text.titles import without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.only_one.place import CAPITAL, Place, words_of
from retrieval.verdicts.rules.only_one.sentences import CITY_TOO, LAND
from retrieval.verdicts.rules.ruling import Ruling, pages_called

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
    """The sentence of a town's page that makes it the capital of another country today (`part`: of a part of one), where the claim
    names a country.
    """
    told = capital_of_others(place, pages)
    nations = set(map(words_of, NATIONS)) if told else set()
    if place.words - {CAPITAL} not in nations:
        return None
    if part:
        found = _OF_PART.search(told[0].text) is not None
    else:
        found = place.now and any(
            words_of(one["where"] or "") in nations for one in _OF_ELSEWHERE.finditer(CITY_TOO.sub("", told[0].text))
        )
    return (
        Ruling(told[0], False, f"“{without_bracket(told[0].title)}” is the capital of something else.")
        if found
        else None
    )


def capital_once(place: Place, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the town's page that says that it was the capital of the claim's country until, or between, some years, if the
    claim says that it is one and no sentence of the page does.
    """
    page = next(iter(pages_called(place.subject, pages)), None) if CAPITAL in place.words and place.now else None
    for sentence in page.sentences() if page else ():
        found = (one for one in _ONCE.finditer(sentence.text) if words_of(one["where"]) >= place.words - {CAPITAL})
        if any(found):
            return Ruling(sentence, False, f"“{without_bracket(sentence.title)}” was the capital at another time.")
    return None


def capital_of_others(place: Place, pages: Sequence[Page]) -> list[Sentence]:
    """What the page of the claim's town says on capitals, if none of it is of the claim's country; empty for other places."""
    page = next(iter(pages_called(place.subject, pages)), None) if CAPITAL in place.words else None
    told = [one for one in page.sentences() if _IS_CAPITAL.search(_NO_CAPITAL.sub("", one.text))] if page else []
    elsewhere = [one for one in told if is_of_elsewhere(place, one.text, one.title)]
    silent = all(one in elsewhere or words_of(one.text).isdisjoint(place.words - {CAPITAL}) for one in told)
    return elsewhere if silent else []


def is_of_elsewhere(place: Place, text: str, title: str) -> bool:
    """Whether the place is a capital and the sentence about the capital of something else: "Munich is the capital of Bavaria".

    title: of the sentence's page, whose capital "the capital" is.
    """
    if CAPITAL not in place.words or any(map(_SUPERLATIVE.fullmatch, place.words)):
        return False
    text = _NO_CAPITAL.sub("", text.replace("U.S.", "US"))
    found = (one["where"] for one in _OF_ELSEWHERE.finditer(CITY_TOO.sub("", text)))
    told = [title if where and _OWN.match(where) else where for where in found] or [
        title for _ in _OWN_CAPITAL.finditer(text)
    ]
    asked = place.words - {CAPITAL}
    named = ((where or "").split(" in ")[0] for where in told)
    return bool(told) and not any(asked <= words_of(where) | {_initials(where)} for where in named)


def _initials(name: str) -> str:
    """Those of "Papua New Guinea", as people write them."""
    return "".join(word[0] for word in name.split() if word[0].isupper()).lower()
