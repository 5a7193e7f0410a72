"""How the trees' and the network's answers are joined, and GAP's F1."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.models.fitted.coreference import joined
from training.coreference.fit import f1, stacked


def test_the_better_model_counts_more() -> None:
    rng = np.random.default_rng(0)
    meant = rng.random((500, 2)) < 0.5
    side = np.where(meant, 1.0, -1.0)
    trees, network = 1 / (1 + np.exp(-side - rng.normal(size=side.shape))), 2 * rng.normal(size=side.shape)
    of_trees, of_network, _ = stacked(trees, network, meant)
    assert of_trees > 0.5 > 0.1 > abs(of_network)
    of_trees, of_network, _ = stacked(np.full(side.shape, 0.5), side + rng.normal(size=side.shape), meant)
    assert of_network > 0.5


def test_joined_is_a_probability_of_both() -> None:
    trees, network = np.array([0.2, 0.2, 0.9]), np.array([-1.0, 1.0, 1.0])
    low, middle, high = joined((1, 1, 0), trees, network)
    assert 0 < low < middle < high < 1
    assert joined((1, 0, 0), trees, network) == pytest.approx(trees)
    assert joined((0, 1, 0), trees, network) == pytest.approx(1 / (1 + np.exp(-network)))
    assert joined((0, 1, 0), trees, np.array([-90.0, 0.0, 90.0])) == pytest.approx([0.005, 0.5, 0.995])


def test_f1_takes_at_most_one_of_the_two_names() -> None:
    meant = np.array([[True, False], [False, True], [False, False]])
    assert f1(np.array([[0.9, 0.8], [0.1, 0.6], [0.2, 0.1]]), meant, 0.5) == 1
    assert f1(np.array([[0.8, 0.9], [0.1, 0.6], [0.2, 0.1]]), meant, 0.5) == pytest.approx(0.5)
    assert f1(np.array([[0.4, 0.3], [0.1, 0.6], [0.2, 0.1]]), meant, 0.5) == pytest.approx(2 / 3)
