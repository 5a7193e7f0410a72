"""What the fits share: a logistic regression and its file, claims run through a recipe, figures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.fever.data import GoldClaim
from retrieval.recipes import find_recipe
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim

Matrix = NDArray[np.float64]
Item = TypeVar("Item")


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items; prints after every hundred how many are done. what: a plural."""
    for done, item in enumerate(items, 1):
        yield item
        if done % 100 == 0:
            print(f"{done:,} of {len(items):,} {what}", flush=True)


def run_fast(store: str, claims: Sequence[GoldClaim], instead: Mapping[str, Any]) -> Iterator[GoldClaim]:
    """Each claim, after recipe `fast` has run on it. instead: stand-ins for models, by role."""
    resources = Resources(Settings(store=store, conflicting_from=0.0), instead=instead)
    pipeline = find_recipe("fast").build(resources)
    for claim in progress(claims, "claims"):
        pipeline.run(Claim(claim.id, claim.text))
        yield claim


def classifier(strength: float) -> Any:
    """Standardization and logistic regression. strength: sklearn's C."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=2000))


def logistic_file(fitted: Any, labels: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """The contents of a file for `read_logistic`. fitted: a `classifier`; names: its features' names."""
    scaler, regression = fitted
    return layer_file(labels, names, regression.coef_, regression.intercept_, scaler.mean_, scaler.scale_)


def layer_file(
    labels: Sequence[str], names: Sequence[str], weights: Matrix, biases: Matrix, mean: Matrix, scale: Matrix
) -> dict[str, Any]:
    """The same for any linear layer over standardized features. weights: (labels, features)."""
    return {
        "labels": list(labels),
        "features": list(names),
        "mean": rounded(mean),
        "scale": rounded(scale),
        "coefficients": [rounded(row) for row in weights],
        "intercepts": rounded(biases),
    }


def probabilities(scores: Matrix, temperature: float = 1.0) -> Matrix:
    """The softmax of each row of (rows, labels), after division by the temperature."""
    raised = np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def log_loss(scores: Matrix, labels: NDArray[Any], temperature: float = 1.0) -> float:
    """Mean negative log probability of the right label. labels: (rows,)."""
    shares = probabilities(scores, temperature)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(shares, 1e-12)).mean())


def write_fitted(target: Path, fitted: Mapping[str, Any]) -> None:
    """Write the file and print its cross-validated figures, if it has any."""
    target.write_text(json.dumps(fitted, indent=1) + "\n")
    if "cross_validation" in fitted:
        print(json.dumps(fitted["cross_validation"], indent=1))


def rounded(values: NDArray[Any]) -> list[float]:
    """Rounded to five decimals, for a readable file."""
    return [round(float(value), 5) for value in values]
