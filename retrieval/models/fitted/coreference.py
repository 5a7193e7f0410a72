"""Whom a pronoun means: boosted trees over a name's features and their difference from another name's.

The numbers stand in `retrieval/text/extraction/reference.py`; the trees in `weights/coreference.json`, with the first
names that tell a woman from a man, fitted by `python -m training coreference`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.fitted.trees import read_trees
from retrieval.text.extraction.reference import FEATURES


class Coreference:
    """Probability that a pronoun means one name rather than another. Implements `ReferenceModel`."""

    def __init__(self, model: catalogue.Model = catalogue.COREFERENCE, weights: Path = catalogue.WEIGHTS) -> None:
        """Read the trees. Raises ModelError if they are missing, not ours, or for other features."""
        (path,) = catalogue.load(model, weights)
        fitted = json.loads(path.read_text(encoding="utf-8"))
        if fitted["features"] != list(FEATURES):
            raise ModelError(
                f"{path} was fitted for other features than this program computes. "
                "Fit it again with `python -m training coreference`."
            )
        self.first_names: Mapping[str, float] = fitted["first_names"]
        self._trees = read_trees(fitted)

    def probability(self, own: NDArray[np.float64], other: NDArray[np.float64]) -> float:
        """own, other: the features of the two names; the same twice if there is no other."""
        return float(self._trees.probabilities(compared(own, other)[None])[0])


def compared(own: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The trees' inputs: a name's features, and by how much they exceed the other's."""
    return np.concatenate([own, own - other], axis=-1)
