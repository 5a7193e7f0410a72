"""Takes the side from sentences that say nothing about the claim, whatever a network read in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.stages.sentences import best_first
from retrieval.text.quantities.comparing import AMOUNTS, compare
from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.stances import is_dated, of_one_measure, only_begins, settles
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import RANKER, Evidence, FactCheck, Page, Stance
from retrieval.verdicts.rules.existence import only_believed

RULED_WEIGHT = 0.96  # the weight of a sentence that decides by rule, and the share of its side
NO_SIDE = Stance((1 - RULED_WEIGHT) / 2, (1 - RULED_WEIGHT) / 2, RULED_WEIGHT)
MOST_OF_ANOTHER = 0.1  # the most that a sentence about something else weighs


def unless_only_believed(check: FactCheck, pages: Sequence[Page]) -> FactCheck:
    """Silences sentences that support the claim, but only report that somebody believes it."""
    supporting = [one.sentence for one in check.sentences if one.stance.supports > one.stance.refutes]
    believed = only_believed(check.claim.reading, pages, supporting)
    return silenced(check, [one for one in check.sentences if one.sentence in believed])


def unless_given_elsewhere(check: FactCheck) -> FactCheck:
    """Silences sentences that refute the claim by another amount or date, if a sentence of the same page gives the claim's: a part
    of a tunnel says nothing of its length, and a first episode nothing of a later year.

    A date also silences the pages of namesakes, but no other date of the same event; if it is on a page that the claim names, it
    silences all dates of pages that it does not: when Rolling Stone was founded says nothing of the Rolling Stones. That something
    began in 1960 does not refute that it went on in 1965.
    """
    claim = check.claim.reading
    found = {one.sentence: compare(claim, one.title_as_read, one.sentence.text) for one in check.sentences}
    # A date of the same event is enough, even if the sentence does not name all that the claim does.
    agreed = {
        one: comparison
        for one, comparison in found.items()
        if comparison and (settles(comparison) or (comparison.kind is Kind.DATE and comparison.agrees))
    }
    measured = {one.page_id for one, comparison in agreed.items() if comparison.kind in AMOUNTS}
    dated = {fold(without_bracket(one.title)) for one, comparison in agreed.items() if comparison.kind is Kind.DATE}
    named = any(_names(claim, title) for title in dated)
    other = [
        one
        for one in check.sentences
        if one.sentence not in agreed and one.stance.refutes > one.stance.supports
        if (one.sentence.page_id in measured and of_one_measure(claim, one.sentence.text))
        or only_begins(claim, one.sentence.text)
        or (
            fold(without_bracket(one.sentence.title)) in dated
            and found[one.sentence] is None
            and is_dated(one.sentence.text)
        )
        or (named and found[one.sentence] and is_dated(one.sentence.text) and not _names(claim, one.sentence.title))
    ]
    return silenced(check, other)


def _names(claim: str, title: str) -> bool:
    """Whether the claim has the title word for word, with or without its bracket and article."""
    return holds_name(fold(claim), fold(without_bracket(title)).removeprefix("the "))


def silenced(check: FactCheck, other: Sequence[Evidence]) -> FactCheck:
    """The check with no side and little weight for `other`, and the sentences best first; unchanged if there are none."""
    sentences = (
        replace(one, stance=NO_SIDE, rank_score=min(one.weight, MOST_OF_ANOTHER), rank_method=RANKER)
        if one in other
        else one
        for one in check.sentences
    )
    return replace(check, sentences=best_first(tuple(sentences))) if other else check


def neutral(sentences: Sequence[Evidence], some: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The sentences, with the stance of `some` made neutral."""
    return tuple(replace(one, stance=NO_SIDE) if one in some else one for one in sentences)
