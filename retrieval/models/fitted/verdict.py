"""The local verdict: multinomial logistic regression over the cross-encoder's outputs for the best sentences.

`python -m training verdict`, which shares `features`, fits the coefficients in `weights/verdict.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from retrieval.models import catalogue
from retrieval.models.fitted.logistic import Vector, log_odds, read_logistic, softmax
from retrieval.types import Label, Stance

LABELS = (Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH_EVIDENCE)
SENTENCES = 5
FEATURES = (
    "best relevance, log odds",
    "second relevance, log odds",
    "third relevance, log odds",
    "relevant sentences, expected number",
    "supporting sentences, expected number",
    "refuting sentences, expected number",
    "any sentence supports, log odds",
    "any sentence refutes, log odds",
    "best sentence supports, log odds",
    "best sentence refutes, log odds",
    "strongest support, stance alone",
    "strongest refutation, stance alone",
    "support beside refutation, product",
    "read together: supports, log odds",
    "read together: refutes, log odds",
    "read together: neutral, log odds",
    "any sentence agrees exactly, probability",
    "any sentence differs exactly, probability",
)


def features(
    relevances: Sequence[float], stances: Sequence[Stance], together: Stance, exact: Sequence[int] = ()
) -> Vector:
    """The values of `FEATURES` for sentences in order of relevance, best first; only the first five count.

    together: the stance of the same sentences read together. exact: 1 for each sentence whose quantities are the
    claim's, -1 if they exclude them, 0 if they cannot be compared (`retrieval.text.quantities.stances.exactly`); empty
    if not compared. A sentence supports with probability relevance x support. A missing sentence has relevance 0.
    """
    relevance, supports, refutes = np.zeros(SENTENCES), np.zeros(SENTENCES), np.zeros(SENTENCES)
    for rank, (score, stance) in enumerate(list(zip(relevances, stances, strict=True))[:SENTENCES]):
        relevance[rank], supports[rank], refutes[rank] = score, stance.supports, stance.refutes
    supporting, refuting = relevance * supports, relevance * refutes
    compared = np.zeros(SENTENCES)
    compared[: len(exact[:SENTENCES])] = exact[:SENTENCES]
    any_supports, any_refutes = 1 - np.prod(1 - supporting), 1 - np.prod(1 - refuting)
    return np.array(
        [
            *log_odds(relevance[:3]),
            relevance.sum(),
            supporting.sum(),
            refuting.sum(),
            log_odds(any_supports),
            log_odds(any_refutes),
            log_odds(supports[0]),
            log_odds(refutes[0]),
            supports.max(),
            refutes.max(),
            any_supports * any_refutes,
            *log_odds([together.supports, together.refutes, together.neutral]),
            1 - np.prod(1 - relevance * (compared > 0)),
            1 - np.prod(1 - relevance * (compared < 0)),
        ]
    )


class LocalVerdict:
    """Label probabilities from the best sentences, without another network."""

    def __init__(self, model: catalogue.Model = catalogue.VERDICT, weights: Path = catalogue.WEIGHTS) -> None:
        """Load the coefficients. Raises ModelError if they are missing, not ours, or for other features."""
        (path,) = catalogue.load(model, weights)
        self._regression = read_logistic(path, FEATURES, tuple(map(str, LABELS)), "verdict")
        self.id = model.id
        self.calibration_error = self._regression.calibration_error

    def probabilities(
        self, relevances: Sequence[float], stances: Sequence[Stance], together: Stance, exact: Sequence[int] = ()
    ) -> Mapping[Label, float]:
        """One probability for each label; they sum to 1. Sentences come best first; there may be none."""
        scores = self._regression.scores(features(relevances, stances, together, exact))
        return MappingProxyType(dict(zip(LABELS, map(float, softmax(scores)), strict=True)))
