"""Two readings of a sentence made one: what MiniLM's first pass and the reader say together.

Two logistic regressions in `weights/reading.json`, fitted by `python -m training careful`, which shares the features:
whether the sentence is evidence, and its stance.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.fitted.logistic import Logistic, Vector, log_odds, logistic_of, softmax
from retrieval.types import Evidence, Stance

EVIDENCE_FEATURES = (
    "reader's relevance, log odds",
    "ranker's probability, log odds",
    "reader's best relevance of the claim, log odds",
    "ranker's best probability of the claim, log odds",
    "reader's stance is not neutral, log odds",
    "rank in the first pass",
)
STANCE_FEATURES = (
    "reader supports, log",
    "reader refutes, log",
    "reader neutral, log",
    "first pass supports, log",
    "first pass refutes, log",
    "first pass neutral, log",
)
STANCES = ("supports", "refutes", "neutral")
LEAST = 0.005


def evidence_features(first: Sequence[Evidence], relevances: Sequence[float], stances: Sequence[Stance]) -> Vector:
    """(sentences, features). first: as the first pass ranks them; relevances, stances: the reader's of the same."""
    if not first:
        return np.zeros((0, len(EVIDENCE_FEATURES)))
    best, best_first = max(relevances), max(evidence.weight for evidence in first)
    rows = [
        (
            log_odds(relevance, LEAST),
            log_odds(evidence.weight, LEAST),
            log_odds(best, LEAST),
            log_odds(best_first, LEAST),
            log_odds(1 - stance.neutral, LEAST),
            rank,
        )
        for rank, (evidence, relevance, stance) in enumerate(zip(first, relevances, stances, strict=True))
    ]
    return np.array(rows, dtype=np.float64)


def stance_features(first: Sequence[Stance], reader: Sequence[Stance]) -> Vector:
    """(sentences, features)."""
    rows = [
        (ours.supports, ours.refutes, ours.neutral, theirs.supports, theirs.refutes, theirs.neutral)
        for ours, theirs in zip(reader, first, strict=True)
    ]
    return np.log(np.maximum(np.array(rows, dtype=np.float64).reshape(-1, len(STANCE_FEATURES)), LEAST))


def evidence_shares(
    regression: Logistic, first: Sequence[Evidence], relevances: Sequence[float], stances: Sequence[Stance]
) -> list[float]:
    """Probability of each sentence to be evidence."""
    scores = regression.scores(evidence_features(first, relevances, stances))[:, 0]
    return [float(share) for share in 1 / (1 + np.exp(-scores))]


def joined_stances(regression: Logistic, first: Sequence[Stance], reader: Sequence[Stance]) -> list[Stance]:
    """One stance a sentence."""
    return [Stance(*map(float, softmax(row))) for row in regression.scores(stance_features(first, reader))]


class JoinedReading:
    """Probability of being evidence, and stance, from both readings."""

    def __init__(self, model: catalogue.Model = catalogue.READING, weights: Path = catalogue.WEIGHTS) -> None:
        """Read the coefficients. Raises ModelError if they are missing, not ours, or for other features."""
        (path,) = catalogue.load(model, weights)
        fitted = json.loads(path.read_text(encoding="utf-8"))
        wanted = {"evidence": EVIDENCE_FEATURES, "stance": STANCE_FEATURES}
        if any(fitted[name]["features"] != list(features) for name, features in wanted.items()):
            raise ModelError(
                f"{path} was fitted for other features than this program computes. "
                "Fit it again with `python -m training careful`."
            )
        self._evidence, self._stance = logistic_of(fitted["evidence"]), logistic_of(fitted["stance"])
        self.id = model.id

    def evidence(
        self, first: Sequence[Evidence], relevances: Sequence[float], stances: Sequence[Stance]
    ) -> list[float]:
        """Probability of each sentence to be evidence."""
        return evidence_shares(self._evidence, first, relevances, stances)

    def stances(self, first: Sequence[Stance], reader: Sequence[Stance]) -> list[Stance]:
        """One stance a sentence."""
        return joined_stances(self._stance, first, reader)
