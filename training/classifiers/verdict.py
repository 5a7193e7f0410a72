"""Fits the local verdict on claims that the cross-encoder has not seen, with the sentences that the pipeline finds for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.fever.data import GoldClaim
from evaluation.metrics import calibration_error
from retrieval.models.fitted.verdict import FEATURES, LABELS, features
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Label, Stance
from training.classifiers.fitting import Matrix, classifier, logistic_file, run_fast, write_fitted
from training.data.placed import fitting_claims

FOLDS = 10
STRENGTHS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # sklearn's C: smaller values shrink the coefficients more
# Added to the log odds of a label, because of FEVER's claims over whole pages two thirds are open, unlike claims that
# people type. The shift makes 9 more of 300 natural training claims (labels evened) wrong, and 23 fewer of 313 everyday
# ones (docs/experiments.md).
SHIFTS = {Label.NOT_ENOUGH_EVIDENCE: -0.7}


class Recording:
    """Stands in for the verdict's model, so that the recipe runs before one is fitted, and records its inputs."""

    id = "none"
    calibration_error: float | None = None

    def __init__(self) -> None:
        self.asked: list[Matrix] = []

    def probabilities(
        self, relevances: Sequence[float], stances: Sequence[Stance], together: Stance, exact: Sequence[int] = ()
    ) -> Mapping[Label, float]:
        """Undecided, whatever the inputs."""
        self.asked.append(features(relevances, stances, together, exact))
        return {label: float(label is Label.NOT_ENOUGH_EVIDENCE) for label in LABELS}


def fit_verdict(store: str, data: Path, target: Path, seed: int) -> None:
    """Run recipe `fast` on the held-out claims, fit, write `target`, print the cross-validated figures."""
    claims, recording = fitting_claims(EmbeddedStore(store), data), Recording()
    inputs = np.array([recording.asked[-1] for _ in run_fast(store, claims, {"verdict": recording})])
    write_fitted(target, fit_claims(inputs, claims, SHIFTS, seed))


def fit_claims(
    inputs: Matrix, claims: Sequence[GoldClaim], shifts: Mapping[Label, float], seed: int, stub_weight: float = 1.0
) -> dict[str, Any]:
    """`fit` to the claims' labels, with `shifts` added to the labels' log odds."""
    labels = np.array([LABELS.index(claim.label) for claim in claims])
    fitted = fit(inputs, labels, np.array([claim.natural for claim in claims]), seed, stub_weight)
    intercepts = [one + shifts.get(label, 0.0) for label, one in zip(LABELS, fitted["intercepts"], strict=True)]
    return {**fitted, "intercepts": intercepts}


def fit(
    inputs: Matrix, labels: NDArray[Any], natural: NDArray[np.bool_], seed: int, stub_weight: float = 1.0
) -> dict[str, Any]:
    """The classifier in the form that `LocalVerdict` reads, with its quality over the folds.

    stub_weight: weight of a claim whose evidence is on stubs alone.
    """
    weights = np.where(natural, 1.0, stub_weight)
    strength, guesses = choose_strength(inputs, labels, weights, seed)
    fitted = classifier(strength).fit(inputs, labels, logisticregression__sample_weight=weights)
    real = np.flatnonzero(natural)
    views = {"all": np.arange(len(labels)), "natural": real, "natural, labels evened": evened(real, labels)}
    return {
        **logistic_file(fitted, tuple(map(str, LABELS)), FEATURES),
        "claims": len(labels),
        "strength": strength,
        "cross_validation": {name: quality(guesses[rows], labels[rows]) for name, rows in views.items()},
    }


def choose_strength(
    inputs: Matrix, labels: NDArray[Any], weights: NDArray[np.float64], seed: int
) -> tuple[float, Matrix]:
    """The regularisation with the least log loss over the folds, and its out-of-fold probabilities."""
    from sklearn.metrics import log_loss
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    options = {"logisticregression__sample_weight": weights}
    guesses = {
        strength: cross_val_predict(
            classifier(strength), inputs, labels, cv=folds, method="predict_proba", params=options
        )
        for strength in STRENGTHS
    }
    best = min(STRENGTHS, key=lambda strength: log_loss(labels, guesses[strength], sample_weight=weights))
    return best, guesses[best]


def evened(rows: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
    """The rows, with those of rarer labels repeated until all labels are about equally frequent."""
    groups = [rows[labels[rows] == label] for label in range(len(LABELS))]
    most = max(map(len, groups))
    return np.concatenate([np.repeat(group, round(most / max(1, len(group)))) for group in groups])


def quality(guesses: Matrix, labels: NDArray[Any]) -> dict[str, float]:
    """Accuracy, log loss, and expected calibration error."""
    from sklearn.metrics import log_loss

    confidence, right = guesses.max(axis=1), guesses.argmax(axis=1) == labels
    loss = log_loss(labels, guesses, labels=range(len(LABELS)))
    return {
        "claims": len(labels),
        "accuracy": round(float(right.mean()), 4),
        "log_loss": round(float(loss), 4),
        "calibration_error": round(calibration_error(list(confidence), list(right)), 4),
    }
