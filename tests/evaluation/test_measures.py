"""What intervals rest on: a figure is a function of sums over claims, so a weight of two is the claim twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import metrics
from evaluation.fever.compare import p_value
from evaluation.metrics import Measure, calibration, score_all

LABELS = st.sampled_from("SRN")
Row = tuple[str, str, float, float, int, int]
ROWS = st.lists(
    st.tuples(LABELS, LABELS, st.floats(0, 1), st.floats(0, 1), st.integers(0, 5), st.integers(5, 9)),
    min_size=1,
    max_size=12,
)


def measures_of(rows: list[Row]) -> dict[str, Measure]:
    gold, said, first, second, part, whole = map(list, zip(*rows, strict=True))
    return {
        "mean": metrics.mean(first),
        "mean of some": metrics.mean([value if value > 0.5 else None for value in first]),
        "ratio": metrics.ratio(part, whole),
        "harmonic mean": metrics.harmonic_mean(first, second),
        "macro F1": metrics.label_f1(gold, said),
        "calibration": metrics.calibration(first, [g == s for g, s in zip(gold, said, strict=True)]),
    }


@given(ROWS, st.data())
def test_a_weight_of_two_is_the_claim_twice(rows: list[Row], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)).filter(any))
    repeated = [row for row, times in zip(rows, weights, strict=True) for _ in range(times)]
    weighted = {name: m.figure(np.array([weights], float))[0] for name, m in measures_of(rows).items()}
    plain = {name: float(m.figure()) for name, m in measures_of(repeated).items()}
    assert weighted == pytest.approx(plain, nan_ok=True, abs=1e-9)


@given(ROWS, st.randoms(use_true_random=False))
def test_order_does_not_matter(rows: list[Row], random: Any) -> None:
    before = {name: float(m.figure()) for name, m in measures_of(rows).items()}
    after = {name: float(m.figure()) for name, m in measures_of(random.sample(rows, len(rows))).items()}
    assert after == pytest.approx(before, nan_ok=True)


def test_means_and_ratios_by_hand() -> None:
    assert float(metrics.ratio([1, 0, 3], [2, 0, 4]).figure()) == pytest.approx(4 / 6)
    assert metrics.ratio([1, 0, 3], [2, 0, 4]).n == 2
    assert float(metrics.mean([1.0, None, 0.0, 0.5]).figure()) == 0.5
    # Means .5 and .75: 2 * .5 * .75 / 1.25.
    assert float(metrics.harmonic_mean([1.0, 0.0, None], [1.0, 0.5, None]).figure()) == pytest.approx(0.6)
    assert float(metrics.harmonic_mean([0.0], [0.0]).figure()) == 0.0


def test_what_cannot_be_computed_has_no_score() -> None:
    nothing = {"mean": metrics.mean([None, None]), "ratio": metrics.ratio([0, 0], [0, 0])}
    assert score_all({**nothing, "harmonic": metrics.harmonic_mean([None, None], [None, None])}) == {}
    with pytest.raises(ValueError, match="different claims"):
        score_all({"a": metrics.mean([1.0]), "b": metrics.mean([1.0, 0.0])})


def test_the_interval_of_the_calibration_error_holds_the_figure() -> None:
    """Resampling adds noise, and noise adds to this error; the interval is moved back by as much."""
    rng = np.random.default_rng(1)
    confidence = rng.uniform(0.4, 1.0, 80)
    measure = calibration(confidence.tolist(), (rng.uniform(size=80) < confidence).tolist())
    score = score_all({"calibration_error": measure})["calibration_error"]
    assert score.low <= score.value <= score.high


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Pooled recall over claims of unlike size, whose truth is known: 95 of 100 intervals should hold it."""
    rng = np.random.default_rng(0)
    held = 0
    for trial in range(60):
        gold = rng.integers(1, 5, 150)
        score = score_all({"recall": metrics.ratio(rng.binomial(gold, 0.8), gold)}, seed=trial)["recall"]
        held += score.low <= 0.8 <= score.high
    assert 52 <= held <= 60


def test_p_values() -> None:
    assert p_value(np.zeros(1000)) == 1.0
    assert p_value(np.ones(1000)) == round(2 / 1001, 4)
    assert p_value(np.concatenate([np.ones(500), -np.ones(500)])) == 1.0
    assert p_value(np.concatenate([np.ones(990), -np.ones(10)])) == pytest.approx(0.022, abs=1e-3)
