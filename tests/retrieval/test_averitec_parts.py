"""Parts of the recipes of AVeriTeC: chunks, rank fusion, relevance and novelty, vectors kept, questions by rule, examples."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import SettingError
from retrieval.llm.examples import Example, Examples, read_examples
from retrieval.models.disk_cache import CachedEncoder
from retrieval.models.fitted.four_labels import FourLabels, answer_features, combine_two, wording_features
from retrieval.models.fitted.logistic import softmax
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import Matrix
from retrieval.resources import Resources
from retrieval.stages.averitec.questions import template_questions
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.text.chunks import chunk_around, chunks, neighbours, recursive_chunks
from retrieval.text.ranking import fused_scores, maximal_marginal_relevance
from retrieval.types import Claim, FactCheck, Label, Page, Stance
from tests.making import changed, make_page


@given(st.lists(st.text("ab. \n", min_size=1, max_size=60).filter(str.strip), max_size=12), st.integers(5, 80))
def test_chunks_are_the_page_in_pieces(sentences: list[str], length: int) -> None:
    page = make_page("P", *sentences)
    pieces = chunks(page, length)
    assert all(piece.text == page.text[piece.start : piece.end] and 0 < len(piece.text) <= length for piece in pieces)
    assert all(one.end <= other.start for one, other in itertools.pairwise(pieces))
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(page.text.split())


def test_neighbours_end_at_words() -> None:
    text = "One two three. Four five six. Seven eight nine."
    assert neighbours(text, 15, 29, 9) == ("three.", "Seven")
    assert neighbours(text, 0, 14, 100) == ("", "Four five six. Seven eight nine.")


def letters(texts: Sequence[str]) -> list[int]:
    """As if each letter were a token, and spaces none."""
    return [len("".join(text.split())) for text in texts]


@given(st.text("ab. \n", min_size=1, max_size=300), st.integers(1, 60))
def test_recursive_chunks_make_up_the_text(text: str, most: int) -> None:
    spans = recursive_chunks(text, most, letters)
    assert "".join(text[start:end] for start, end in spans) == text
    assert max(letters([text[start:end] for start, end in spans])) <= most


def test_recursive_chunks_are_cut_at_the_coarsest_end() -> None:
    text = "One two.\n\nThree four. Five six.\nSeven."
    assert [text[a:b] for a, b in recursive_chunks(text, 20, letters)] == [
        "One two.\n\n",
        "Three four. Five six.\n",
        "Seven.",
    ]
    assert [text[a:b] for a, b in recursive_chunks(text, 12, letters)][1:3] == ["Three four. ", "Five six.\n"]
    start = text.index("Five")
    assert chunk_around(text, start, start + 9, 12, letters) == "Five six."
    assert chunk_around(text, start - 3, start + 9, 12, letters) == "Three four. Five six."


@given(st.text("ab. \n", min_size=1, max_size=300), st.data())
def test_the_chunk_around_holds_the_sentence(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert text[start:end].strip() in chunk_around(text, start, end, 10, letters)


def test_rank_fusion_by_hand() -> None:
    # 1/61 + 1/63 for 0, 1/62 + 1/61 for 1, 1/63 + 1/62 for 2.
    scores = fused_scores([[0, 1, 2], [1, 2, 0]])
    assert scores == pytest.approx({0: 1 / 61 + 1 / 63, 1: 1 / 62 + 1 / 61, 2: 1 / 63 + 1 / 62})
    assert fused_scores([]) == {}


def test_marginal_relevance_by_hand() -> None:
    query = np.array([1.0, 0.0], dtype=np.float32)
    rows = np.array([[0.9, 0.436], [0.9, 0.436], [0.6, -0.8]], dtype=np.float32)
    assert maximal_marginal_relevance(query, rows, 3, 1.0) == [0, 1, 2]
    assert maximal_marginal_relevance(query, rows, 2, 0.5) == [0, 2]  # Its twin says nothing new.
    assert maximal_marginal_relevance(query, rows[:0], 2, 0.5) == []
    with pytest.raises(ValueError, match="not between"):
        maximal_marginal_relevance(query, rows, 2, 1.5)


class Counting:
    """An encoder that counts what it embeds."""

    dimension = 4

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        rows = np.array([[len(text), text.count("a"), 1, hash(text) % 7] for text in texts], dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_no_text_is_embedded_twice(tmp_path: Path) -> None:
    real = Counting()
    first = CachedEncoder(real, "m", tmp_path / "v.sqlite", 1)
    texts = ["a", "b", "a", "\ud800"]
    vectors = first.encode(texts)
    assert np.allclose(vectors, Counting().encode(texts), atol=2e-3)
    assert real.texts == ["a", "b", "\ud800"]
    again = CachedEncoder(real, "m", tmp_path / "v.sqlite", 1)
    assert np.array_equal(again.encode(texts), vectors)
    assert len(real.texts) == 3
    CachedEncoder(real, "another model", tmp_path / "v.sqlite", 1).encode(["a"])
    assert len(real.texts) == 4
    assert first.encode([]).shape == (0, 4)


def test_a_cache_that_cannot_be_used_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "v.sqlite").write_text("no database at all, " * 100, "utf-8")
    assert CachedEncoder(Counting(), "m", tmp_path / "v.sqlite", 1).encode(["a"]).shape == (1, 4)
    assert CachedEncoder(Counting(), "m", tmp_path / "v.sqlite" / "below", 1).encode(["a"]).shape == (1, 4)


def test_the_oldest_vectors_go(tmp_path: Path) -> None:
    encoder = CachedEncoder(Counting(), "m", tmp_path / "v.sqlite", 1)
    encoder._most = 10
    for number in range(8):
        encoder.encode([f"{number} {part}" for part in range(5)])
    with sqlite3.connect(tmp_path / "v.sqlite") as file:
        assert file.execute("SELECT count(*) FROM vectors").fetchone() == (10,)


class Asked(KnowledgeStore):
    """A corpus too large to read whole, which notes how many pages it was asked for."""

    pages = None  # type: ignore[assignment]
    top_k = 0

    def search_text(self, query: str, phrases: Sequence[str] = (), top_k: int = 10) -> list[tuple[Page, float]]:
        self.top_k = top_k
        return super().search_text(query, phrases, top_k)


@pytest.mark.parametrize(
    ("recipe", "settings", "asked"),
    [
        ("rag_fusion", {}, 200),
        ("rag_fusion", {"document_matches": 70}, 70),
        ("contextual", {"pages": 500}, 500),
        ("aic", {"document_matches": 70, "pages": 500}, 70),
    ],
)
def test_pages_of_a_corpus_that_are_embedded(
    resources: Resources, recipe: str, settings: dict[str, Any], asked: int
) -> None:
    """A hidden constant once kept FUSION_PAGES from giving more than 200."""
    store = Asked([make_page("Paris", "Paris is in France.")])
    ours = resources.with_settings(changed(resources.settings, **settings)).over(store)
    found = ours.pipeline(recipe).stages[0].run(FactCheck(Claim("c", "Paris is in France.")))
    assert [hit.page.title for hit in list(found)[-1].check.pages] == ["Paris"]
    assert store.top_k == asked


def test_questions_by_rule() -> None:
    spans = [(0, 17, "NOUN_PHRASE"), (32, 36, "DATE")]
    assert template_questions("The Anchor Bridge was opened in 1932.", spans, 3) == [
        "Is it true that the Anchor Bridge was opened in 1932?",
        "What is the figure for The Anchor Bridge, is it 1932?",
        "What is known about The Anchor Bridge?",
    ]
    assert template_questions("Ada lives.", [(0, 3, "PERSON")], 1) == ["Is it true that Ada lives?"]
    assert template_questions("it rains", [], 3) == ["Is it true that it rains?"]


def test_examples(tmp_path: Path) -> None:
    examples = Examples(
        (Example("Tea is hot.", (), "Supported"), Example("The bridge is red.", (("Is it?", "No"),), "Refuted"))
    )
    assert [example.label for example in examples.nearest("A red bridge", 1)] == ["Refuted"]
    assert [example.label for example in examples.nearest("The bridge is red.", 5)] == ["Supported"]  # Never itself.
    assert read_examples(tmp_path / "none.json").nearest("A tram line", 3) == []
    (tmp_path / "bad.json").write_text("[1]", "utf-8")
    with pytest.raises(SettingError, match="EXAMPLES"):
        read_examples(tmp_path / "bad.json")


def test_four_labels_of_odd_evidence(resources: Resources) -> None:
    model = FourLabels()
    encoder = resources.encoder()
    for pairs in ([], [("", "x" * 5_000)], [("Is it?", "No answer could be found.")] * 12):
        relevances, stances = [0.0] * len(pairs), [Stance(0.0, 0.0, 1.0)] * len(pairs)
        found = model.probabilities("A claim.", pairs, relevances, stances, encoder)
        assert sum(found.values()) == pytest.approx(1)
        assert min(found.values()) >= 0
    assert list(answer_features([("q", "Yes. So"), ("q", "No"), ("q", "No answer could be found.")])[:3]) == [1, 1, 1]


def test_what_repeats_a_claim_is_told_from_what_calls_it_false() -> None:
    claim = "The mayor sold the bridge."
    repeated, _, added, doubted, *_ = wording_features(claim, [("", "The bridge, the mayor sold.")], [1.0])
    assert (repeated, added, doubted) == (1, 0, 0)
    pairs = [("", "That the mayor sold the bridge is a hoax."), ("", "It rains.")]
    repeated, mean, added, doubted, strongest, any_ = wording_features(claim, pairs, [0.8, 0.1])
    assert (repeated, mean, doubted, strongest, any_) == (1, 0.5, 0.5, 0.8, 1)
    assert added > 0
    assert wording_features("The bridge is a hoax.", pairs, [0.8, 0.1])[3] == 0


def test_pages_that_only_repeat_a_claim_do_not_make_it_true(resources: Resources) -> None:
    claim = "A video shows the mayor selling the old bridge to a circus."
    pairs = [("", claim), ("", "The old bridge was painted in May."), ("", "A circus came to the town in June.")]
    texts = [answer for _, answer in pairs]
    read = judge_texts(resources.chosen().pair_scorer(), claim, texts)
    found = FourLabels().probabilities(claim, pairs, *read, resources.encoder())
    assert max(found, key=lambda label: found[label]) is not Label.SUPPORTED


def test_two_classifiers_give_four_labels() -> None:
    for scores, label in (((4, -4), 0), ((-4, 4), 1), ((-4, -4), 2), ((4, 4), 3)):
        shares = combine_two(np.array(scores, dtype=float))
        assert shares.sum() == pytest.approx(1)
        assert shares.argmax() == label
    assert softmax(np.array([1000.0, 0.0]))[0] == pytest.approx(1)
