"""Logistic regressions that ship as small, readable JSON files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.fitted.calibration import measured

Vector = NDArray[np.float64]
LEAST_SHARE = 0.005  # bound of a network's share, and of 1 minus the share, before it becomes log odds


@dataclass(frozen=True, slots=True)
class Logistic:
    """Standardization and a linear layer. mean, scale: one number per feature; coefficients: outputs x features.

    calibration_error: of its probabilities, cross-validated when it was fitted; None if not measured.
    """

    mean: Vector
    scale: Vector
    coefficients: Vector
    intercepts: Vector
    calibration_error: float | None = None

    def scores(self, inputs: Vector) -> Vector:
        """Log odds before normalization. inputs: (features,) or (rows, features); result: (outputs,) or (rows, outputs)."""
        return np.asarray((inputs - self.mean) / self.scale @ self.coefficients.T + self.intercepts)


def read_logistic(
    model: catalogue.Model, weights: Path, features: tuple[str, ...], labels: tuple[str, ...], command: str
) -> Logistic:
    """Read the model's first file. Raises ModelError if it is missing, not ours, or for other features or labels.

    command: the subcommand of `python -m training` that fits it again.
    """
    path, *_ = catalogue.load(model, weights)
    fitted = json.loads(path.read_text(encoding="utf-8"))
    if fitted["features"] != list(features) or fitted["labels"] != list(labels):
        raise ModelError(
            f"{path} was fitted for features that differ from this program's. "
            f"Fit it again with `python -m training {command}`."
        )
    return logistic_of(fitted)


def logistic_of(fitted: dict[str, Any]) -> Logistic:
    """The regression from a file that `training.classifiers.verdict.logistic_file` wrote."""
    mean, scale, coefficients, intercepts = (
        np.array(fitted[name]) for name in ("mean", "scale", "coefficients", "intercepts")
    )
    return Logistic(mean, scale, coefficients, intercepts, measured(fitted))


def log_odds(probability: ArrayLike, least: float = 0.01) -> Vector:
    """ln(p / (1 - p)); probabilities stay at least `least` away from 0 and 1, so that none decides alone."""
    bounded = np.clip(probability, least, 1 - least)
    return np.asarray(np.log(bounded / (1 - bounded)))


def softmax(scores: Vector) -> Vector:
    """Shares that sum to 1."""
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())
