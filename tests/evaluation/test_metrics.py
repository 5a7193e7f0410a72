"""Scores against cases worked out by hand and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from evaluation import metrics
from evaluation.metrics import (
    Score,
    calibration,
    calibration_error,
    label_f1,
    mean_score,
    quantiles,
    score_all,
)


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "RESAMPLES", 50)


def test_mean_with_its_interval() -> None:
    score = mean_score([1.0, 0.0, 1.0, 1.0])
    assert (score.value, score.n) == (0.75, 4)
    assert 0.0 <= score.low < 0.75 < score.high <= 1.0
    assert mean_score([1.0, 0.0, 1.0, 1.0]) == score, "the same figures at every run"


def test_the_interval_is_that_of_the_binomial() -> None:
    score = mean_score([1.0] * 300 + [0.0] * 100)
    half = 1.96 * np.sqrt(0.75 * 0.25 / 400)
    assert score.low == pytest.approx(0.75 - half, abs=0.01)
    assert score.high == pytest.approx(0.75 + half, abs=0.01)


def test_one_value_and_none() -> None:
    assert mean_score([0.3]) == Score(0.3, 0.3, 0.3, 1)
    with pytest.raises(ValueError, match="no value"):
        mean_score([])


def test_a_score_as_json_is_rounded() -> None:
    assert Score(1 / 3, 0.1, 2 / 3, 7).as_json() == {"value": 0.3333, "low": 0.1, "high": 0.6667, "n": 7}


def test_macro_f1_by_hand() -> None:
    # S: precision 1/2, recall 1/2, F1 1/2. R: precision 1, recall 1/2, F1 2/3. N: precision 1/2, recall 1, F1 2/3.
    assert label_f1(["S", "S", "R", "R", "N"], ["S", "N", "R", "S", "N"]).figure() == pytest.approx(
        (1 / 2 + 2 / 3 + 2 / 3) / 3
    )
    assert label_f1(["S"], ["S"]).figure() == 1.0
    assert label_f1(["S", "R"], ["R", "S"]).figure() == 0.0
    assert label_f1(["S", "S"], ["S", "X"]).figure() == pytest.approx(2 / 3), (
        "labels that gold lacks do not count by themselves"
    )


LABELS = st.sampled_from("SRN")


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=30))
def test_macro_f1_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    gold, said = [g for g, _ in pairs], [s for _, s in pairs]
    expected = f1_score(gold, said, labels=sorted(set(gold)), average="macro", zero_division=0)
    assert label_f1(gold, said).figure() == pytest.approx(expected)


@pytest.mark.usefixtures("few_resamples")
def test_bootstrapped_macro_f1() -> None:
    gold, said = ["S", "R", "N"] * 20, ["S", "R", "R"] * 20
    score = score_all({"macro_f1": label_f1(gold, said)})["macro_f1"]
    assert score.value == pytest.approx(label_f1(gold, said).figure())
    assert score.low <= score.value <= score.high
    assert score.n == 60


def test_calibration_error_by_hand() -> None:
    # Bin .9 to 1: mean confidence .95, half right, 2 of 4. Bin .5 to .6: .55, all right, 2 of 4.
    assert calibration_error([0.95, 0.95, 0.55, 0.55], [True, False, True, True]) == pytest.approx(
        0.5 * 0.45 + 0.5 * 0.45
    )
    assert calibration_error([1.0, 1.0], [True, True]) == 0.0
    assert calibration_error([1.0], [False]) == 1.0
    assert calibration_error([0.0], [False]) == 0.0


@pytest.mark.usefixtures("few_resamples")
def test_bootstrapped_calibration_error() -> None:
    measure = calibration([0.8] * 50, [True] * 40 + [False] * 10)
    score = score_all({"calibration_error": measure})["calibration_error"]
    assert score.value == pytest.approx(0.0, abs=1e-9)
    assert 0.0 <= score.low <= score.high < 0.25


def test_quantiles() -> None:
    assert quantiles([1.0, 2.0, 3.0, 4.0, 100.0]) == {"p50": 3.0, "p95": 80.8, "mean": 22.0}
