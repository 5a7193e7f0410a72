"""The numbers of a text as statements: their unit, what they count, and their bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import inf

from retrieval.text.quantities.finding import Kind, Quantity
from retrieval.text.quantities.stated import LASTED, Statement, bound_before
from retrieval.text.quantities.units import in_base
from retrieval.text.words import stem

_LASTS = re.compile(r"\b(?:last|lasted|lasts|lasting)\b", re.IGNORECASE)
_WORDS = re.compile(r"[\w'’-]+")
_PLURALS = frozenset("people children men women feet species series goals".split())
_STOPS = re.compile(
    r"(?i)[,;:.()–—]| (?:of|in|on|at|to|for|and|or|with|from|by|that|which|who|is|was|are|were|has|have|had|as|than|the|a|an)\b"
)
_PAIRS = re.compile(r" pairs of(?= )")  # "three pairs of legs" are six
_MANY = 4  # words between a number and what it counts


def amounts(text: str, quantity: Quantity) -> Iterator[Statement]:
    """A number with its unit, or with what it counts."""
    bound = bound_before(text, quantity.start, quantity.end)
    value, half = float(quantity.value), float(quantity.step) / 2
    if quantity.kind in (Kind.MEASURE, Kind.MONEY) and quantity.unit:
        unit = quantity.unit
        base, half = in_base(value, unit), half * unit.factor
        of = unit.dimension if quantity.kind is Kind.MEASURE else unit.name
        of = LASTED if of == "time" and _LASTS.search(text) else of
        yield _bounded(
            Statement(quantity.kind, quantity.start, quantity.end, of, base, base, bound, half, unit=unit.name)
        )
    elif quantity.kind is Kind.PERCENT:
        yield _bounded(Statement(Kind.PERCENT, quantity.start, quantity.end, "%", value, value, bound, half))
    elif quantity.kind is Kind.NUMBER:
        pairs = _PAIRS.match(text, quantity.end)
        noun, detail = _counted(text, pairs.end() if pairs else quantity.end) or ("", frozenset())
        if quantity.form.endswith(" times"):  # "twice"
            noun, detail = stem("times"), frozenset()
        value *= 2 if pairs else 1
        yield _bounded(Statement(Kind.NUMBER, quantity.start, quantity.end, noun, value, value, bound, half, detail))


def _bounded(stated: Statement) -> Statement:
    """The values within its bound."""
    value = stated.low
    low, high = {
        "about": (value - abs(value) * 0.05, value + abs(value) * 0.05),
        "early": (value - abs(value) * 0.05, value + abs(value) * 0.05),
        "nearly": (value - abs(value) * 0.1, value),
        "more": (value, inf),
        "after": (value, inf),
        "least": (value, inf),
        "less": (-inf, value),
        "before": (-inf, value),
        "most": (-inf, value),
    }.get(stated.bound, (value, value))
    if stated.bound == "most" and stated.half == 0.5:  # "only 12"
        low = value
    bound = "" if stated.bound in ("by", "until") else stated.bound
    return replace(stated, low=low, high=high, bound=bound)


def _counted(text: str, end: int) -> tuple[str, frozenset[str]] | None:
    """Stem of the noun that a number counts, and of the words between: the last plural before the phrase ends."""
    rest = text[end : end + 60]
    if not rest.startswith(" "):
        return None
    if stop := _STOPS.search(rest, 1):
        rest = rest[: stop.start()]
    words = [word.lower() for word in _WORDS.findall(rest)][:_MANY]
    plurals = [
        place
        for place, word in enumerate(words)
        if word in _PLURALS or (len(word) > 3 and word[-1] == "s" and word[-2:] != "ss")
    ]
    if not plurals:
        return None
    last = plurals[-1]
    return stem(words[last]), frozenset(stem(word) for word in words[:last])
