"""The local verdict: what it computes from sentences, and what it concludes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.fitted.verdict import FEATURES, SENTENCES, LocalVerdict, features
from retrieval.types import Label, Stance

SUPPORTS, REFUTES, NEUTRAL = Stance(0.95, 0.02, 0.03), Stance(0.02, 0.95, 0.03), Stance(0.03, 0.02, 0.95)
SHARES = st.floats(0, 1)


def stance_of(weights: tuple[float, float, float]) -> Stance:
    """Any stance, from any three numbers."""
    total = sum(weights) or 1.0
    return Stance(*(weight / total for weight in weights))


STANCES = st.tuples(SHARES, SHARES, SHARES).map(stance_of)
SCORED = st.lists(st.tuples(SHARES, STANCES), max_size=8)


@given(SCORED, STANCES)
def test_probabilities_sum_to_one(scored: list[tuple[float, Stance]], together: Stance) -> None:
    found = LocalVerdict().probabilities([score for score, _ in scored], [stance for _, stance in scored], together)
    assert sum(found.values()) == pytest.approx(1)
    assert all(0 <= share <= 1 for share in found.values())


@given(SCORED, STANCES)
def test_features_are_finite_numbers(scored: list[tuple[float, Stance]], together: Stance) -> None:
    vector = features([score for score, _ in scored], [stance for _, stance in scored], together)
    assert vector.shape == (len(FEATURES),)
    assert np.isfinite(vector).all()


def test_sentences_after_the_fifth_do_not_count() -> None:
    five = features([0.5] * SENTENCES, [SUPPORTS] * SENTENCES, NEUTRAL)
    assert np.array_equal(five, features([0.5] * 9, [SUPPORTS] * SENTENCES + [REFUTES] * 4, NEUTRAL))


@pytest.mark.parametrize(
    ("relevances", "stances", "label"),
    [
        ([0.99, 0.4], [SUPPORTS, NEUTRAL], Label.SUPPORTED),
        ([0.99, 0.4], [REFUTES, NEUTRAL], Label.REFUTED),
        ([0.1, 0.05], [NEUTRAL, NEUTRAL], Label.NOT_ENOUGH_EVIDENCE),
        ([], [], Label.NOT_ENOUGH_EVIDENCE),
    ],
)
def test_plain_cases(relevances: list[float], stances: list[Stance], label: Label) -> None:
    found = LocalVerdict().probabilities(relevances, stances, stances[0] if stances else NEUTRAL)
    assert max(found, key=lambda name: found[name]) is label


def test_coefficients_for_other_features_are_refused(tmp_path: Path) -> None:
    fitted = json.loads((catalogue.WEIGHTS / "verdict.json").read_text(encoding="utf-8"))
    path = tmp_path / "verdict.json"
    path.write_text(json.dumps({**fitted, "features": ["one"]}), encoding="utf-8")
    model = catalogue.Model(
        "verdict",
        "other",
        "a test",
        "none",
        (catalogue.ModelFile(path.name, hashlib.sha256(path.read_bytes()).hexdigest()),),
    )
    with pytest.raises(ModelError, match="was fitted for features that differ"):
        LocalVerdict(model, tmp_path)


def test_exact_comparisons_count_by_the_relevance_of_their_sentences() -> None:
    agrees, differs = (FEATURES.index(f"any sentence {word} exactly, probability") for word in ("agrees", "differs"))
    found = features([0.8, 0.5, 0.5], [NEUTRAL] * 3, NEUTRAL, [1, -1, -1])
    assert (found[agrees], found[differs]) == (pytest.approx(0.8), pytest.approx(0.75))
    none = features([0.8, 0.5, 0.5], [NEUTRAL] * 3, NEUTRAL)
    assert (none[agrees], none[differs]) == (0.0, 0.0)
    assert np.array_equal(np.delete(found, [agrees, differs]), np.delete(none, [agrees, differs]))
