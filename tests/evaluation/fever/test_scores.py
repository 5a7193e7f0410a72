"""Scores of FEVER claims, against cases worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from evaluation.fever.answers import Answer
from evaluation.fever.data import GoldClaim
from evaluation.fever.scorecard import fever_scorecard
from evaluation.fever.scores import fever_point
from retrieval.types import Label
from tests.evaluation.fever.scoring import score_answers

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
    assert [name for name in scores if "recall" in name] == ["recall_not_enough_info"], "of labels, not of evidence"
    assert score_answers([], []) == {}


def test_balanced_scores_count_each_label_alike() -> None:
    refuted = replace(GOLD, id="3", label=Label.REFUTED)
    gold = [GOLD, OPEN, replace(OPEN, id="4"), replace(OPEN, id="5"), replace(OPEN, id="6"), refuted]
    said = [answer("SUPPORTS"), *[answer("NOT ENOUGH INFO")] * 3, answer("REFUTES", ("C", 1)), answer("SUPPORTS")]
    scores = score_answers(gold, said)
    assert scores["label_accuracy"].value == 4 / 6
    assert round(scores["balanced_label_accuracy"].value, 4) == round((1 + 3 / 4 + 0) / 3, 4)
    assert scores["balanced_fever_score"].value == (0 + 3 / 4 + 0) / 3, "the supported claim's evidence was not found"
    assert scores["balanced_label_accuracy"].n == 6


def test_labels_that_gold_lacks_do_not_lower_a_balanced_score() -> None:
    scores = score_answers([GOLD, OPEN], [answer("SUPPORTS", ("C", 1)), answer("REFUTES")])
    assert (scores["balanced_label_accuracy"].value, scores["balanced_fever_score"].value) == (0.5, 0.5)


def test_each_label_given_has_its_own_calibration() -> None:
    gold = [GOLD, replace(GOLD, id="3"), OPEN]
    said = [answer("SUPPORTS"), answer("REFUTES"), answer("REFUTES")]
    scores = score_answers(
        gold, [replace(row, confidence=sure) for row, sure in zip(said, (0.9, 0.7, 0.7), strict=True)]
    )
    assert round(scores["calibration_error_supports"].value, 6) == 0.1
    assert scores["calibration_error_supports"].n == 1
    assert round(scores["calibration_error_refutes"].value, 6) == 0.7, "none of the two is right"
    assert "calibration_error_not_enough_info" not in scores, "nobody was told so"


def test_submissions_have_numbers_for_ids_as_fever_has() -> None:
    said = answer("SUPPORTS")
    assert [said.as_submission(id)["id"] for id in ("75397", "0", "007", "a-1", "٣")] == [75397, 0, "007", "a-1", "٣"]


def test_the_natural_claims_have_a_confusion_matrix_of_their_own() -> None:
    pairs = [(GOLD, answer("REFUTES")), (replace(GOLD, id="3", natural=False), answer("SUPPORTS"))]
    card = fever_scorecard(pairs, {}, {})
    assert card["confusion"]["SUPPORTS"] == {"SUPPORTS": 1, "REFUTES": 1}
    assert card["confusion_natural"]["SUPPORTS"] == {"SUPPORTS": 0, "REFUTES": 1}
    assert "confusion_natural" not in fever_scorecard(pairs[:1], {}, {}), "all are natural"
