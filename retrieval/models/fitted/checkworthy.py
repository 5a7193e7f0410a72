"""Whether a sentence is worth checking: a fine-tuned MiniLM, with a linear layer over its vectors.

The three labels are ClaimBuster's: a fact worth checking, an unimportant fact, no fact. `python -m training
checkworthy` makes both files: `weights/checkworthy.changes`, the changes by fine-tuning, and
`weights/checkworthy.json`, the linear layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.models import catalogue
from retrieval.models.fitted.logistic import Vector, read_logistic, softmax
from retrieval.models.onnx import OnnxEncoder

CHECK_WORTHY, UNIMPORTANT, NO_FACT = "check-worthy", "unimportant fact", "no fact"
LABELS = (CHECK_WORTHY, UNIMPORTANT, NO_FACT)


class CheckWorthiness:
    """Calibrated shares of the three labels, sentence by sentence."""

    def __init__(self, threads: int = 0, weights: Path = catalogue.WEIGHTS) -> None:
        """Load the network. threads: 0 for one per core. Raises ModelError if a file is missing, not ours or unfit."""
        path, changes, *_ = catalogue.load(catalogue.CHECKWORTHY, weights)
        self._encoder = OnnxEncoder(threads=threads, weights=weights, changes=changes)
        self._layer = read_logistic(path, inputs(self._encoder.dimension), LABELS, "checkworthy")

    def probabilities(self, texts: Sequence[str]) -> Vector:
        """Shares, (texts, labels)."""
        return softmax(self._layer.scores(self._encoder.encode(texts).astype(np.float64)))


def inputs(dimension: int) -> tuple[str, ...]:
    """Names of the linear layer's inputs."""
    return tuple(f"vector {place}" for place in range(dimension))
