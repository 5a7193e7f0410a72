"""Whether a sentence is worth checking: logistic regression over its vector and signs of its form.

The three labels are ClaimBuster's: a fact worth checking, an unimportant fact, no fact.
Fitted by `python -m training checkworthy`; the numbers stand in `weights/checkworthy.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.models import catalogue
from retrieval.models.fitted.logistic import Vector, read_logistic
from retrieval.protocols import Encoder
from retrieval.text.extraction.signs import SIGNS, signs

CHECK_WORTHY, UNIMPORTANT, NO_FACT = "check-worthy", "unimportant fact", "no fact"
LABELS = (CHECK_WORTHY, UNIMPORTANT, NO_FACT)


class CheckWorthiness:
    """Calibrated shares of the three labels, sentence by sentence."""

    def __init__(
        self, encoder: Encoder, model: catalogue.Model = catalogue.CHECKWORTHY, weights: Path = catalogue.WEIGHTS
    ) -> None:
        """Read the coefficients. Raises ModelError if they are missing, not ours, or for other features."""
        names = (*(f"vector {place}" for place in range(encoder.dimension)), *SIGNS)
        self._encoder = encoder
        self._regression = read_logistic(model, weights, names, LABELS, "checkworthy")

    def probabilities(self, texts: Sequence[str], docs: Sequence[Any]) -> Vector:
        """(texts, labels). docs: spaCy's reading of each text."""
        scores = self._regression.scores(inputs(self._encoder, texts, docs))
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def inputs(encoder: Encoder, texts: Sequence[str], docs: Sequence[Any]) -> Vector:
    """What the regression reads: (texts, dimension + signs)."""
    vectors = encoder.encode(texts)
    return np.hstack([vectors, np.array([signs(text, doc) for text, doc in zip(texts, docs, strict=True)])])
