"""Scores of FEVER claims, against cases worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from evaluation.fever.answers import Answer
from evaluation.fever.data import GoldClaim
from evaluation.fever.scores import fever_point, score_answers
from retrieval.types import Label

TWO_PAGES = frozenset({("A", 0), ("B", 3)})
GOLD = GoldClaim("1", "A claim.", Label.SUPPORTED, (TWO_PAGES, frozenset({("C", 1)})))
OPEN = GoldClaim("2", "Another.", Label.NOT_ENOUGH_EVIDENCE, ())


def answer(label: str, *sentences: tuple[str, int]) -> Answer:
    return Answer(label, 0.8, tuple(dict.fromkeys(page for page, _ in sentences)), sentences, 10.0)


def test_fever_point() -> None:
    filling = [("X", number) for number in range(4)]
    assert fever_point(GOLD, answer("SUPPORTS", *filling, ("C", 1))) == 1.0
    assert fever_point(GOLD, answer("SUPPORTS", *filling, ("X", 9), ("C", 1))) == 0.0, "the sixth sentence is too late"
    assert fever_point(GOLD, answer("SUPPORTS", ("A", 0))) == 0.0
    assert fever_point(GOLD, answer("REFUTES", ("C", 1))) == 0.0
    assert fever_point(OPEN, answer("NOT ENOUGH INFO")) == 1.0
    assert fever_point(OPEN, answer("SUPPORTS")) == 0.0


def test_recall_is_over_verifiable_claims_and_labels_are_over_all() -> None:
    second = replace(GOLD, id="3")
    answers = [answer("SUPPORTS", ("C", 1)), answer("SUPPORTS", ("A", 0), ("X", 0), ("B", 3)), answer("SUPPORTS")]
    scores = score_answers([GOLD, second, OPEN], answers)
    expected = {
        "page_set_recall@10": (1.0, 2),
        "evidence_set_recall@1": (0.5, 2),
        "evidence_set_recall@5": (1.0, 2),
        "evidence_set_recall@10": (1.0, 2),
        "label_accuracy": (0.667, 3),
        "macro_f1": (0.4, 3),
        "fever_score": (0.667, 3),
        "calibration_error": (0.133, 3),
    }
    assert {name: (round(scores[name].value, 3), scores[name].n) for name in expected} == expected


def test_what_cannot_be_computed_is_left_out() -> None:
    scores = score_answers([OPEN], [answer("NOT ENOUGH INFO")])
    assert {"label_accuracy", "macro_f1", "fever_score", "calibration_error"} <= set(scores)
    assert not [name for name in scores if "recall" in name]
    assert score_answers([], []) == {}
