"""Evidence that contradicts itself: a strong support and a strong refutation from different pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from types import MappingProxyType

from retrieval.text.sentences import begins_with_pronoun
from retrieval.text.titles import WORD, fold, without_bracket
from retrieval.types import Evidence, Label, Sentence

LOUD = 0.4  # strength of what a page says that the claim does not name, from which on those that it names are asked
LEANS = 0.05  # least strength of what they then say to the contrary
PLAINLY = 2.0  # times as strong as anything that they say for it


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sentences of different pages, one for the claim and one against it."""

    support: Evidence
    refutation: Evidence

    @property
    def strength(self) -> float:
        """That of the weaker side, 0 to 1: a quarrel needs two."""
        return min(supporting(self.support), refuting(self.refutation))


def supporting(evidence: Evidence) -> float:
    """Probability that the sentence matters and supports the claim."""
    return evidence.weight * evidence.stance.supports


def refuting(evidence: Evidence) -> float:
    """Probability that the sentence matters and refutes the claim."""
    return evidence.weight * evidence.stance.refutes


def overruled(claim: str, sentences: Sequence[Evidence]) -> frozenset[Sentence]:
    """What pages that the claim does not name say against those that it names: it does not count.

    Anybody can plant a page that states a claim in so many words; the page about the claim's own subject says it in
    its own words, which a model reads as weaker. So where the two disagree, the subject's page counts. Where the claim
    names no page, where the pages it names are silent, or where they disagree among themselves, all count.
    """
    own = [evidence for evidence in sentences if names_page(claim, evidence)]
    others = [evidence for evidence in sentences if not names_page(claim, evidence)]
    found: list[Evidence] = []
    for says, denies in ((supporting, refuting), (refuting, supporting)):
        loud = any(says(evidence) >= LOUD for evidence in others)
        against, for_it = max(map(denies, own), default=0.0), max(map(says, own), default=0.0)
        if loud and against >= LEANS and against >= PLAINLY * for_it:
            found += [evidence for evidence in others if says(evidence) > denies(evidence)]
    return frozenset(evidence.sentence for evidence in found)


def heard(claim: str, sentences: Sequence[Evidence]) -> list[Evidence]:
    """Without what is overruled, in their order."""
    against = overruled(claim, sentences)
    return [evidence for evidence in sentences if evidence.sentence not in against]


def names_page(claim: str, evidence: Evidence) -> bool:
    """Whether the claim has the title of the sentence's page in it, with or without its bracket."""
    return evidence.title_read and f" {fold(without_bracket(evidence.title))} " in f" {fold(claim)} "


def find_conflict(claim: str, evidence: Sequence[Evidence]) -> Conflict | None:
    """The strongest one among the verified of these; None where no two pages pull in different directions.

    Two sentences of one page are no conflict: the one qualifies the other, or the stance was misread. Nor is what a page says
    of somebody else: that Michael Jordan was born in Brooklyn contradicts nothing about Michael B. Jordan.
    """
    verified = [e for e in evidence if e.verified and not speaks_of_another(claim, e.sentence)]
    found = [
        Conflict(one, other)
        for one, other in product(verified, repeat=2)
        if one.sentence.page_id != other.sentence.page_id
        and one.stance.supports > one.stance.refutes
        and other.stance.refutes > other.stance.supports
    ]
    return max(found, key=lambda conflict: conflict.strength, default=None)


def speaks_of_another(claim: str, sentence: Sentence) -> bool:
    """Whether the sentence is about its page's subject ("He was born ..."), which the claim does not name."""
    if not begins_with_pronoun(sentence.text):
        return False
    title = f" {fold(without_bracket(sentence.title))} "
    return title not in f" {fold(claim)} " and not any(f" {fold(name)} " in title for name in _names(claim))


def _names(claim: str) -> list[str]:
    """Runs of capitalized words; every word where there is none."""
    words = [match.group() for match in WORD.finditer(claim)]
    names = [" ".join(run) for capital, run in groupby(words, key=lambda word: word[0].isupper()) if capital]
    return names or words


def add_conflict(probabilities: Mapping[Label, float], strength: float, least: float) -> Mapping[Label, float]:
    """The same with a share for CONFLICTING, the others' scaled to what it leaves; their sum stays 1.

    Its share is the conflict's strength: it is as sure as the weaker of its two sentences. Below `least` it has none,
    as with least 0, which means never; and a model that gave CONFLICTING a share of its own is left alone.
    """
    if not 0 < least <= strength or Label.CONFLICTING in probabilities:
        return probabilities
    scaled = {label: share * (1 - strength) for label, share in probabilities.items()}
    return MappingProxyType({**scaled, Label.CONFLICTING: strength})


def without_conflict(probabilities: Mapping[Label, float]) -> Mapping[Label, float]:
    """The same without CONFLICTING, whose share the others take in their old proportions; evenly where they had none."""
    others = {label: share for label, share in probabilities.items() if label is not Label.CONFLICTING}
    total = sum(others.values())
    return MappingProxyType({label: share / total if total else 1 / len(others) for label, share in others.items()})
