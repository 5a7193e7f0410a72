"""Fits the ranker on claims that the cross-encoder has not seen, with the sentences that the pipeline finds for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.fever.data import GoldClaim, pointer_to
from retrieval.models.fitted.ranker import FEATURES, LABELS, features
from retrieval.types import Evidence
from training.classifiers.fitting import Matrix, classifier, logistic_file, run_fast, write_fitted
from training.classifiers.verdict import FOLDS, Recording
from training.data.pairs import learning_claims

RANKER_STRENGTH = 0.3  # sklearn's C; values from .03 to 3 do no better or worse
DEPTHS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Example:
    """A claim and the sentences found for it. features: one row per sentence; pointers: (page id, line) of each."""

    claim: GoldClaim
    features: Matrix
    pointers: list[tuple[str, int]]

    @property
    def gold(self) -> NDArray[Any]:
        """Whether each sentence is part of a gold group."""
        return np.array([pointer in self.claim.pointers for pointer in self.pointers])

    def found(self, order: NDArray[Any], depth: int) -> bool:
        """Whether the first `depth` sentences of this order hold a whole gold group."""
        first = {self.pointers[row] for row in order[:depth]}
        return any(group <= first for group in self.claim.evidence)


class RecordingRanker:
    """Stands in for the ranker: records its inputs and leaves the scores unchanged."""

    def __init__(self) -> None:
        self.features: Matrix = np.zeros((0, len(FEATURES)))
        self.pointers: list[tuple[str, int]] = []

    def probabilities(self, claim: str, sentences: Sequence[Evidence], pages: Sequence[str]) -> list[float]:
        """The scores, unchanged."""
        self.features = features(claim, sentences, pages)
        self.pointers = [pointer_to(evidence.sentence) for evidence in sentences]
        return [e.relevance for e in sentences]


def fit_ranker(store: str, data: Path, target: Path) -> None:
    """Run recipe `fast` on the held-out claims that can be verified, fit, write `target`, print the cross-validated figures."""
    _, claims = learning_claims(data)
    examples = collect(store, [claim for claim in claims if claim.verifiable])
    inputs = np.vstack([example.features for example in examples])
    gold = np.concatenate([example.gold for example in examples])
    fitted = logistic_file(classifier(RANKER_STRENGTH).fit(inputs, gold), LABELS, FEATURES)
    fitted |= {"claims": len(examples), "cross_validation": checked(examples, inputs, gold)}
    write_fitted(target, fitted)


def collect(store: str, claims: Sequence[GoldClaim]) -> list[Example]:
    """The sentences that recipe `fast` finds for each claim; claims without any are left out."""
    recording = RecordingRanker()
    ran = run_fast(store, claims, {"ranker": recording, "verdict": Recording()})
    return [Example(claim, recording.features, recording.pointers) for claim in ran if recording.pointers]


def checked(examples: Sequence[Example], inputs: Matrix, gold: NDArray[Any]) -> dict[str, dict[str, float]]:
    """The share of claims with a whole gold group among the first sentences, ranked by relevance alone and by the
    cross-validated ranker."""
    from sklearn.model_selection import GroupKFold, cross_val_predict

    claim_of = np.repeat(np.arange(len(examples)), [len(example.pointers) for example in examples])
    options: dict[str, Any] = {"groups": claim_of, "cv": GroupKFold(FOLDS), "method": "predict_proba"}
    guesses = cross_val_predict(classifier(RANKER_STRENGTH), inputs, gold, **options)
    figures = {}
    for name, scores in (("relevance alone", inputs[:, 0]), ("ranked", guesses[:, 1])):
        orders = [np.argsort(-scores[claim_of == row], kind="stable") for row in range(len(examples))]
        ordered = list(zip(examples, orders, strict=True))
        figures[name] = _depths(ordered)
        figures[f"{name}, natural"] = _depths([pair for pair in ordered if pair[0].claim.natural])
    return figures


def _depths(ordered: Sequence[tuple[Example, NDArray[Any]]]) -> dict[str, float]:
    shares = {f"@{depth}": np.mean([example.found(order, depth) for example, order in ordered]) for depth in DEPTHS}
    return {"claims": len(ordered), **{name: round(float(share), 4) for name, share in shares.items()}}
