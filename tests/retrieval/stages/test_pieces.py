"""A chunk is embedded whole, in pieces; documents are shared out among questions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.protocols import Matrix
from retrieval.resources import Resources
from retrieval.stages.averitec.documents import ChunkSearch, Pieces, joined_pieces, nearest_to_any
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.text.chunks import pieces
from retrieval.types import Claim, FactCheck
from tests.making import make_page

FILLER = "The weather of the valley is mild, and its farmers grow apples, pears and plums in long rows along the road. "
LATE = make_page("Valley", FILLER * 12 + "The Anchor Bridge was opened in March 1931.")
OTHERS = [make_page(f"Bridge {n}", f"Bridge number {n} of the county was painted in a light colour.") for n in range(6)]


@given(st.text("ab é", max_size=400), st.integers(1, 60))
def test_pieces_hold_the_whole_text(text: str, most: int) -> None:
    found = pieces(text, most)
    assert all(len(piece) <= most for piece in found)
    assert "".join("".join(found).split()) == "".join(text.split())


@given(st.integers(401, 682))
def test_two_pieces_are_about_equally_long(words: int) -> None:
    found = pieces("ab " * words, 1_200)
    assert len(found) == 2
    assert abs(len(found[0]) - len(found[1])) <= 41


def test_a_chunk_is_as_near_as_its_best_piece_or_as_their_mean() -> None:
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8], [0, 1], [1, 0]], np.float32)
    owners, query = [0, 0, 1, 2, 2], np.array([1, 0], np.float32)
    assert joined_pieces(vectors, owners, query, "best").tolist() == pytest.approx(
        np.array([[1, 0], [0.6, 0.8], [1, 0]])
    )
    assert joined_pieces(vectors, owners, query, "mean").tolist() == pytest.approx(
        np.array([[0.5, 0.5], [0.6, 0.8], [0.5, 0.5]])
    )


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_best_pieces_are_those_that_a_search_of_each_would_find(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors: Matrix = rng.normal(size=(sum(sizes), 5)).astype(np.float32)
    query = rng.normal(size=5).astype(np.float32)
    owners = [chunk for chunk, size in enumerate(sizes) for _ in range(size)]
    for chunk, found in enumerate(joined_pieces(vectors, owners, query, "best")):
        own = vectors[[row for row, owner in enumerate(owners) if owner == chunk]]
        assert found @ query == pytest.approx(max(own @ query), abs=1e-5)


def rank(resources: Resources, how: Pieces) -> int:
    store = KnowledgeStore([LATE, *OTHERS], "valley")
    stage = ChunkSearch(store, resources.encoder(), pieces=how, characters=600, kept=7)
    *_, last = stage.run(FactCheck(Claim("c", "The Anchor Bridge was opened in 1931.")))
    return (
        [hit.page.title for hit in last.check.pages].index("Valley")
        if "Valley" in {h.page.title for h in last.check.pages}
        else 99
    )


def test_an_answer_late_in_a_long_chunk_is_found_by_its_piece(resources: Resources) -> None:
    """1,300 characters of other things stand before it."""
    assert rank(resources, "best") == 0
    assert rank(resources, "opening") > 0
    assert rank(resources, "mean") >= rank(resources, "best")


def test_questions_share_the_documents_evenly() -> None:
    scores = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.1, 0.6], [0.0, 0.5]], np.float32)
    assert [row for row, _ in nearest_to_any(scores, 4)] == [0, 1, 3, 4]
    assert [row for row, _ in nearest_to_any(scores[:, :1], 3)] == [0, 1, 2]
