"""Exact comparison besides the networks: a sign for the verdict, and corrections of stances."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.text.quantities.comparing import Comparison, Relation, compare
from retrieval.types import Stance

MOVED = 0.9  # of the share of the side that the comparison excludes
WORDS_DIFFERENT = 0.7  # least share of the claim's words in title and sentence for a difference to correct a network
WORDS_EQUAL = 0.8  # and for an equality, with every name of the claim


def exactly(claim: str, title: str, sentence: str) -> int:
    """1 if the sentence's quantities are the claim's, -1 if they exclude them, 0 if they cannot be compared."""
    found = compare(claim, title, sentence)
    if found is None:
        return 0
    if found.relation is Relation.DIFFERENT:
        return -1
    return int(found.agrees)


def stance_after_form(claim: str, texts: Sequence[str], stance: Stance) -> Stance:
    """The stance, unless it contradicts exact arithmetic: then most of the side that is excluded goes to the other.

    texts: the `pair_text`s that were read, best first; the first that can be compared decides. If a network finds that a
    sentence refutes the claim, but it only writes the same date or number differently, it supports the claim. If the
    network finds support, but the same thing has another date or number, it refutes the claim. Neutral stays.
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
