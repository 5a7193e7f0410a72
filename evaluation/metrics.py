"""Computes figures with their uncertainty, by pure functions that name their sources.

Every figure of a scorecard is a function of sums over claims (`Measure`), so one resampling of the claims gives all
intervals at once, and two runs are compared on the same resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
BINS = 10
_WEIGHTS_AT_ONCE = 3_000_000  # numbers of a weight matrix to hold in memory at once

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """A figure with its 95 % bootstrap interval over `n` claims."""

    value: float
    low: float
    high: float
    n: int

    def as_json(self) -> dict[str, float | int]:
        """The figure as a scorecard has it."""
        return {"value": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4), "n": self.n}


@dataclass(frozen=True)
class Measure:
    """A figure computed from sums over claims.

    columns: (claims, parts), each claim's contributions. value: sums of shape (…, parts) -> figures of shape (…), NaN
    if the sums allow none. n: claims that count. biased: whether the bootstrap's mean differs from the figure itself,
    so that the interval is shifted by the difference (Efron and Tibshirani 1993, chapter 10).
    """

    columns: Values
    value: Callable[[Values], Values]
    n: int
    biased: bool = False

    def figure(self, weights: Values | None = None) -> Values:
        """The figure over all claims, or one for each row of weights (resamples, claims)."""
        sums = self.columns.sum(axis=0) if weights is None else weights @ self.columns
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.value(sums), dtype=np.float64)

    def score(self, samples: Values) -> Score | None:
        """The figure with the interval of its resampled values; None if it cannot be computed."""
        value = float(self.figure())
        samples = samples[~np.isnan(samples)]
        if np.isnan(value) or not len(samples):
            return None
        if self.biased:
            samples = np.clip(samples - (samples.mean() - value), 0.0, 1.0)
        low, high = np.percentile(samples, [2.5, 97.5])
        return Score(value, float(low), float(high), self.n)


# Building blocks of measures


def ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Measure:
    """Sum divided by sum; claims whose denominator is 0 do not count."""
    columns = np.column_stack([np.asarray(numerators, float), np.asarray(denominators, float)])
    return Measure(columns, lambda sums: sums[..., 0] / sums[..., 1], int((columns[:, 1] != 0).sum()))


def mean(values: Sequence[float | None]) -> Measure:
    """Mean over the claims that have a value."""
    return ratio([value or 0.0 for value in values], [float(value is not None) for value in values])


def harmonic_mean(first: Sequence[float | None], second: Sequence[float | None]) -> Measure:
    """F1 of two means over the same claims: 2 P R / (P + R), 0 if both are 0 (van Rijsbergen 1979)."""
    counts = [float(value is not None) for value in first]
    columns = np.column_stack([[v or 0.0 for v in first], [v or 0.0 for v in second], counts])

    def value(sums: Values) -> Values:
        precision, recall, claims = sums[..., 0], sums[..., 1], sums[..., 2]
        both = precision + recall
        return np.where(claims > 0, np.where(both > 0, 2 * precision * recall / both / claims, 0.0), np.nan)

    return Measure(columns, value, int(sum(counts)))


def balanced_mean(values: Sequence[float], groups: Sequence[str]) -> Measure:
    """The mean of the groups' means, so that each group has equal weight whatever its size. For right labels by gold
    label, this is balanced accuracy (Brodersen et al., ICPR 2010).
    """
    names = sorted(set(groups))
    columns = np.zeros((len(values), 2, len(names)))
    for row, (value, group) in enumerate(zip(values, groups, strict=True)):
        columns[row, :, names.index(group)] = value, 1

    def value_of(sums: Values) -> Values:
        table = sums.reshape(*sums.shape[:-1], 2, len(names))
        right, all_of_it = table[..., 0, :], table[..., 1, :]
        means = np.where(all_of_it > 0, right / all_of_it, 0.0)
        return np.asarray(means.sum(axis=-1) / (all_of_it > 0).sum(axis=-1))

    return Measure(columns.reshape(len(values), -1), value_of, len(values))


def label_f1(gold: Sequence[str], predicted: Sequence[str]) -> Measure:
    """Unweighted mean of the labels' F1 over the labels that occur in gold (van Rijsbergen 1979 for F1)."""
    names = sorted(set(gold) | set(predicted))
    cells = np.zeros((len(gold), len(names), len(names)))
    for row, (right, answer) in enumerate(zip(gold, predicted, strict=True)):
        cells[row, names.index(right), names.index(answer)] = 1

    def value(sums: Values) -> Values:
        table = sums.reshape(*sums.shape[:-1], len(names), len(names))
        hits = np.diagonal(table, axis1=-2, axis2=-1)
        present = table.sum(axis=-1) > 0
        f1 = np.where(present, 2 * hits / (table.sum(axis=-1) + table.sum(axis=-2)), 0.0)
        return np.asarray(f1.sum(axis=-1) / present.sum(axis=-1))

    return Measure(cells.reshape(len(gold), -1), value, len(gold))


