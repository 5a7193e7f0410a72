"""Debates are kept apart whole, and always the same ones."""

from __future__ import annotations

from training.classifiers.checkworthy import KEPT_APART, Spoken, kept_apart, quality


def test_debates_are_kept_apart_whole_and_always_the_same() -> None:
    spoken = [Spoken("A sentence.", 0, f"19{year}.txt", False) for year in range(60, 93) for _ in range(3)]
    apart = kept_apart(spoken)
    assert len(apart) == KEPT_APART
    assert kept_apart(list(reversed(spoken))) == apart


def test_quality_of_certain_and_right_guesses() -> None:
    import numpy as np

    labels = np.array([0, 1, 2, 0])
    said = quality(np.eye(3)[labels], labels)
    assert said == {"sentences": 4, "macro_f1": 1.0, "average_precision": 1.0, "calibration_error": 0.0}
