"""The statements that a text makes with its quantities: the kind of fact, its bounds, and what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from retrieval.text.quantities.amounts import amounts, of_a_shared_noun
from retrieval.text.quantities.finding import (
    Kind,
    Quantity,
    fractions,
    quantities,
    remembered,
    units_without_number,
)
from retrieval.text.quantities.ranks import ranks
from retrieval.text.quantities.stated import Statement
from retrieval.text.quantities.times import dated

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


@remembered
def statements(text: str) -> tuple[Statement, ...]:
    """The statements, in text order. Linear in the text's length."""
    found = sorted((*quantities(text), *units_without_number(text), *fractions(text)), key=lambda one: one.start)
    ranked = list(ranks(text, found))
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
    place = 0
    while place < len(found):
        first, last = found[place], found[place + 1] if place + 1 < len(found) else None
        least = _least(text, first, last) if last else None
        if last and least is not None:
            yield replace(last, start=first.start), least
            place += 1
        else:
            yield first, None
        place += 1


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
