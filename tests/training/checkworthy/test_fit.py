"""The linear layer that ships gives the shares of the network that was trained, calibrated."""

from __future__ import annotations

import numpy as np

from retrieval.models.fitted.logistic import Logistic
from training.checkworthy.debates import Spoken
from training.checkworthy.fit import calibrated, quality
from training.classifiers.fitting import layer_file, probabilities


def test_the_file_holds_the_layer() -> None:
    rng = np.random.default_rng(0)
    rows, weights, biases = rng.normal(size=(5, 4)), rng.normal(size=(3, 4)), rng.normal(size=3)
    file = layer_file("abc", "wxyz", weights, biases, np.zeros(4), np.ones(4))
    layer = Logistic(*(np.array(file[name]) for name in ("mean", "scale", "coefficients", "intercepts")))
    assert np.allclose(layer.scores(rows), rows @ weights.T + biases, atol=1e-3)


def test_temperature_undoes_too_much_certainty() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(4_000, 3))
    labels = np.array([rng.choice(3, p=row) for row in probabilities(logits)])
    assert abs(calibrated(2 * logits, labels) - 2) <= 0.2


def test_quality_of_certain_and_right_guesses() -> None:
    spoken = [Spoken("A sentence.", label, "1960.txt", False) for label in (0, 1, 2, 0)]
    assert quality(np.eye(3)[[0, 1, 2, 0]], spoken) == {
        "sentences": 4,
        "macro_f1": 1.0,
        "macro_f1_two_labels": 1.0,
        "average_precision": 1.0,
        "calibration_error": 0.0,
    }
