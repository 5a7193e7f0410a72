"""Two readings made one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.fitted.joined_reading import (
    EVIDENCE_FEATURES,
    TOGETHER_WEIGHT,
    JoinedReading,
    evidence_features,
    joined_stance,
    joined_stances,
)
from retrieval.models.onnx import OnnxPairScorer
from retrieval.models.pair_scorers import BEST_TOGETHER, BothReadings, judge_texts
from retrieval.models.reader import OnnxReader
from retrieval.types import Evidence, Stance
from tests.making import make_page

PAGE = make_page("Oslo", "Oslo is the capital of Norway.", "It lies on a fjord.", "It rains.")
CLAIM = "Oslo is the capital of Norway."
SHARE = st.floats(0, 1)
STANCE = st.tuples(SHARE, SHARE, SHARE).map(lambda s: Stance(*(part / (sum(s) or 1) for part in s)))


def first(scores: list[float]) -> list[Evidence]:
    return [
        Evidence(PAGE.sentences()[row % 3], score, Stance(0.3, 0.3, 0.4), "claim") for row, score in enumerate(scores)
    ]


@pytest.fixture(scope="module")
def joined() -> JoinedReading:
    """As it ships."""
    return JoinedReading()


@given(st.lists(st.tuples(SHARE, SHARE, STANCE, STANCE), max_size=6))
def test_any_readings_give_probabilities(drawn: list[tuple[float, float, Stance, Stance]]) -> None:
    sentences = first([score for score, *_ in drawn])
    readings = [stance for *_, stance in drawn]
    shares = JoinedReading().evidence(CLAIM, sentences, [relevance for _, relevance, *_ in drawn], readings)
    both = JoinedReading().stances([stance for _, _, stance, _ in drawn], readings)
    assert len(shares) == len(both) == len(drawn)
    assert all(0 <= share <= 1 for share in shares)
    assert all(abs(s.supports + s.refutes + s.neutral - 1) < 1e-6 for s in both)


def test_features_have_their_names() -> None:
    sentences = first([0.9, 0.2])
    stances = [Stance(0.9, 0.05, 0.05), Stance(0.1, 0.1, 0.8)]
    assert evidence_features(CLAIM, sentences, [0.8, 0.1], stances).shape == (2, len(EVIDENCE_FEATURES))
    assert evidence_features(CLAIM, [], [], []).shape == (0, len(EVIDENCE_FEATURES))
    ranks = evidence_features(CLAIM, sentences, [0.8, 0.1], stances)[
        :, EVIDENCE_FEATURES.index("rank in the first pass")
    ]
    assert ranks.tolist() == [0, 1]


def test_the_page_with_whose_name_the_claim_begins_comes_first(joined: JoinedReading) -> None:
    """The longest such name, where pages share a beginning: "Oslo Airport is …" is not about the city."""
    city, airport = (
        PAGE.sentences()[1],
        make_page("Oslo Airport", "It opened in 1998.", "It lies far away.").sentences()[1],
    )
    both = [Evidence(one, 0.5, Stance(0.3, 0.3, 0.4), "claim") for one in (city, airport)]
    stances = [Stance(0.3, 0.3, 0.4)] * 2
    column = EVIDENCE_FEATURES.index("claim begins with the name of its page, the longest such name")
    for claim, begins in (("The Oslo is far away.", [1, 0]), ("Oslo Airport is far away.", [0, 1]), ("It is.", [0, 0])):
        assert evidence_features(claim, both, [0.5, 0.5], stances)[:, column].tolist() == begins, claim
    swapped = joined.evidence("Oslo is far away.", both[::-1], [0.5, 0.5], stances)
    assert swapped[1] > swapped[0], "whatever the order of the first pass"


def test_what_the_reader_holds_relevant_becomes_evidence(joined: JoinedReading) -> None:
    """Whatever the order of the first pass. A sentence that says something of the claim is not neutral to it."""
    neutral, decides = Stance(0.05, 0.05, 0.9), Stance(0.05, 0.9, 0.05)
    low, high = joined.evidence(CLAIM, first([0.5, 0.5]), [0.05, 0.95], [neutral, decides])
    assert high > low


def test_the_stance_lies_between_both_readings_and_nearer_to_the_readers() -> None:
    sure, unsure = Stance(0.9, 0.05, 0.05), Stance(0.05, 0.9, 0.05)
    ((one,), (other,)) = joined_stances([sure], [unsure]), joined_stances([unsure], [sure])
    assert 0.05 < one.supports < one.refutes < 0.9
    assert (one.supports, one.refutes) == pytest.approx((other.refutes, other.supports))
    (certain,) = joined_stances([Stance(1.0, 0.0, 0.0)], [Stance(0.0, 0.0, 1.0)])
    assert min(certain.supports, certain.neutral) > 0.01, "no reading rules out what the other says"


def test_readings_that_agree_keep_their_stance(joined: JoinedReading) -> None:
    for stance in (Stance(0.96, 0.02, 0.02), Stance(0.02, 0.96, 0.02), Stance(0.02, 0.02, 0.96)):
        (both,) = joined.stances([stance], [stance])
        parts = (both.supports, both.refutes, both.neutral)
        assert parts.index(max(parts)) == (stance.supports, stance.refutes, stance.neutral).index(0.96)


def test_a_text_of_several_lines_is_read_as_one() -> None:
    both = BothReadings(OnnxPairScorer(threads=1), OnnxReader(threads=1))
    claim, text = "Oslo is the capital of Norway.", "Oslo : It is the largest city\nof Norway and\nits capital."
    assert judge_texts(both, claim, [text]) == judge_texts(both, claim, [text.replace("\n", " ")])


def test_what_sentences_say_together_is_the_mean_of_both_readings() -> None:
    """Of the first pass over all and of the reader over the best two."""
    first, reader = OnnxPairScorer(threads=1), OnnxReader(threads=1)
    claim = "The capital of the country in which Ibsen was born is Oslo."
    texts = ["Henrik Ibsen : Ibsen was born in Norway.", "Oslo : Oslo is the capital of Norway.", "Bergen : It rains."]
    alone, best = first.judge_together(claim, texts), reader.judge_together(claim, texts[:BEST_TOGETHER])
    wanted = joined_stance(alone, best, TOGETHER_WEIGHT)
    assert alone.neutral != wanted.neutral != best.neutral
    for threads in (1, 2):
        both = BothReadings(first, reader, threads)
        assert both.judge_together(claim, texts) == wanted
        assert both.judge_together(claim, []) == first.judge_together(claim, [])
