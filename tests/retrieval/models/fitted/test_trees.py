"""Boosted trees read from JSON give what the library that fitted them gives."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.models.fitted.coreference import Trees

# One split each: x0 <= 1 ? .5 : -.5; and a tree that is a leaf.
STUMP = [[0, 1.0, 1, 2, 0], [-1, 0, 0, 0, 0.5], [-1, 0, 0, 0, -0.5]]
LEAF = [[-1, 0, 0, 0, 0.25]]


def test_a_stump_and_a_leaf() -> None:
    trees = Trees({"base": 0.1, "trees": [STUMP, LEAF]})
    left, right = trees.probabilities(np.array([[1.0], [1.1]]))
    assert left == pytest.approx(1 / (1 + np.exp(-0.85)))
    assert right == pytest.approx(1 / (1 + np.exp(0.15)))


def test_the_trees_of_the_library_and_ours_agree() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    from training.coreference.fit import tree_nodes

    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 4))
    labels = rows[:, 0] + rows[:, 1] * rows[:, 2] > 0
    model = HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=6).fit(rows, labels)
    ours = Trees(tree_nodes(model)).probabilities(rows)
    assert ours == pytest.approx(model.predict_proba(rows)[:, 1], abs=1e-3)
