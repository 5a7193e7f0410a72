"""Boosted trees that ship as a JSON file: one leaf of each tree is added up, and the sum becomes a probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.models.fitted.logistic import Vector, sigmoid


@dataclass(frozen=True, slots=True)
class Trees:
    """All trees' nodes side by side, (trees, nodes). A leaf is its own child; `depth` steps reach every leaf."""

    base: float
    depth: int
    features: NDArray[np.int64]
    thresholds: Vector
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    values: Vector

    def probabilities(self, inputs: Vector) -> Vector:
        """One probability for each row. inputs: (rows, features); result: (rows,)."""
        trees = np.arange(len(self.features))
        at = np.zeros((len(inputs), len(self.features)), dtype=np.int64)
        for _ in range(self.depth):
            left = np.take_along_axis(inputs, self.features[trees, at], axis=1) <= self.thresholds[trees, at]
            at = np.where(left, self.left[trees, at], self.right[trees, at])
        return sigmoid(self.base + self.values[trees, at].sum(axis=1))


def read_trees(fitted: Mapping[str, Any]) -> Trees:
    """The trees of a parsed file: `base`, and `trees`, lists of nodes [feature (a leaf's is -1), threshold, left, right,
    value].
    """
    trees = fitted["trees"]
    most = max(map(len, trees))
    nodes = np.zeros((len(trees), most, 5))
    for row, tree in enumerate(trees):
        nodes[row, : len(tree)] = tree
        for place, (feature, *_) in enumerate(tree):
            if feature < 0:
                nodes[row, place, [0, 2, 3]] = (0, place, place)
    depth = max(_depth(tree) for tree in trees)
    whole = nodes.astype(np.int64)
    return Trees(
        float(fitted["base"]), depth, whole[..., 0], nodes[..., 1], whole[..., 2], whole[..., 3], nodes[..., 4]
    )


def _depth(tree: list[list[float]], at: int = 0) -> int:
    feature, _, left, right, _ = tree[at]
    return 0 if feature < 0 else 1 + max(_depth(tree, int(left)), _depth(tree, int(right)))
