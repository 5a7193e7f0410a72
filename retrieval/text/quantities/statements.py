"""The statements that a text makes with its quantities: the kind of fact, its bounds, and what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from retrieval.text.languages import ENGLISH
from retrieval.text.names.abbreviations import with_us_and_uk
from retrieval.text.quantities.amounts import amounts, of_a_shared_noun
from retrieval.text.quantities.finding import (
    Kind,
    Quantity,
    fractions,
    quantities,
    remembered,
    units_without_number,
)
from retrieval.text.quantities.stated import Statement
from retrieval.text.quantities.times import dated
from retrieval.text.words import stem

# Unit -> the units in which the rest of an amount is given.
_SMALLER = {
    "years": ("months", "weeks", "days"),
    "months": ("weeks", "days"),
    "days": ("hours",),
    "hours": ("minutes",),
    "feet": ("inches",),
}
_AND = re.compile(r" |,? and |, ")
_TO = re.compile(r"(?: to | ?[–—-] ?| or )\Z")
_BETWEEN = re.compile(r"\bbetween (?:about )?[-−]?\Z")
_MINUS = re.compile(r"(?<!\w)[-−–]\Z")
# Ranks: "second-largest country in the world", "the tallest", "44th president".
_SUPERLATIVE = re.compile(r"\b(?P<word>[a-z]{2,}est|most [a-z]+|least [a-z]+|best|worst)\b(?![-'’])", re.IGNORECASE)
_NOT_SUPERLATIVE = frozenset(
    "west east rest test guest forest interest request protest contest harvest priest latest northwest southwest northeast southeast "
    "midwest invest suggest arrest crest chest nest best-selling quest vest pest zest attest conquest digest everest budapest "
    "honest modest manifest earnest tempest bequest ernest".split()
)
_SAME_ORDER = {"biggest": "largest", "greatest": "largest", "tallest": "highest", "quickest": "fastest"}
_DETERMINED = re.compile(r"(?:\b(?:the|its|their|his|her|a|our|single)|['’]s?)(?: \w+ly)? \Z", re.IGNORECASE)
_SCOPE_ENDS = re.compile(
    r"[,;:.()–—]| (?:after|behind|with|and|but|which|who|that|following|until|since|when|although|as|is|was|are|has|had)\b"
)
_BY = re.compile(r"\bby (?:[\w-]+ ){0,2}[\w-]+")
_PREDICATED = re.compile(
    r"\b(?:is|was|are|were|be|been|being|as|became|become|remains|remained|ranks|ranked|placed|finished|came|,) (?:[\w'’.-]+ ){0,3}\Z|(?:,| and) (?:the|its) \Z"
)
_WORLD = frozenset({"world", "earth", "globe", "planet", "worldwid", "ever"})
_WORDS = re.compile(r"[\w'’-]+")
_SCOPE = 80  # characters after a rank that may limit its order


@remembered
def statements(text: str) -> tuple[Statement, ...]:
    """The statements, in text order. Linear in the text's length."""
    found = sorted((*quantities(text), *units_without_number(text), *fractions(text)), key=lambda one: one.start)
    ranked = list(_ranks(text, found))
    ranking = {quantity.start for quantity, _ in ranked if quantity is not None}
    stated = [*dated(text, [one for one in found if one.kind is Kind.DATE])]
    for quantity, least in _ranges(text, found):
        stated += [] if quantity.start in ranking else amounts(text, quantity, least)
    stated += [rank for _, rank in ranked]
    summed = list[Statement]()
    for one in sorted((*stated, *of_a_shared_noun(text)), key=lambda one: one.start):
        if summed and _continues(text, summed[-1], one):
            low, high = summed[-1].low + one.low, summed[-1].high + one.high
            summed[-1] = replace(summed[-1], end=one.end, low=low, high=high, half=one.half)
        else:
            summed.append(one)
    return tuple(summed)


