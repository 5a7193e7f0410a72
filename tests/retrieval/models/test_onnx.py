"""The two MiniLM models hold what `protocols.Encoder` and `protocols.PairScorer` promise."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.onnx import (
    EACH_TOKENS,
    PAIRS_A_STEP,
    TOGETHER,
    TOGETHER_TOKENS,
    OnnxEncoder,
    OnnxPairScorer,
    batches_of_like_length,
    join_pair,
    joined_ids,
)
from retrieval.text.sentences import pair_text
from retrieval.types import Stance

STRANGE = [
    "",
    " ",
    "\x00",
    "😀🏳️‍🌈",
    "مرحبا بالعالم",
    "x" * 10_000,
    "word " * 2_000,
    "<script>alert(1)</script>",
    "Ω" * 300,
]
CLAIM = "Paris is the capital of France."
SENTENCES = [
    pair_text("Paris", "Paris is the capital and largest city of France."),
    pair_text("Berlin", "Berlin is the capital of Germany."),
    pair_text("Photosynthesis", "Plants turn light into chemical energy."),
    pair_text("Paris", "The city lies on the Seine, " + "with many a bridge and quay, " * 20),
]


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    """Vectors, as the product makes them."""
    return OnnxEncoder(threads=2)


@pytest.fixture(scope="module")
def scorer() -> OnnxPairScorer:
    """The cross-encoder, as the product runs it."""
    return OnnxPairScorer(threads=2)


def scored(scorer: OnnxPairScorer, claim: str, sentences: list[str]) -> dict[int, tuple[float, Stance]]:
    """What the scorer says of each sentence, by index."""
    found = {}
    for rows, relevances, stances in scorer.score(claim, sentences):
        assert len(rows) == len(relevances) == len(stances)
        for row, relevance, stance in zip(rows, relevances, stances, strict=True):
            assert row not in found
            found[row] = (relevance, stance)
    return found


def test_vectors_have_unit_length(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode([*SENTENCES, *STRANGE])
    assert vectors.shape == (len(SENTENCES) + len(STRANGE), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)


def test_no_text_gives_no_vector(encoder: OnnxEncoder) -> None:
    assert encoder.encode([]).shape == (0, 384)


def test_like_texts_have_like_vectors(encoder: OnnxEncoder) -> None:
    cat, kitten, physics = encoder.encode(["A cat sleeps.", "A kitten is asleep.", "Quantum field theory"])
    assert cat @ kitten > 0.6 > 0.2 > cat @ physics


def test_vectors_are_the_same_each_time(encoder: OnnxEncoder) -> None:
    assert np.array_equal(encoder.encode(SENTENCES), encoder.encode(SENTENCES))


def test_order_and_company_hardly_matter_to_vectors(encoder: OnnxEncoder) -> None:
    texts = [*SENTENCES, *(f"Sentence number {n} of this text." for n in range(40))]
    together, backwards = encoder.encode(texts), encoder.encode(texts[::-1])[::-1]
    alone = np.vstack([encoder.encode([text]) for text in texts])
    assert (together * backwards).sum(axis=1).min() > 0.97
    assert (together * alone).sum(axis=1).min() > 0.97


def test_text_beyond_the_limit_does_not_count(encoder: OnnxEncoder) -> None:
    long = "river " * 300
    first, second = encoder.encode([long, long + "mountain " * 50])
    assert np.array_equal(first, second)


def test_every_sentence_is_scored_once(scorer: OnnxPairScorer) -> None:
    sentences = SENTENCES * 15
    found = scored(scorer, CLAIM, sentences)
    assert sorted(found) == list(range(len(sentences)))


def test_no_sentence_gives_no_batch(scorer: OnnxPairScorer) -> None:
    assert list(scorer.score(CLAIM, [])) == []


def test_scores_are_probabilities_whatever_the_text(scorer: OnnxPairScorer) -> None:
    for claim in [CLAIM, *STRANGE]:
        for relevance, stance in scored(scorer, claim, [*SENTENCES, *STRANGE]).values():
            assert 0 <= relevance <= 1
            assert stance.supports + stance.refutes + stance.neutral == pytest.approx(1)


def test_the_deciding_sentence_comes_first(scorer: OnnxPairScorer) -> None:
    true = scored(scorer, CLAIM, SENTENCES)
    assert max(true, key=lambda row: true[row][0]) == 0
    assert true[0][1].supports > 0.6
    false = scored(scorer, "Berlin is the capital of France.", SENTENCES[:2])
    assert false[1][1].refutes > false[1][1].supports


def test_scores_are_the_same_each_time(scorer: OnnxPairScorer) -> None:
    assert scored(scorer, CLAIM, SENTENCES) == scored(scorer, CLAIM, SENTENCES)


def test_company_does_not_matter_to_scores(scorer: OnnxPairScorer) -> None:
    """Activations of a batch would be quantized together: a sentence in doubt then moves by tenths."""
    together, backwards = scored(scorer, CLAIM, SENTENCES), scored(scorer, CLAIM, SENTENCES[::-1])
    for row, sentence in enumerate(SENTENCES):
        assert scored(scorer, CLAIM, [sentence])[0] == together[row] == backwards[len(SENTENCES) - 1 - row]


def test_threads_do_not_matter_to_scores(scorer: OnnxPairScorer) -> None:
    assert scored(OnnxPairScorer(threads=1), CLAIM, SENTENCES) == scored(scorer, CLAIM, SENTENCES)


def test_sentences_are_scored_in_the_order_given(scorer: OnnxPairScorer) -> None:
    batches = scorer.score(CLAIM, SENTENCES * 5)
    assert [row for rows, _, _ in batches for row in rows] == list(range(20))


def test_ceasing_to_iterate_leaves_the_rest(scorer: OnnxPairScorer) -> None:
    batches = scorer.score(CLAIM, SENTENCES * 5)
    assert len(next(batches)[0]) == PAIRS_A_STEP < 20
    batches.close()


def test_sentences_are_read_together(scorer: OnnxPairScorer) -> None:
    stance = scorer.judge_together(CLAIM, [SENTENCES[0], SENTENCES[2]])
    assert stance.supports + stance.refutes + stance.neutral == pytest.approx(1)
    assert stance.supports > stance.refutes
    stance = scorer.judge_together("Paris is the capital of Spain.", [SENTENCES[0], SENTENCES[2]])
    assert stance.refutes > stance.supports
    assert scorer.judge_together(CLAIM, []).neutral > 0


def test_of_many_long_sentences_the_first_are_read(scorer: OnnxPairScorer) -> None:
    long = ["word " * 500] * 50
    assert scorer.judge_together(CLAIM, long) == scorer.judge_together(CLAIM, long[:TOGETHER])


def test_sentences_together_are_cut_and_kept_apart() -> None:
    assert joined_ids([[1, 2], [3]]) == [1, 2, 102, 3]
    assert joined_ids([]) == []
    assert len(joined_ids([[1] * 500] * TOGETHER)) == TOGETHER * EACH_TOKENS + TOGETHER - 1
    assert TOGETHER * (EACH_TOKENS + 1) + 3 < TOGETHER_TOKENS, "a claim of some words has room beside them"


def test_joining_changes_no_sentence() -> None:
    ids = [1, 2]
    joined_ids([ids, [3]])
    assert ids == [1, 2]


def test_a_pair_keeps_the_claim_and_cuts_the_sentence() -> None:
    ids, second = join_pair([1] * 20, [2] * 200, 96)
    assert (len(ids), ids.count(1), second) == (96, 20, 22)
    ids, _ = join_pair([1] * 200, [2] * 200, 96)
    assert (len(ids), ids.count(2)) == (96, 32)
    ids, _ = join_pair([1] * 200, [2] * 5, 96)
    assert (len(ids), ids.count(2)) == (96, 5)
    assert join_pair([], [], 96) == ([101, 102, 102], 2)


def test_batches_go_from_short_to_long() -> None:
    assert list(batches_of_like_length([5, 1, 9, 3], 2)) == [[1, 3], [0, 2]]
    assert list(batches_of_like_length([], 2)) == []


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    for file in catalogue.CROSS_ENCODER.files:
        shutil.copy(catalogue.WEIGHTS / file.name, tmp_path / file.name)
    with (tmp_path / "cross_encoder.onnx").open("r+b") as weights:
        weights.write(b"\x00")
    with pytest.raises(ModelError, match="not the one that was published"):
        OnnxPairScorer(weights=tmp_path)


def test_without_its_changes_the_network_is_the_one_before() -> None:
    before = replace(catalogue.CROSS_ENCODER, files=catalogue.CROSS_ENCODER.files[1:])
    sentences = SENTENCES[:1]
    ((_, now, _),) = OnnxPairScorer(threads=1).score("Paris is in France.", sentences)
    ((_, then, _),) = OnnxPairScorer(before, threads=1).score("Paris is in France.", sentences)
    assert now != then
    assert now[0] > 0.5
    assert then[0] > 0.5


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"encoder\.onnx"):
        OnnxEncoder(weights=tmp_path)