def calibration(
    confidences: Sequence[float], correct: Sequence[bool], counted: Sequence[bool] | None = None
) -> Measure:
    """Expected calibration error with ten bins of equal width (Naeini, Cooper and Hauskrecht, AAAI 2015).

    The distance between mean confidence and accuracy in each bin, weighted by the bin's share of the claims. Noise can
    only increase it, so it is too high with few claims. counted: which claims to include; None for all.
    """
    confidence, right = np.asarray(confidences, float), np.asarray(correct, float)
    columns = np.zeros((len(right), BINS + 1))
    columns[np.arange(len(right)), reliability_bin(confidence)] = confidence - right
    columns[:, BINS] = 1
    if counted is not None:
        columns *= np.asarray(counted, float)[:, None]

    def value(sums: Values) -> Values:
        return np.asarray(np.abs(sums[..., :BINS]).sum(axis=-1) / sums[..., BINS])

    return Measure(columns, value, int(columns[:, BINS].sum()), biased=True)


def reliability_bin(confidence: Values) -> NDArray[np.int64]:
    """The number of each confidence's bin, 0 to 9; 1.0 belongs to the last."""
    return np.clip((confidence * BINS).astype(np.int64), 0, BINS - 1)


# Intervals


def score_all(measures: Mapping[str, Measure], seed: int = 0) -> dict[str, Score]:
    """Every measure with its 95 % percentile bootstrap interval (Efron 1979), claims resampled.

    All measures must be over the same claims. Those that cannot be computed are left out.
    """
    samples = resample(measures, seed)
    scores = {name: measure.score(samples[name]) for name, measure in measures.items()}
    return {name: score for name, score in scores.items() if score is not None}


def scores_as_json(measures: Mapping[str, Measure]) -> dict[str, dict[str, Any]]:
    """`score_all`, as a scorecard has it."""
    return {name: score.as_json() for name, score in score_all(measures).items()}


def resample(measures: Mapping[str, Measure], seed: int = 0) -> dict[str, Values]:
    """Values of each measure over `RESAMPLES` samples of the claims, drawn with replacement, the same for all."""
    sizes = {len(measure.columns) for measure in measures.values()}
    if len(sizes) > 1:
        raise ValueError("measures over different claims cannot share their resamples")
    claims = sizes.pop() if sizes else 0
    values: dict[str, list[Values]] = {name: [] for name in measures}
    if not claims:
        return {name: np.empty(0) for name in measures}
    rng = np.random.default_rng(seed)
    left = RESAMPLES
    while left:
        rows = min(left, max(1, _WEIGHTS_AT_ONCE // claims))
        picks = rng.integers(0, claims, (rows, claims))
        weights = np.stack([np.bincount(row, minlength=claims) for row in picks]).astype(np.float64)
        for name, measure in measures.items():
            values[name].append(measure.figure(weights))
        left -= rows
    return {name: np.concatenate(parts) for name, parts in values.items()}


# Single figures


def mean_score(values: Sequence[float]) -> Score:
    """Mean with its interval. Raises ValueError if there is no value."""
    score = score_all({"it": mean(values)}).get("it")
    if score is None:
        raise ValueError("no value to average")
    return score


def calibration_error(confidences: Sequence[float], correct: Sequence[bool]) -> float:
    """Expected calibration error, see `calibration`."""
    return float(calibration(confidences, correct).figure())


def percentiles(values: Sequence[float], digits: int = 1) -> dict[str, float]:
    """p50 and p95, rounded to this number of digits."""
    return {f"p{share}": round(float(np.percentile(values, share)), digits) for share in (50, 95)}


def quantiles(milliseconds: Sequence[float]) -> dict[str, Any]:
    """p50, p95 and mean, in milliseconds."""
    return {**percentiles(milliseconds), "mean": round(float(np.mean(milliseconds)), 1)}
