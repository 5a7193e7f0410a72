"""Exact comparison besides the networks: a sign for the verdict, and corrections of stances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from retrieval.text.quantities.comparing import (
    AMOUNTS,
    LONGEST_COMPARED,
    Comparison,
    Relation,
    compare,
    is_comparable,
    is_state,
)
from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.statements import statements
from retrieval.text.quantities.times import BEGINNINGS, ENDINGS
from retrieval.types import Stance

MOVED = 0.9  # of the share of the side that the comparison excludes
WORDS_DIFFERENT = 0.7  # least share of the claim's words in title and sentence for a difference to correct a network
WORDS_EQUAL = 0.8  # and for an equality, with every name of the claim


def exactly(claim: str, title: str, sentence: str) -> int:
    """1 if the sentence's quantities are the claim's, -1 if they exclude them, 0 if they cannot be compared."""
    found = compare(claim, title, sentence)
    if found and found.relation is Relation.DIFFERENT:
        return -1
    return int(found is not None and found.agrees)


def stance_after_form(claim: str, texts: Sequence[str], stance: Stance) -> Stance:
    """The stance, unless it contradicts exact arithmetic: then most of the side that is excluded goes to the other. A sentence that
    only writes the claim's date or number differently supports it; one that gives the same thing another refutes it. Neutral
    stays. texts: the `pair_text`s that were read, best first; the first that can be compared decides.
    """
    for text in texts:
        line = text.partition("\n")[0]
        title, colon, sentence = line.partition(" : ")
        found = compare(claim, *((title, sentence) if colon else ("", line)))
        if found and found.relation is Relation.DIFFERENT and found.shared >= WORDS_DIFFERENT:
            moved = MOVED * stance.supports
            return Stance(stance.supports - moved, stance.refutes + moved, stance.neutral)
        if found and settles(found):
            moved = MOVED * stance.refutes
            return Stance(stance.supports + moved, stance.refutes - moved, stance.neutral)
    return stance


def settles(found: Comparison) -> bool:
    """Whether nothing but the quantities could differ, and they do not."""
    least = WORDS_DIFFERENT if found.derived else WORDS_EQUAL
    return found.agrees and found.named and found.shared >= least


def of_one_measure(claim: str, sentence: str) -> bool:
    """Whether both give an amount of one thing or dimension, equal or not."""
    pairs = product(statements(claim[:LONGEST_COMPARED]), statements(sentence[:LONGEST_COMPARED]))
    return any(one.kind in AMOUNTS and is_comparable(one, other) for one, other in pairs)


def is_dated(sentence: str) -> bool:
    """Whether it gives a date."""
    return any(one.kind is Kind.DATE for one in statements(sentence[:LONGEST_COMPARED]))


def only_begins(claim: str, sentence: str) -> bool:
    """Whether the claim says that something went on at a date, and the sentence only that it began before, or ended later."""
    wanted = [one for one in statements(claim[:LONGEST_COMPARED]) if is_state(one) and one.of]
    given = [one for one in statements(sentence[:LONGEST_COMPARED]) if one.kind is Kind.DATE]
    return bool(wanted and given) and all(
        (one.of in BEGINNINGS and one.high <= asked.high) or (one.of in ENDINGS and one.low >= asked.low)
        for asked in wanted
        for one in given
    )
