"""Whom a pronoun means: boosted trees compare the features of two names, and a fine-tuned MiniLM reads both in context.

`retrieval/text/extraction/reference.py` makes the features and the text. `python -m training coreference` makes the
weights: `coreference.json` has the trees, the gender of first names, the network's linear layer and the weights that
combine both answers; `coreference.changes` has the changes by fine-tuning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from retrieval.models import catalogue
from retrieval.models.fitted.logistic import SHARE_BOUND, Vector, log_odds, read_fitted, sigmoid
from retrieval.models.onnx import OnnxEncoder
from retrieval.text.extraction.mentions import Name, Pronoun
from retrieval.text.extraction.reference import FEATURES, Passage, features, marked


class Trees:
    """Boosted trees: one leaf of each is added up, and the sum becomes a probability."""

    def __init__(self, fitted: Mapping[str, Any]) -> None:
        """fitted: `base`, and `trees`, lists of nodes [feature (a leaf's is -1), threshold, left, right, value]."""
        trees, self._base = fitted["trees"], float(fitted["base"])
        self._depth = max(_depth(tree) for tree in trees)
        self._nodes = np.zeros((len(trees), max(map(len, trees)), 5))
        for row, tree in enumerate(trees):
            for place, (feature, threshold, left, right, value) in enumerate(tree):
                # A leaf is its own child, so that `depth` steps reach every leaf.
                node = (0, threshold, place, place, value) if feature < 0 else (feature, threshold, left, right, value)
                self._nodes[row, place] = node

    def probabilities(self, inputs: Vector) -> Vector:
        """One probability for each row. inputs: (rows, features); result: (rows,)."""
        trees = np.arange(len(self._nodes))
        at = np.zeros((len(inputs), len(trees)), dtype=np.int64)
        for _ in range(self._depth):
            feature, threshold, left, right, _value = np.moveaxis(self._nodes[trees, at], -1, 0)
            values = np.take_along_axis(inputs, feature.astype(np.int64), axis=1)
            at = np.where(values <= threshold, left, right).astype(np.int64)
        return sigmoid(self._base + self._nodes[..., 4][trees, at].sum(axis=1))


def _depth(tree: list[list[float]], at: int = 0) -> int:
    feature, _, left, right, _ = tree[at]
    return 0 if feature < 0 else 1 + max(_depth(tree, int(left)), _depth(tree, int(right)))


class Coreference:
    """Probability that a pronoun means one name and none of the others. Implements `ReferenceModel`."""

    def __init__(self, threads: int = 0) -> None:
        """Load both models. threads: 0 for one per core. Raises ModelError if a file is missing, not ours or unfit."""
        path, changes, *_ = catalogue.load(catalogue.COREFERENCE)
        fitted = read_fitted(path, "coreference", features=list(FEATURES))
        self.first_names: Mapping[str, float] = fitted["first_names"]
        self._trees = Trees(fitted)
        self._encoder = OnnxEncoder(threads=threads, changes=changes)
        self._layer = np.array(fitted["layer"])
        self._joined = fitted["joined"]

    def chances(self, passage: Passage, pronoun: Pronoun, names: Sequence[Name]) -> list[float]:
        """See `ReferenceModel`. names: two or more."""
        rows = np.array([features(passage, pronoun, name) for name in names])
        vectors = self._encoder.encode([marked(passage, pronoun, name) for name in names]).astype(np.float64)
        of_network = vectors @ self._layer[:-1] + self._layer[-1]
        of_trees = [
            min(self._trees.probabilities(compared(rows[[name] * len(rows)], rows))[np.arange(len(rows)) != name])
            for name in range(len(rows))
        ]
        return list(map(float, joined(self._joined, np.array(of_trees), of_network)))


def compared(name: Vector, other: Vector) -> Vector:
    """The trees' inputs: a name's features, and their difference from those of the other name."""
    return np.concatenate([name, name - other], axis=-1)


def joined(coefficients: Sequence[float], trees: Vector, network: Vector) -> Vector:
    """The probability that a logistic regression derives from both answers (stacking; Wolpert, Neural Networks 1992).

    coefficients: for the trees' log odds, for the network's, and a constant. trees: probabilities; network: log odds.
    """
    of_trees, of_network, constant = coefficients
    trees, network = answers(trees, network)
    return sigmoid(of_trees * trees + of_network * network + constant)


def answers(trees: Vector, network: Vector) -> tuple[Vector, Vector]:
    """The regression's inputs: the log odds of both models, with the same bounds."""
    limit = log_odds(1 - SHARE_BOUND, SHARE_BOUND)
    return log_odds(trees, SHARE_BOUND), np.clip(network, -limit, limit)