def _continues(text: str, amount: Statement, rest: Statement) -> bool:
    """Whether the second is the rest of the first, in a smaller unit: "63 years and seven months"."""
    smaller = rest.unit in _SMALLER.get(amount.unit, ()) and rest.of == amount.of and not rest.bound
    return smaller and _AND.fullmatch(text, amount.end, rest.start) is not None


def _ranges(text: str, found: Sequence[Quantity]) -> Iterator[tuple[Quantity, Decimal | None]]:
    """Each quantity; of "112 to 120 km/h" the last, which begins with the first, and the value of the first in its unit."""
    least = None
    for first, last in zip(found, (*found[1:], None), strict=False):
        if least is not None:  # the first ended a range
            least = None
        elif last and (least := _least(text, first, last)) is not None:
            yield replace(last, start=first.start), least
        else:
            yield first, None


def _least(text: str, first: Quantity, last: Quantity) -> Decimal | None:
    """The lower end of a range, in the unit and scale of its upper end; None if the two make none."""
    if first.kind is not Kind.NUMBER or last.kind in (Kind.DATE, Kind.RANK, Kind.MONEY) or last.start - first.end > 5:
        return None
    between = text[first.end : last.start]
    joined = _TO.match(between) or (between == " and " and _BETWEEN.search(text, max(0, first.start - 16), first.start))
    if not joined:
        return None
    heat = last.unit is not None and last.unit.dimension == "temperature"
    negative = heat and _MINUS.search(text, max(0, first.start - 2), first.start)
    scales = (Decimal(10) ** power for power in (12, 9, 6))
    scale = next((one for one in scales if last.value >= one and first.value < 1000), Decimal(1))
    least = -first.value if negative else first.value * scale
    return least if least < last.value else None


def _ranks(text: str, found: Sequence[Quantity]) -> Iterator[tuple[Quantity | None, Statement]]:
    """Each with the ordinal that is part of it. The statement's low and high are the place; of is the order; detail has the stems of
    what is ordered, and where. It is loose unless it is predicated: "her second album won" names an album only.
    """
    ordinals = {one.end: one for one in found if one.kind is Kind.RANK}
    for match in _SUPERLATIVE.finditer(text):
        word = match["word"].lower()
        if word in _NOT_SUPERLATIVE:
            continue
        ordinal = ordinals.pop(match.start(), None) or ordinals.pop(match.start() - 1, None)
        start = ordinal.start if ordinal else match.start()
        determined = ordinal or _DETERMINED.search(text, max(0, start - 20), start)
        if determined and not text[max(0, start - 7) : start].lower().endswith("one of "):
            yield ordinal, _rank(text, start, match.end(), stem(_SAME_ORDER.get(word, word)), ordinal)
    for end, ordinal in ordinals.items():
        noun = re.match(r" ([A-Za-z]{4,}|son)\b", text[end : end + 30])
        if noun and noun[1].lower() not in ENGLISH.function_words and not noun[1].endswith("ed"):  # "first published"
            yield ordinal, _rank(text, ordinal.start, ordinal.end, f"nth {stem(noun[1].lower())}", ordinal)


def _rank(text: str, start: int, end: int, order: str, ordinal: Quantity | None) -> Statement:
    place = int(ordinal.value) if ordinal else 1
    predicated = _PREDICATED.search(text, max(0, start - 40), start)
    scope = _scope(text, start, end)
    return Statement(Kind.RANK, start, end, order, place, place, detail=scope, loose=predicated is None)


def _scope(text: str, start: int, end: int) -> frozenset[str]:
    """Stems of the words behind a rank, and of "the world's" before it; the whole world does not limit an order."""
    rest = with_us_and_uk(text[end : end + _SCOPE])
    if stop := _SCOPE_ENDS.search(rest):
        rest = rest[: stop.start()]
    rest = _BY.sub(" ", rest)
    before = re.search(r"([\w-]+)['’]s \Z", text[max(0, start - 30) : start])
    words = [word.lower() for word in _WORDS.findall(rest)] + ([before[1].lower()] if before else [])
    stems = frozenset(stem(word) for word in words if word not in ENGLISH.function_words and not word.isdecimal())
    return stems - _WORLD
