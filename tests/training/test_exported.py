"""Exported weights: int8 steps of a later training, and catalogue entries for files outside the catalogue."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from retrieval.models import catalogue
from training.exported import LARGEST_WEIGHT, exported_model, moved_steps

BEFORE = np.array([[3, -5], [0, 64]], dtype=np.int8)
SCALE = np.array([0.5, 0.25])


def test_weights_that_did_not_move_stay() -> None:
    assert (moved_steps(BEFORE * SCALE, BEFORE, SCALE) == BEFORE).all()


@pytest.mark.parametrize(("moved", "steps"), [(0.4, 0), (0.7, 1), (-0.7, -1), (1.6, 2), (-2.4, -2)])
def test_weights_move_by_whole_steps_of_their_own_scale(moved: float, steps: int) -> None:
    weight = (BEFORE + np.array([[moved, 0], [0, 0]])) * SCALE
    assert moved_steps(weight, BEFORE, SCALE).tolist() == [[3 + steps, -5], [0, 64]]


def test_no_weight_leaves_the_reduced_range_and_a_scale_of_nothing_does_no_harm() -> None:
    assert moved_steps(np.full((2, 2), 99.0), BEFORE, SCALE).max() == LARGEST_WEIGHT
    assert moved_steps(np.zeros((2, 2)), np.zeros((2, 2), np.int8), np.array([0.0, 0.25])).tolist() == [[0, 0], [0, 0]]


def test_files_of_a_training_under_way_have_an_entry_with_or_without_changes(tmp_path: Path) -> None:
    changes, *others = (file.name for file in catalogue.CROSS_ENCODER.files)
    for name in others:
        (tmp_path / name).write_text(name)
    assert [file.name for file in exported_model(catalogue.CROSS_ENCODER, tmp_path).files] == others
    (tmp_path / changes).write_text("moved")
    first = exported_model(catalogue.CROSS_ENCODER, tmp_path).files[0]
    assert first == catalogue.ModelFile(changes, hashlib.sha256(b"moved").hexdigest())


def test_a_missing_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"cross_encoder\.onnx"):
        exported_model(catalogue.CROSS_ENCODER, tmp_path)


def test_the_shipped_files_are_those_of_the_catalogue() -> None:
    assert exported_model(catalogue.READER, catalogue.WEIGHTS) is catalogue.READER
