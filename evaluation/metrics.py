"""Scores with their uncertainty: pure functions, each with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """A figure with its 95 % bootstrap interval over `n` claims."""

    value: float
    low: float
    high: float
    n: int

    def as_json(self) -> dict[str, float | int]:
        """As a scorecard holds it."""
        return {"value": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4), "n": self.n}


def mean_score(values: Sequence[float], seed: int = 0) -> Score:
    """Mean with its percentile bootstrap interval (Efron 1979), claims resampled. Raises ValueError where empty."""
    if not values:
        raise ValueError("no value to average")
    array = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(seed).integers(0, len(array), (RESAMPLES, len(array)))
    low, high = np.percentile(array[picks].mean(axis=1), [2.5, 97.5])
    return Score(float(array.mean()), float(low), float(high), len(array))


def macro_f1(gold: Sequence[str], predicted: Sequence[str]) -> float:
    """Unweighted mean of the labels' F1 over the labels that occur in gold (van Rijsbergen 1979 for F1)."""
    scores = []
    for label in sorted(set(gold)):
        hits = sum(g == p == label for g, p in zip(gold, predicted, strict=True))
        scores.append(2 * hits / (gold.count(label) + list(predicted).count(label)) if hits else 0.0)
    return sum(scores) / len(scores)


def bootstrap_macro_f1(gold: Sequence[str], predicted: Sequence[str], seed: int = 0) -> Score:
    """Macro F1 with its percentile bootstrap interval."""
    names = sorted(set(gold) | set(predicted))
    pairs = np.array([[names.index(g), names.index(p)] for g, p in zip(gold, predicted, strict=True)])
    rng = np.random.default_rng(seed)
    samples = []
    for _ in range(RESAMPLES):
        picked = pairs[rng.integers(0, len(pairs), len(pairs))]
        samples.append(_macro_f1_of_counts(picked, len(names)))
    low, high = np.percentile(samples, [2.5, 97.5])
    return Score(macro_f1(list(gold), list(predicted)), float(low), float(high), len(pairs))


def _macro_f1_of_counts(pairs: NDArray[np.int64], labels: int) -> float:
    table = np.bincount(pairs[:, 0] * labels + pairs[:, 1], minlength=labels * labels).reshape(labels, labels)
    present = table.sum(axis=1) > 0
    sums = table.sum(axis=0) + table.sum(axis=1)
    return float((2 * np.diag(table)[present] / sums[present]).mean())


def calibration_error(confidences: Sequence[float], correct: Sequence[bool], bins: int = 10) -> float:
    """Expected calibration error with bins of equal width (Naeini, Cooper and Hauskrecht, AAAI 2015)."""
    confidence, right = np.asarray(confidences), np.asarray(correct, dtype=float)
    places = np.minimum((confidence * bins).astype(int), bins - 1)
    error = 0.0
    for place in np.unique(places):
        inside = places == place
        error += inside.mean() * abs(confidence[inside].mean() - right[inside].mean())
    return float(error)


def bootstrap_calibration_error(confidences: Sequence[float], correct: Sequence[bool], seed: int = 0) -> Score:
    """Calibration error with its percentile bootstrap interval."""
    rng = np.random.default_rng(seed)
    confidence, right = np.asarray(confidences), np.asarray(correct)
    samples = []
    for _ in range(RESAMPLES):
        picks = rng.integers(0, len(right), len(right))
        samples.append(calibration_error(confidence[picks].tolist(), right[picks].tolist()))
    low, high = np.percentile(samples, [2.5, 97.5])
    return Score(calibration_error(confidences, correct), float(low), float(high), len(right))


def quantiles(milliseconds: Sequence[float]) -> Mapping[str, float]:
    """p50, p95 and mean, in milliseconds."""
    return {
        "p50": round(float(np.percentile(milliseconds, 50)), 1),
        "p95": round(float(np.percentile(milliseconds, 95)), 1),
        "mean": round(float(np.mean(milliseconds)), 1),
    }
