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

Vector = NDArray[np.float64]
SHARE_BOUND = 0.005  # bound of a network's share, and of 1 minus the share, before it becomes log odds


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


def read_logistic(path: Path, features: tuple[str, ...], labels: tuple[str, ...], command: str) -> Logistic:
    """The regression in a file. Raises ModelError if it is for other features or labels. command: see `read_fitted`."""
    return logistic_of(read_fitted(path, command, features=list(features), labels=list(labels)))


def read_fitted(path: Path, command: str, **expected: object) -> dict[str, Any]:
    """A file of coefficients. Raises ModelError if its entries differ from those `expected`.

    command: the subcommand of `python -m training` that fits it again.
    """
    fitted: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if any(fitted[name] != value for name, value in expected.items()):
        raise ModelError(
            f"{path} was fitted for features that differ from this program's. "
            f"Fit it again with `python -m training {command}`."
        )
    return fitted


def logistic_of(fitted: dict[str, Any]) -> Logistic:
    """The regression from a file that `training.classifiers.fitting.logistic_file` wrote."""
    arrays = {name: np.array(fitted[name]) for name in ("mean", "scale", "coefficients", "intercepts")}
    return Logistic(**arrays, calibration_error=_calibration_error(fitted))


def calibration_error(role: str) -> float | None:
    """Expected calibration error, 0 to 1, of a role's model on claims not fitted on, or None. Raises ModelError."""
    if not role:
        return None
    (path,) = catalogue.load(catalogue.find(role))
    return _calibration_error(json.loads(path.read_text("utf-8")))


def _calibration_error(fitted: dict[str, Any]) -> float | None:
    """The error in a file of coefficients; None unless it was measured on sentences that the recipe finds."""
    error: float | None = fitted.get("cross_validation", {}).get("all", {}).get("calibration_error")
    return error


def log_odds(probability: ArrayLike, least: float = 0.01) -> Vector:
    """ln(p / (1 - p)); probabilities are first moved to at least `least` from 0 and 1, so that none decides alone."""
    bounded = np.clip(probability, least, 1 - least)
    return np.asarray(np.log(bounded / (1 - bounded)))


def sigmoid(scores: NDArray[Any]) -> Vector:
    """The probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-scores)))


def softmax(scores: NDArray[Any]) -> Vector:
    """Shares that sum to 1 in each row; a vector counts as one row."""
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True)).astype(np.float64)
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))
