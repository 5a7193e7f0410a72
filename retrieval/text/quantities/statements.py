"""The statements that a text makes with its quantities: the kind of fact, its bounds, and what it is about."""

from __future__ import annotations

from functools import lru_cache

from retrieval.text.quantities.amounts import amounts
from retrieval.text.quantities.finding import LONGEST_REMEMBERED, Kind, quantities, units_without_number
from retrieval.text.quantities.ranks import ranks
from retrieval.text.quantities.stated import Statement
from retrieval.text.quantities.times import dated


def statements(text: str) -> tuple[Statement, ...]:
    """The statements, in text order. Linear in the text's length."""
    return _remembered(text) if len(text) <= LONGEST_REMEMBERED else _stated(text)


@lru_cache(maxsize=4096)
def _remembered(text: str) -> tuple[Statement, ...]:
    return _stated(text)


def _stated(text: str) -> tuple[Statement, ...]:
    found = sorted((*quantities(text), *units_without_number(text)), key=lambda one: one.start)
    ranked = list(ranks(text, found))
    ranking = {quantity.start for quantity, _ in ranked if quantity is not None}
    stated = [*dated(text, [one for one in found if one.kind is Kind.DATE])]
    stated += [one for quantity in found if quantity.start not in ranking for one in amounts(text, quantity)]
    stated += [Statement(Kind.RANK, r.start, r.end, r.of, r.place, r.place, detail=r.detail) for _, r in ranked]
    return tuple(sorted(stated, key=lambda one: one.start))
