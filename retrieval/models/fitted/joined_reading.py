"""Combines two readings of a sentence: MiniLM's, in the first pass, and the reader's.

A logistic regression gives the probability that the sentence is evidence (`weights/reading.json`, fitted by `python -m
training careful`, which shares the features). Besides both readings, its features give what neither network sees:
whether the claim begins with the name of the sentence's page, and where on the page the sentence is. The stance is a
mean of both: a regression over them was no better for the verdict and worse on passages that search does not find
(`docs/experiments.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from functools import partial

import numpy as np

from retrieval.models import catalogue
from retrieval.models.fitted.logistic import SHARE_BOUND, Logistic, Vector, log_odds, read_logistic, sigmoid, softmax
from retrieval.text.ranking import subject_start
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import content_words
from retrieval.types import Evidence, Stance

EVIDENCE_FEATURES = (
    "reader's relevance, log odds",
    "ranker's probability, log odds",
    "reader's best relevance of the claim, log odds",
    "ranker's best probability of the claim, log odds",
    "reader's stance is not neutral, log odds",
    "rank in the first pass",
    "first pass's relevance, log odds",
    "first line of its page",
    "claim begins with the name of its page, the longest such name",
    "claim begins with the name of any of the pages",
    "claim's words that it or its title has, share",
)
READER_WEIGHT = 0.8  # of the reader's stance in the mean
TOGETHER_WEIGHT = 0.65  # the same when the reader reads fewer of several sentences than the first pass


def evidence_features(
    claim: str, first: Sequence[Evidence], relevances: Sequence[float], stances: Sequence[Stance]
) -> Vector:
    """One row of `EVIDENCE_FEATURES` per sentence. first: the first pass's, in order; relevances, stances: the reader's."""
    if not first:
        return np.zeros((0, len(EVIDENCE_FEATURES)))
    best, best_first = max(relevances), max(evidence.weight for evidence in first)
    start = f"{fold(claim[subject_start(claim) :])} "
    name_lengths = [_words_at_the_start(start, evidence) for evidence in first]
    longest = max(name_lengths)
    words = content_words(claim)
    rows = [
        (
            log_odds(relevance, SHARE_BOUND),
            log_odds(evidence.weight, SHARE_BOUND),
            log_odds(best, SHARE_BOUND),
            log_odds(best_first, SHARE_BOUND),
            log_odds(1 - stance.neutral, SHARE_BOUND),
            rank,
            log_odds(evidence.relevance, SHARE_BOUND),
            evidence.sentence.line == 0,
            name_lengths[rank] == longest > 0,
            longest > 0,
            len(words & content_words(f"{evidence.title} {evidence.sentence.text}")) / max(1, len(words)),
        )
        for rank, (evidence, relevance, stance) in enumerate(zip(first, relevances, stances, strict=True))
    ]
    return np.array(rows, dtype=np.float64)


def _words_at_the_start(start: str, evidence: Evidence) -> int:
    """Number of words in the longest name of the sentence's page that begins the folded claim; 0 if none does."""
    names = map(fold, (without_bracket(evidence.title), *evidence.sentence.all_names))
    return max((len(name.split()) for name in names if name and start.startswith(f"{name} ")), default=0)


def evidence_shares(
    regression: Logistic, claim: str, first: Sequence[Evidence], relevances: Sequence[float], stances: Sequence[Stance]
) -> list[float]:
    """The probability that each sentence is evidence."""
    scores = regression.scores(evidence_features(claim, first, relevances, stances))[:, 0]
    shares: list[float] = sigmoid(scores).tolist()
    return shares


def joined_stances(first: Sequence[Stance], reader: Sequence[Stance]) -> list[Stance]:
    """A stance for each sentence: the weighted geometric mean of both readings."""
    return [joined_stance(*both, READER_WEIGHT) for both in zip(first, reader, strict=True)]


def joined_stance(first: Stance, reader: Stance, weight: float) -> Stance:
    """The weighted geometric mean of two stances. weight: of the reader's, 0 to 1."""
    shares = np.maximum([astuple(first), astuple(reader)], SHARE_BOUND)
    return Stance(*map(float, softmax(np.log(shares).T @ (1 - weight, weight))))


class JoinedReading:
    """The probability that a sentence is evidence, and its stance, from both readings."""

    def __init__(self) -> None:
        """Load the coefficients. Raises ModelError if they are missing, not ours, or for other features."""
        (path,) = catalogue.load(catalogue.READING)
        regression = read_logistic(path, EVIDENCE_FEATURES, ("evidence",), "careful")
        self.evidence = partial(evidence_shares, regression)
        self.stances = joined_stances
