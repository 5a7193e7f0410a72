"""Fitting the verdict's classifier, on invented features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrieval.models.fitted.verdict import FEATURES, LABELS
from training.__main__ import main
from training.classifiers.verdict import evened, fit


def invented(count: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Features of which the first three tell the label."""
    rng = np.random.default_rng(0)
    labels = np.arange(count) % len(LABELS)
    inputs = rng.normal(size=(count, len(FEATURES)))
    inputs[np.arange(count), labels] += 3
    return inputs, labels


def test_the_classifier_learns_and_is_calibrated() -> None:
    inputs, labels = invented()
    fitted = fit(inputs, labels, np.full(len(labels), True), seed=0)
    figures = fitted["cross_validation"]["all"]
    assert figures["accuracy"] > 0.85
    assert figures["calibration_error"] < 0.1
    assert fitted["features"] == list(FEATURES)
    assert np.array(fitted["coefficients"]).shape == (len(LABELS), len(FEATURES))


def test_claims_over_stubs_count_less() -> None:
    """Half of the claims are natural and mostly undecided, the others never: then undecided is said more often."""
    rng = np.random.default_rng(0)
    inputs, natural = rng.normal(size=(400, len(FEATURES))), np.arange(400) % 2 == 0
    labels = np.where(natural & (rng.random(400) < 0.9), 2, np.arange(400) // 2 % 2)
    undecided = fit(inputs, labels, natural, seed=0, stub_weight=0.5)["intercepts"][2]
    assert undecided > fit(inputs, labels, natural, seed=0)["intercepts"][2]


def test_rare_labels_are_repeated() -> None:
    labels = np.array([0, 0, 0, 0, 1, 1, 2, 9])
    assert list(evened(np.arange(7), labels)) == [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6]


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "python -m training checkworthy --base MINILM" in capsys.readouterr().out


def test_a_missing_base_is_one_clear_sentence(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    assert main(["verdict", "--store", f"{tmp_path}/none", "--data", str(tmp_path)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_the_folder_for_the_result_is_made_before_the_training(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["verdict", "--store", f"{tmp_path}/none", "--data", str(tmp_path), "--out"]
    assert main([*arguments, f"{tmp_path}/new/out"]) == 2
    assert (tmp_path / "new" / "out").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit):
        main([*arguments, f"{tmp_path}/file"])
    assert "Name a folder." in capsys.readouterr().err
