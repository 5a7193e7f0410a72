"""What thresholds do to verdicts."""

from __future__ import annotations

from evaluation.everyday.leaning import Judged, judge_claims, leaning_table, side_table
from evaluation.fever.data import GoldClaim
from retrieval.resources import Resources
from retrieval.types import Label

YES, NO, OPEN = Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH_EVIDENCE
JUDGED = [
    Judged(YES, YES, 0.9, 3.0),
    Judged(YES, NO, 0.55, 0.3),  # the wrong way round, and hardly any sentence says so
    Judged(NO, NO, 0.5, 0.8),
    Judged(OPEN, OPEN, 0.9, 1.0),
]


def test_a_sentence_that_a_verdict_needs() -> None:
    rows = [line.split() for line in side_table(JUDGED)][1:]
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("0.00", "0.750", "1"),
        ("0.25", "0.750", "1"),
        ("0.50", "0.750", "0"),
        ("0.75", "0.750", "0"),
        ("1.00", "0.500", "0"),
    ]


def test_how_sure_a_full_verdict_is() -> None:
    rows = {line.split()[0]: line.split()[1:] for line in leaning_table(JUDGED, 0.5)}
    assert rows["0.00"] == ["2", "1.000", "0", "0.000"]
    assert rows["0.60"] == ["1", "1.000", "1", "1.000"]


def test_the_sentences_of_a_real_check(resources: Resources) -> None:
    claim = GoldClaim("1", "Warsaw is the capital of Poland.", YES, ())
    (found,) = judge_claims([claim], resources, "fast")
    assert (found.gold, found.label) == (YES, YES)
    assert found.side >= 1, "its likeliest stance"
