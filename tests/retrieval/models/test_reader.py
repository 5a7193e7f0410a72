"""How the reader's input is put together. `tests/hub/test_reader_training.py` runs a small network of its kind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.reader import EACH_TOKENS, END, START, join_reading, joined_sentences

IDS = st.lists(st.integers(3, 30_000), max_size=300)


@given(IDS, IDS)
def test_a_pair_fits_and_keeps_what_it_can(claim: list[int], sentence: list[int]) -> None:
    ids = join_reading(claim, sentence, 112)
    assert len(ids) == min(112, len(claim) + len(sentence) + 4) or len(sentence) < 32
    assert len(ids) <= 112
    assert (ids[0], ids[-1]) == (START, END)
    middle = ids.index(END)
    assert ids[middle + 1] == END
    assert claim[: middle - 1] == ids[1:middle]
    assert sentence[: len(ids) - middle - 3] == ids[middle + 2 : -1]
    assert len(ids) - middle - 3 >= min(32, len(sentence))


@given(st.lists(IDS, max_size=7))
def test_sentences_read_together_are_cut_alike(sentences: list[list[int]]) -> None:
    joined = joined_sentences(sentences)
    assert joined.count(END) == max(0, len(sentences) - 1)
    assert len(joined) <= max(1, len(sentences)) * (EACH_TOKENS + 1)
