"""FEVER's shared task: our figures against its rules, and against its own scorer where that is installed.

The official package `fever-scorer` 2.0.39 does not build under Python 3.11 as it is (its setup.py passes the
interpreter's `license` object as a text), so the base suite cannot depend on it; CI installs it (`.ci/run` shows how).
`rules` says the published rules again, from the shared task's paper (Thorne et al., FEVER workshop 2018, section 3) and
its description of NOT ENOUGH INFO; the figures of the two cases that the scorer's documentation works out stand beside.
"""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fever.answers import row_answer
from evaluation.fever.data import row_claim
from evaluation.fever.scores import fever_measures

Row = dict[str, Any]
UNKNOWN = "NOT ENOUGH INFO"
NAMES = ("fever_score", "label_accuracy", "evidence_precision@5", "evidence_recall@5", "evidence_f1@5")

LABELS = st.sampled_from(["SUPPORTS", "REFUTES", UNKNOWN])
SENTENCES = st.tuples(st.sampled_from(["A", "B", "Ünïcode_-LRB-x-RRB-"]), st.integers(0, 3))
GROUPS = st.lists(st.lists(SENTENCES, min_size=1, max_size=3), max_size=4)


@st.composite
def scored_rows(draw: st.DrawFn) -> Row:
    """A claim with its gold and a prediction; a verifiable one may lack evidence, a sentence may be given twice."""
    label = draw(LABELS)
    groups = [[[None, None, None, None]]]
    if label != UNKNOWN:
        groups = [[[1, 2, page, line] for page, line in group] for group in draw(GROUPS)]
    predicted = [list(sentence) for sentence in draw(st.lists(SENTENCES, max_size=8))]
    spelled = draw(LABELS)
    return {
        "id": 1,
        "claim": "A claim.",
        "label": label,
        "evidence": groups,
        "predicted_label": draw(st.sampled_from([spelled, spelled.lower()])),
        "predicted_evidence": predicted,
    }


ROWS = st.lists(scored_rows(), min_size=1, max_size=12)


def ours(rows: list[Row]) -> dict[str, float]:
    pairs = [(row_claim(row), row_answer(row)) for row in rows]
    measures = fever_measures(pairs)
    return {name: float(measures[name].figure()) for name in NAMES}


def rules(rows: list[Row]) -> dict[str, float]:
    """The shared task's rules, claim by claim, as slowly as they read."""
    points, labels, precisions, recalls = [], [], [], []
    for row in rows:
        five = [tuple(pair) for pair in row["predicted_evidence"][:5]]
        sets = [{(page, line) for _, _, page, line in group} for group in row["evidence"]]
        complete = any(wanted.issubset(five) for wanted in sets)
        labels.append(row["predicted_label"].upper() == row["label"])
        points.append(labels[-1] and (row["label"] == UNKNOWN or complete))
        if row["label"] == UNKNOWN:
            continue  # Evidence is judged only of claims that have some.
        anywhere = set().union(*sets)
        precisions.append(sum(pair in anywhere for pair in five) / len(five) if five else 1.0)
        recalls.append(1.0 if complete or not sets else 0.0)
    precision = sum(precisions) / len(precisions) if precisions else float("nan")
    recall = sum(recalls) / len(recalls) if recalls else float("nan")
    f1 = 2 * precision * recall / (precision + recall) if precision + recall != 0 else 0.0
    return dict(zip(NAMES, (sum(points) / len(rows), sum(labels) / len(rows), precision, recall, f1), strict=True))


def test_the_rules_by_hand() -> None:
    gold = [[[1, 2, "A", 0], [1, 2, "B", 1]], [[1, 3, "C", 2]]]
    base = {"id": 1, "claim": "A claim.", "label": "SUPPORTS", "evidence": gold, "predicted_label": "SUPPORTS"}
    rows = [
        {**base, "predicted_evidence": [["A", 0], ["X", 0]]},  # half a group: precision 1/2, recall 0, no point
        {**base, "predicted_evidence": [["C", 2]]},  # whole: precision 1, recall 1, a point
        {**base, "predicted_evidence": [], "predicted_label": "REFUTES"},  # nothing given: precision 1, recall 0
        {**base, "label": UNKNOWN, "evidence": [], "predicted_label": UNKNOWN, "predicted_evidence": [["X", 9]]},
    ]
    expected = {
        "fever_score": 2 / 4,
        "label_accuracy": 3 / 4,
        "evidence_precision@5": 2.5 / 3,
        "evidence_recall@5": 1 / 3,
        "evidence_f1@5": 2 * (2.5 / 3) * (1 / 3) / (2.5 / 3 + 1 / 3),
    }
    assert ours(rows) == pytest.approx(expected)
    assert rules(rows) == pytest.approx(expected)


def test_the_cases_of_the_scorers_documentation() -> None:
    """One gold group of two sentences; a prediction with half of it, and one with all of it and a sentence too many."""
    gold = [[[None, None, "One", 1], [None, None, "Two", 2]]]
    base = {"id": 1, "claim": "A claim.", "label": "REFUTES", "evidence": gold, "predicted_label": "REFUTES"}
    half = {**base, "predicted_evidence": [["One", 1]]}
    more = {**base, "predicted_evidence": [["One", 1], ["Two", 2], ["Three", 3]]}
    documented = dict(zip(NAMES, (0.5, 1.0, 0.833, 0.5, 0.625), strict=True))
    assert ours([half, more]) == pytest.approx(documented, abs=1e-3)


@given(ROWS)
def test_random_predictions_score_by_the_published_rules(rows: list[Row]) -> None:
    assert ours(rows) == pytest.approx(rules(rows), nan_ok=True)


# Only where the package is: see above.
if importlib.util.find_spec("fever") is not None:

    @given(rows=ROWS)
    def test_random_predictions_score_as_the_official_scorer_says(rows: list[Row]) -> None:
        from fever import scorer

        strict, accuracy, precision, recall, f1 = scorer.fever_score(json.loads(json.dumps(rows)), max_evidence=5)
        found = ours(rows)
        assert (found["fever_score"], found["label_accuracy"]) == pytest.approx((strict, accuracy))
        if any(row["label"] != UNKNOWN for row in rows):
            names = ("evidence_precision@5", "evidence_recall@5", "evidence_f1@5")
            assert [found[name] for name in names] == pytest.approx([precision, recall, f1])
