"""The thesis' measures (documents, passages, both; OFEVER) by hand, and what holds for every figure."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import metrics
from evaluation.fever.answers import Answer
from evaluation.fever.data import FEVER_NAMES, GoldClaim
from evaluation.fever.scores import combined_counts, fever_measures, page_counts, passage_counts
from retrieval.types import Label
from tests.evaluation.fever.scoring import score_answers

# Gold: sentences A0 and B1 together, or C2 alone; so the gold pages are A, B and C, the gold sentences three.
CLAIM = GoldClaim("1", "A claim.", Label.SUPPORTED, (frozenset({("A", 0), ("B", 1)}), frozenset({("C", 2)})))
SECOND = GoldClaim("2", "Another.", Label.REFUTED, (frozenset({("D", 0)}),))
OPEN = GoldClaim("3", "Open.", Label.NOT_ENOUGH_EVIDENCE, ())


def answer(pages: str, *shown: tuple[str, int], label: str = "SUPPORTS") -> Answer:
    return Answer(label, 0.5, tuple(pages), shown, 1.0, shown)


# Finds A, B and two others; shows A0 (gold), A5 and X1 (not). Of the claim's second group it finds nothing.
FIRST_ANSWER = answer("ABXY", ("A", 0), ("A", 5), ("X", 1))
# Finds and shows what it should, nothing else.
SECOND_ANSWER = answer("D", ("D", 0), label="REFUTES")


def test_what_is_counted_of_a_claim() -> None:
    assert page_counts(CLAIM, FIRST_ANSWER) == (2, 4, 3)
    assert passage_counts(CLAIM, FIRST_ANSWER) == (1, 2, 2), "X1 and C2 lie outside the gold pages that were found"
    assert combined_counts(CLAIM, FIRST_ANSWER) == (1, 3, 3)


def test_the_thesis_figures_by_hand() -> None:
    scores = score_answers([CLAIM, SECOND, OPEN], [FIRST_ANSWER, SECOND_ANSWER, answer("Q", ("Q", 0))])
    expected = {
        "page_precision": Fraction(3, 5),
        "page_recall": Fraction(3, 4),
        "page_f1": Fraction(2, 3),
        "passage_precision": Fraction(2, 3),
        "passage_recall": Fraction(2, 3),
        "passage_f1": Fraction(2, 3),
        "combined_precision": Fraction(2, 4),
        "combined_recall": Fraction(2, 4),
        "combined_f1": Fraction(1, 2),
        "ofever_page": Fraction(2, 2),
        "ofever_passage": Fraction(1, 2),
        "ofever_combined": Fraction(1, 2),
    }
    for name, value in expected.items():
        assert scores[name].value == pytest.approx(float(value)), name
        assert scores[name].n == 2, "claims without evidence do not count"
    for part in ("page", "passage", "combined"):
        precision, recall = scores[f"{part}_precision"].value, scores[f"{part}_recall"].value
        assert scores[f"{part}_f1"].value == pytest.approx(2 * precision * recall / (precision + recall))


def test_only_seventeen_pages_count() -> None:
    claim = GoldClaim("1", "A claim.", Label.SUPPORTED, (frozenset({("R", 0)}),))
    late = answer("ABCDEFGHIJKLMNOPQR", ("R", 0))
    in_time = answer("BCDEFGHIJKLMNOPQR", ("R", 0))
    names = ("ofever_page", "ofever_combined", "page_recall", "combined_recall")
    assert [score_answers([claim], [late])[name].value for name in names] == [0.0] * 4
    assert [score_answers([claim], [in_time])[name].value for name in names] == [1.0] * 4
    assert "ofever_passage" not in score_answers([claim], [late]), (
        "its documents were not found: nothing is known of it"
    )


def test_stance_on_gold_sentences_is_a_mean_over_claims() -> None:
    answers = [replace(FIRST_ANSWER, gold_stance=(1, 4)), replace(SECOND_ANSWER, gold_stance=(1, 1)), answer("Q")]
    score = score_answers([CLAIM, SECOND, OPEN], answers)["stance_accuracy_gold"]
    assert (score.value, score.n) == (0.625, 2)
    assert "stance_accuracy_gold" not in score_answers([CLAIM], [FIRST_ANSWER])


def test_what_gets_no_verdict_has_no_confidence_to_be_wrong_about() -> None:
    unsure = replace(FIRST_ANSWER, confidence=None)
    score = score_answers([CLAIM, SECOND], [unsure, SECOND_ANSWER])["calibration_error"]
    assert (score.value, score.n) == (0.5, 1)
    nothing = score_answers([CLAIM, SECOND], [unsure, replace(SECOND_ANSWER, confidence=None)])
    assert not [name for name in nothing if "calibration" in name]


# What holds for every figure

POINTERS = st.tuples(st.sampled_from("ABCD"), st.integers(0, 3))
LABELS = st.sampled_from([Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH_EVIDENCE])


@st.composite
def gold_claims(draw: st.DrawFn) -> GoldClaim:
    label = draw(LABELS)
    groups = draw(st.lists(st.frozensets(POINTERS, min_size=1, max_size=3), min_size=1, max_size=3, unique=True))
    return GoldClaim("x", "A claim.", label, () if label is Label.NOT_ENOUGH_EVIDENCE else tuple(groups))


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    return Answer(
        draw(st.sampled_from(sorted(set(FEVER_NAMES.values())))),
        draw(st.floats(0, 1)),
        tuple(draw(st.lists(st.sampled_from("ABCDXYZ"), max_size=6, unique=True))),
        tuple(draw(st.lists(POINTERS, max_size=8))),
        1.0,
        tuple(draw(st.lists(POINTERS, max_size=4))),
        draw(st.none() | st.tuples(st.integers(0, 2), st.integers(2, 3))),
    )


PAIRS = st.lists(st.tuples(gold_claims(), answers()), min_size=1, max_size=8)


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "RESAMPLES", 30)


@given(PAIRS)
def test_shares_lie_between_0_and_1(pairs: list[tuple[GoldClaim, Answer]]) -> None:
    for name, score in score_answers([c for c, _ in pairs], [a for _, a in pairs]).items():
        assert -1e-9 <= score.low <= score.high <= 1 + 1e-9, name
        assert -1e-9 <= score.value <= 1 + 1e-9, name
        assert 0 < score.n <= len(pairs), name


def perfect(claim: GoldClaim) -> Answer:
    gold = tuple(sorted({pointer for group in claim.evidence for pointer in group}))
    first = sorted(claim.evidence[0]) if claim.evidence else []
    ordered = tuple(dict.fromkeys([*first, *gold]))
    pages = tuple(dict.fromkeys(page for page, _ in ordered))
    return Answer(FEVER_NAMES[claim.label], 1.0, pages, ordered, 1.0, gold, (1, 1) if claim.evidence else None)


@given(st.lists(gold_claims(), min_size=1, max_size=8))
def test_perfect_answers_score_1(claims: list[GoldClaim]) -> None:
    claims = [replace(claim, evidence=tuple(group for group in claim.evidence if len(group) == 1)) for claim in claims]
    claims = [claim for claim in claims if claim.evidence or claim.label is Label.NOT_ENOUGH_EVIDENCE]
    for name, score in score_answers(claims, [perfect(claim) for claim in claims]).items():
        assert score.value == pytest.approx(0.0 if "calibration_error" in name else 1.0), name


@given(PAIRS, st.integers())
def test_the_order_of_claims_does_not_matter(pairs: list[tuple[GoldClaim, Answer]], seed: int) -> None:
    shuffled = random.Random(seed).sample(pairs, len(pairs))
    before = {name: float(measure.figure()) for name, measure in fever_measures(pairs).items()}
    after = {name: float(measure.figure()) for name, measure in fever_measures(shuffled).items()}
    assert after == pytest.approx(before, nan_ok=True)


@given(PAIRS)
def test_ofever_combined_is_pages_times_passages(pairs: list[tuple[GoldClaim, Answer]]) -> None:
    scores = {name: float(measure.figure()) for name, measure in fever_measures(pairs).items()}
    if scores["ofever_page"] > 0:
        assert scores["ofever_combined"] == pytest.approx(scores["ofever_page"] * scores["ofever_passage"])
