"""Weights of a training that went on, in steps of the int8 weights before."""

from __future__ import annotations

import numpy as np
import pytest

from training.cross_encoder.int8_weights import LARGEST_WEIGHT, moved_steps

BEFORE = np.array([[3, -5], [0, 64]], dtype=np.int8)
SCALE = np.array([0.5, 0.25])


def test_weights_that_did_not_move_stay() -> None:
    assert (moved_steps(BEFORE * SCALE, BEFORE, SCALE) == BEFORE).all()


@pytest.mark.parametrize(("moved", "steps"), [(0.4, 0), (0.7, 1), (-0.7, -1), (1.6, 2), (-2.4, -2)])
def test_weights_move_by_whole_steps_of_their_own_scale(moved: float, steps: int) -> None:
    weight = (BEFORE + np.array([[moved, 0], [0, 0]])) * SCALE
    assert moved_steps(weight, BEFORE, SCALE).tolist() == [[3 + steps, -5], [0, 64]]


def test_a_wider_dead_zone_leaves_more_as_it_was() -> None:
    weight = (BEFORE + np.array([[0.7, 0.9], [0, 0]])) * SCALE
    assert moved_steps(weight, BEFORE, SCALE, dead_zone=0.8).tolist() == [[3, -4], [0, 64]]


def test_no_weight_leaves_the_reduced_range_and_a_scale_of_nothing_does_no_harm() -> None:
    assert moved_steps(np.full((2, 2), 99.0), BEFORE, SCALE).max() == LARGEST_WEIGHT
    assert moved_steps(np.zeros((2, 2)), np.zeros((2, 2), np.int8), np.array([0.0, 0.25])).tolist() == [[0, 0], [0, 0]]
