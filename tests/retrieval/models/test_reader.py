"""The reader holds what `protocols.PairScorer` promises, and reads each sentence as if it were alone."""

from __future__ import annotations

import shutil
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.onnx import TOGETHER_TOKENS, joined_ids
from retrieval.models.reader import (
    MOST_BEGUN,
    MPNET_END,
    MPNET_START,
    READER_EACH_TOKENS,
    OnnxReader,
    adds_exactly,
    join_reading,
)
from retrieval.text.sentences import pair_text
from retrieval.types import Stance
from tests.networks import open_anew
from tests.retrieval.models.test_onnx import CLAIM, SENTENCES, STRANGE

IDS = st.lists(st.integers(3, 30_000), max_size=300)


@pytest.fixture(scope="module")
def reader() -> OnnxReader:
    """As the product runs it."""
    return OnnxReader(threads=2)


def read(reader: OnnxReader, claim: str, sentences: list[str]) -> list[tuple[float, Stance]]:
    found = [(rows, *scores, *stances) for rows, scores, stances in reader.score(claim, sentences)]
    assert [rows for rows, *_ in found] == [[row] for row in range(len(sentences))]
    return [(score, stance) for _, score, stance in found]


def numbers(found: list[tuple[float, Stance]]) -> list[float]:
    return [number for score, stance in found for number in (score, *astuple(stance))]


@given(IDS, IDS)
def test_a_pair_fits_and_keeps_what_it_can(claim: list[int], sentence: list[int]) -> None:
    ids = join_reading(claim, sentence, 112)
    assert len(ids) == min(112, len(claim) + len(sentence) + 4) or len(sentence) < 32
    assert len(ids) <= 112
    assert (ids[0], ids[-1]) == (MPNET_START, MPNET_END)
    middle = ids.index(MPNET_END)
    assert ids[middle + 1] == MPNET_END
    assert claim[: middle - 1] == ids[1:middle]
    assert sentence[: len(ids) - middle - 3] == ids[middle + 2 : -1]
    assert len(ids) - middle - 3 >= min(32, len(sentence))


@given(st.lists(IDS, max_size=7))
def test_sentences_read_together_are_cut_alike(sentences: list[list[int]]) -> None:
    joined = joined_ids(sentences, MPNET_END, READER_EACH_TOKENS)
    assert joined.count(MPNET_END) == max(0, len(sentences) - 1)
    assert len(joined) <= max(1, len(sentences)) * (READER_EACH_TOKENS + 1)


def test_scores_do_not_depend_on_company(reader: OnnxReader) -> None:
    together = read(reader, CLAIM, SENTENCES)
    assert together == [read(reader, CLAIM, [sentence])[0] for sentence in SENTENCES]


def test_both_graphs_compute_the_same_where_sums_are_exact() -> None:
    """Else the graph for int8 must not be chosen. `tests/hub/test_older_processors.py` emulates such a processor."""
    chosen, signed, unsigned = (OnnxReader(threads=1, exact=exact) for exact in (None, True, False))
    known = numbers(read(unsigned, CLAIM, SENTENCES))
    assert numbers(read(chosen, CLAIM, SENTENCES)) == pytest.approx(known, abs=1e-4)
    exact = adds_exactly(catalogue.WEIGHTS / "reader_trial.onnx")
    assert (numbers(read(signed, CLAIM, SENTENCES)) == pytest.approx(known, abs=1e-4)) is exact


def test_it_tells_what_supports_from_what_refutes_and_what_does_not_matter(reader: OnnxReader) -> None:
    said, denied, beside = read(
        reader,
        "Oslo is the capital of Norway.",
        [
            pair_text("Oslo", "Oslo is the capital of Norway."),
            pair_text("Oslo", "Oslo is not the capital of Norway."),
            pair_text("Photosynthesis", "Plants turn light into chemical energy."),
        ],
    )
    assert said[1].supports > max(said[1].refutes, said[1].neutral)
    assert denied[1].refutes > max(denied[1].supports, denied[1].neutral)
    assert beside[0] < min(said[0], denied[0])


def test_hostile_text_is_read_like_any_other(reader: OnnxReader) -> None:
    for claim in (CLAIM, STRANGE[0], STRANGE[5]):
        for score, stance in read(reader, claim, STRANGE[:4]):
            assert 0 <= score <= 1
            assert abs(stance.supports + stance.refutes + stance.neutral - 1) < 1e-6


def test_reading_together_takes_none_one_and_many(reader: OnnxReader) -> None:
    for sentences in ([], SENTENCES[:1], SENTENCES, ["word " * 500] * 9):
        stance = reader.judge_together(CLAIM, sentences)
        assert abs(stance.supports + stance.refutes + stance.neutral - 1) < 1e-6
    assert TOGETHER_TOKENS > 5 * READER_EACH_TOKENS


def test_what_was_begun_is_read_alike_and_once(reader: OnnxReader, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, other = SENTENCES[:2], SENTENCES[1::-1], SENTENCES[2:4]
    alone = OnnxReader(threads=1)
    for sentences in (first, second, other):
        alone.begin_together(CLAIM, sentences)
    assert not alone._begun, "one thread begins nothing"
    expected = [alone.judge_together(CLAIM, sentences) for sentences in (first, second, other)]
    for sentences in (first, second):
        reader.begin_together(CLAIM, sentences)
    found = [reader.judge_together(CLAIM, sentences) for sentences in (first, second, other)]
    assert found == expected, "begun or not, in whatever order"
    assert not reader._begun

    runs: list[int] = []
    monkeypatch.setattr(reader, "_logits", lambda ids: runs.append(len(ids)) or np.zeros((1, 4), np.float32))
    reader.begin_together(CLAIM, first)
    reader.judge_together(CLAIM, first)
    assert len(runs) == 1


def test_what_nobody_asks_for_makes_room(reader: OnnxReader) -> None:
    for number in range(3 * MOST_BEGUN):
        reader.begin_together(f"Claim {number}.", SENTENCES[:1])
    assert len(reader._begun) == MOST_BEGUN
    newest = f"Claim {3 * MOST_BEGUN - 1}."
    assert reader.judge_together(newest, SENTENCES[:1]) == OnnxReader(threads=1).judge_together(newest, SENTENCES[:1])


def test_another_file_is_refused(tmp_path: Path) -> None:
    for file in catalogue.READER.files[1:]:
        shutil.copyfile(catalogue.WEIGHTS / file.name, tmp_path / file.name)
    (tmp_path / catalogue.READER.files[0].name).write_bytes(b"not a network")
    with pytest.raises(ModelError, match="is not the one that was published"):
        OnnxReader(weights=tmp_path)


def test_a_full_temporary_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_anew(monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    with pytest.raises(ModelError, match=r"reader\w*\.onnx takes 173 MB in .*absent.* set TMPDIR"):
        OnnxReader(threads=1)
