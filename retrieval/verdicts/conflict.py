"""Evidence that contradicts itself: a strong support and a strong refutation from different sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from types import MappingProxyType
from typing import Literal

from retrieval.text.addresses import source_of
from retrieval.text.ranking import holds_title
from retrieval.text.sentences import begins_with_pronoun
from retrieval.text.titles import WORD, fold, holds_name, starts_of, without_bracket
from retrieval.types import Evidence, Label, Sentence

LOUD = 0.4  # least strength of an unnamed page at which the pages that the claim names are consulted
LEANS = 0.05  # least strength with which these must contradict it
PLAINLY = 2.0  # and how many times stronger than their support
DECIDED = 0.5  # share of one label from which a model that knows CONFLICTING has decided

TwoSides = Literal["off", "undecided", "always"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sentences of different sources, one for the claim and one against it."""

    support: Evidence
    refutation: Evidence

    @property
    def strength(self) -> float:
        """Strength of the weaker side, 0 to 1: a conflict needs two."""
        return min(supporting(self.support), refuting(self.refutation))


def supporting(evidence: Evidence) -> float:
    """Probability that the sentence matters and supports the claim."""
    return evidence.weight * evidence.stance.supports


def refuting(evidence: Evidence) -> float:
    """Probability that the sentence matters and refutes the claim."""
    return evidence.weight * evidence.stance.refutes


def overruled(claim: str, sentences: Sequence[Evidence]) -> frozenset[Sentence]:
    """Sentences of pages that the claim does not name and that contradict pages it names: they do not count.

    An attacker can plant a page that states a claim word for word; the page about the claim's subject says it in other
    words, which a model reads as weaker. So if the two disagree, the subject's page counts. If the claim names no page,
    or if the pages it names are silent or disagree with each other, all count.
    """
    text, titled = fold(claim), [evidence for evidence in sentences if is_titled(claim, evidence)]
    # A name that a page gives itself counts only if no page has that title: anyone may write "also known as". Nor does a page that
    # is titled like something else in the claim speak for its subject: "MIT is in Cambridge, Massachusetts".
    if not any(starts_of(text, map(fold, (without_bracket(one.title), *one.sentence.names))) for one in titled):
        titled += [one for one in sentences if starts_of(text, map(fold, one.sentence.all_names)) and one not in titled]
    named = titled or [evidence for evidence in sentences if names_page(claim, evidence)]
    others, own = [evidence for evidence in sentences if evidence not in named], without_parts(claim, named)
    found: list[Evidence] = []
    for says, denies in ((supporting, refuting), (refuting, supporting)):
        loud = any(says(evidence) >= LOUD for evidence in others)
        against, for_it = max(map(denies, own), default=0.0), max(map(says, own), default=0.0)
        if loud and against >= LEANS and against >= PLAINLY * for_it:
            found += [evidence for evidence in others if says(evidence) > denies(evidence)]
    return frozenset(evidence.sentence for evidence in found)


def without_parts(claim: str, titled: Sequence[Evidence]) -> list[Evidence]:
    """Those whose title is not just a part of a longer one in the claim: "Pacific Ocean" does not name the page Ocean."""
    whole = left = f" {fold(claim)} "
    names = {fold(without_bracket(evidence.title)) for evidence in titled}
    parts = set[str]()
    for name in sorted(names, key=len, reverse=True):
        if f" {name} " in whole and f" {name} " not in left:
            parts.add(name)
        left = left.replace(f" {name} ", " | ")
    return [evidence for evidence in titled if fold(without_bracket(evidence.title)) not in parts]


def is_titled(claim: str, evidence: Evidence) -> bool:
    """Whether the claim contains the title of the sentence's page, with or without its bracket, or another of its titles."""
    return evidence.title_read and holds_title(claim, evidence.title, evidence.sentence.names)


def names_page(claim: str, evidence: Evidence) -> bool:
    """Whether the claim contains any name of the sentence's page."""
    return evidence.title_read and holds_title(claim, evidence.title, evidence.sentence.all_names)


def find_conflict(claim: str, evidence: Sequence[Evidence]) -> Conflict | None:
    """The strongest conflict among the verified sentences; None if no two sources take different sides.

    Two sentences of one article or document are not a conflict, even in different passages or corpora: one qualifies the
    other, or the stance was misread. Nor is a sentence about somebody else: that Michael Jordan was born in Brooklyn
    contradicts nothing about Michael B. Jordan.
    """
    verified = [e for e in evidence if e.verified and not speaks_of_another(claim, e.sentence)]
    found = [
        Conflict(one, other)
        for one, other in product(verified, repeat=2)
        if source_of(one.sentence) != source_of(other.sentence)
        and one.stance.supports > one.stance.refutes
        and other.stance.refutes > other.stance.supports
    ]
    return max(found, key=lambda conflict: conflict.strength, default=None)


def speaks_of_another(claim: str, sentence: Sentence) -> bool:
    """Whether the sentence is about its page's subject ("He was born ..."), which the claim does not name."""
    if not begins_with_pronoun(sentence.text):
        return False
    if holds_title(claim, sentence.title, sentence.all_names):
        return False
    title = fold(without_bracket(sentence.title))
    return not any(holds_name(title, fold(name)) for name in _names(claim))


def _names(claim: str) -> list[str]:
    """Runs of capitalised words; every word if there are none."""
    words = [match.group() for match in WORD.finditer(claim)]
    names = [" ".join(run) for capital, run in groupby(words, key=lambda word: word[0].isupper()) if capital]
    return names or words


def add_conflict(
    probabilities: Mapping[Label, float], strength: float, least: float, two_sides: TwoSides = "off"
) -> Mapping[Label, float]:
    """Adds a share for CONFLICTING and scales the others, so that the sum stays 1.

    strength: the conflict's, which becomes the share; none is added below `least`, nor if `least` is 0. two_sides: whether
    it replaces a smaller share that the model itself gives the label: never (`off`), if no label of the model has half
    (`undecided`), or `always`.
    """
    if not 0 < least <= strength:
        return probabilities
    own = probabilities.get(Label.CONFLICTING)
    if own is not None and (two_sides == "off" or own >= strength):
        return probabilities
    if own is not None and two_sides == "undecided" and max(probabilities.values()) >= DECIDED:
        return probabilities
    left = (1 - strength) / (1 - (own or 0.0))
    return MappingProxyType(
        {label: share * left for label, share in probabilities.items()} | {Label.CONFLICTING: strength}
    )


def without_conflict(probabilities: Mapping[Label, float]) -> Mapping[Label, float]:
    """The shares without CONFLICTING, whose share goes to the others in proportion, or evenly if they were 0."""
    others = {label: share for label, share in probabilities.items() if label is not Label.CONFLICTING}
    total = sum(others.values())
    return MappingProxyType({label: share / total if total else 1 / len(others) for label, share in others.items()})
