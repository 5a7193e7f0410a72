"""The order of sentences: what is computed of each, and which comes first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.fitted.ranker import FEATURES, SentenceRanker, features
from retrieval.types import SECOND_HOP, Evidence, Stance
from tests.making import make_page

NEUTRAL = Stance(0.1, 0.1, 0.8)
FILM = make_page("Casablanca (film)", "Casablanca is a film.", "It was shot in 1942.", "Curtiz directed it.")
DIRECTOR = make_page("Michael Curtiz", "Curtiz was born in Budapest.", "He liked tea.")
CLAIM = "The director of Casablanca was born in Budapest."


def scored(page: object, line: int, score: float, method: str = "claim") -> Evidence:
    return Evidence(page.sentences()[line], score, NEUTRAL, method)  # type: ignore[attr-defined]


def column(name: str, rows: np.ndarray) -> list[float]:
    return [float(value) for value in rows[:, FEATURES.index(name)]]


def test_features_of_each_sentence() -> None:
    sentences = [scored(FILM, 2, 0.9), scored(DIRECTOR, 0, 0.3, SECOND_HOP), scored(FILM, 0, 0.2)]
    rows = features(CLAIM, sentences, [FILM.id, DIRECTOR.id])
    assert column("rank of its page", rows) == [0, 1, 0]
    assert column("on the page of the most relevant sentence", rows) == [1, 0, 1]
    assert column("found in the second hop", rows) == [0, 1, 0]
    assert column("line of its page", rows) == [2, 0, 0]
    assert column("claim names its page", rows) == [1, 0, 1]
    assert len(set(column("best relevance of the claim, log odds", rows))) == 1
    shares, added = column("claim's words that it shares", rows), rows[:, -1]
    assert added[0] == 0, "the best sentence adds nothing to itself"
    assert added[1] > 0 == added[2], "born and Budapest are new, Casablanca is not"
    assert all(0 <= share <= 1 for share in shares)


def test_a_title_is_named_by_whole_words_only() -> None:
    page = make_page("Ran", "Ran is a film.")
    rows = features("Branagh ran away.", [scored(page, 0, 0.5)], [page.id])
    assert column("claim names its page", rows) == [1]
    rows = features("Branagh went away.", [scored(page, 0, 0.5)], [page.id])
    assert column("claim names its page", rows) == [0]


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1)), max_size=6))
def test_any_claim_and_any_scores_give_probabilities(claim: str, drawn: list[tuple[int, float]]) -> None:
    sentences = [scored(FILM, line, score) for line, score in sorted(drawn, key=lambda pair: -pair[1])]
    shares = SentenceRanker().probabilities(claim, sentences, [FILM.id])
    assert len(shares) == len(sentences)
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize(("first", "second"), [((FILM, 0, 0.9), (FILM, 1, 0.2)), ((FILM, 0, 0.5), (DIRECTOR, 1, 0.5))])
def test_relevance_and_place_both_count(first: tuple[object, int, float], second: tuple[object, int, float]) -> None:
    sentences = [scored(*first), scored(*second)]
    shares = SentenceRanker().probabilities("Casablanca is a film.", sentences, [FILM.id, DIRECTOR.id])
    assert shares[0] > shares[1]
