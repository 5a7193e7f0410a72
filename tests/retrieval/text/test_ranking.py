"""Ranking arithmetic, against cases worked out by hand."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text import ranking
from retrieval.text.ranking import (
    best_questions,
    holds_any_name,
    holds_title,
    inverse_frequencies,
    merge_overlaps,
    overlap_scores,
    thesis_scale,
    title_score,
    title_spans,
)
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import content_words, share, stem
from tests.making import make_page

# words


def test_content_words_are_folded_stemmed_and_tell_something() -> None:
    assert content_words("The singers of Beyoncé's bands, singing") == {"singer", "beyonc", "band", "sing"}
    assert content_words("It is the one that was there") == frozenset()
    assert content_words("not the first, only") == {"not", "first", "onli"}


def test_stems_in_many_threads() -> None:
    words = [f"running{number % 7}s" for number in range(400)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem, words)) == [stem(word) for word in words]


def test_share_of_weight() -> None:
    weights = {"a": 3.0, "b": 1.0}
    assert share(["a"], weights) == 0.75
    assert share(["a", "b", "c"], weights) == 1.0
    assert share([], weights) == share(["a"], {}) == share(["a"], {"a": 0.0}) == 0.0


# overlap


def test_inverse_frequencies() -> None:
    weights = inverse_frequencies({"a", "b", "c"}, [{"a", "b"}, {"a"}, {"a", "x"}])
    assert weights == pytest.approx(
        {"a": math.log(1 + 3 / 3.5), "b": math.log(1 + 3 / 1.5), "c": math.log(1 + 3 / 0.5)}
    )


def test_rare_words_weigh_more() -> None:
    scores = overlap_scores(
        "Curie won a prize", ["Curie sang", "a prize", "a prize and a prize", "won prizes", "Curie won the prize"]
    )
    assert scores[4] == 1.0
    assert 0 < scores[1] == scores[2] < scores[0] < 1


def test_overlap_of_nothing() -> None:
    assert overlap_scores("claim", []) == []
    assert overlap_scores("", ["text"]) == [0.0]
    assert overlap_scores("it is", ["it is"]) == [0.0]
    assert overlap_scores("claim", ["", "🎬"]) == [0.0, 0.0]


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=5))
def test_overlap_is_a_share(claim: str, texts: list[str]) -> None:
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in overlap_scores(claim, texts))


# titles


def test_title_spans_keep_the_run_that_looks_most_like_a_name() -> None:
    text = "the savages saw Savages and SAVAGES"
    start, end = title_spans(text)["savages"]
    assert (start, text[start:end]) == (16, "Savages")


def test_function_words_are_no_title_unless_written_as_one() -> None:
    assert set(title_spans("It was there", 1)) == set()
    assert set(title_spans("He read It there", 1)) == {"read", "it"}
    assert "it was" not in title_spans("He says it was")
    assert "the who" in title_spans("He saw The Who")


@given(st.text(max_size=80))
def test_title_spans_are_parts_of_the_text(text: str) -> None:
    for key, (start, end) in title_spans(text).items():
        assert fold(text[start:end]) == key


def score(claim: str, title: str, whole: bool = True) -> float:
    return title_score(claim, make_page(title), whole, title_spans(claim))


def test_a_title_that_the_claim_does_not_hold_scores_nothing() -> None:
    assert score("Paris is a city.", "London") == 0.0
    assert score("Savages is a film.", "Savages (film)", whole=True) == 0.0


def test_title_score_by_hand() -> None:
    # One of four words: .5 + .5 * 1/4 = .625. The sentence's first word counts as half a capital, which is enough.
    assert score("Paris is a city.", "Paris") == pytest.approx(ranking.WHOLE_TITLE * 0.625)
    assert score("He likes Paris.", "Paris") == pytest.approx(ranking.WHOLE_TITLE * 0.625)
    assert score("He likes paris.", "Paris") == pytest.approx(ranking.WHOLE_TITLE * 0.625 * ranking.LOWER_CASE)
    assert score("New York City is big.", "New York City") == pytest.approx(ranking.WHOLE_TITLE * 0.875)
    assert score("He saw The Lord Of The Rings.", "The Lord of the Rings") == pytest.approx(ranking.WHOLE_TITLE)


def test_words_of_the_bracket_count() -> None:
    bare = ranking.BARE_TITLE * 0.625
    assert score("Savages is bad.", "Savages (2012 film)", whole=False) == pytest.approx(bare)
    assert score("Savages is a film.", "Savages (2012 film)", whole=False) == pytest.approx(
        bare + ranking.BRACKET_SCORE / 2
    )
    assert score("Savages is a 2012 film.", "Savages (2012 film)", whole=False) == pytest.approx(
        bare + ranking.BRACKET_SCORE
    )


def named(claim: str, title: str, *names: str, whole: bool = True) -> float:
    return title_score(claim, replace(make_page(title), names=names), whole, title_spans(claim))


def test_a_further_name_counts_as_a_title_does() -> None:
    claim = "The capital of the US is Washington."
    assert named(claim, "United States", "USA", "US") == score(claim, "US") > 0
    assert named(claim, "United States", "U.S.") == score(claim, "US"), "as it is looked up"
    assert named(claim.replace("US", "us"), "United States", "US") == pytest.approx(
        score(claim, "US") * ranking.LOWER_CASE
    )
    assert named(claim, "United States", "USA") == named(claim, "United States") == 0.0


def test_the_best_of_title_and_names_counts() -> None:
    claim = "The United States of America is a country."
    assert named(claim, "United States", "United States of America") == score(claim, "United States of America")
    assert named(claim, "United States", "America") == score(claim, "United States") > score(claim, "America")
    assert named(claim, "United States", "country") == score(claim, "United States")
    element = "Mercury, or Hg, is an element."
    bare = score(element, "Mercury (element)", whole=False)
    assert named(element, "Mercury (element)", "Hg") == bare > score(element, "Hg"), "its bracket still counts"
    assert named(element, "Mercury (planet)", "Hg") == score(element, "Hg")
    assert named(element, "Mercury (planet)", "Hg", whole=False) == score(element, "Mercury (planet)", whole=False)


def score_before(claim: str, title: str, whole: bool, spans: dict[str, tuple[int, int]]) -> float:
    """`title_score` as it was when it knew titles alone, and as FEVER's scores were taken with it."""
    bare = without_bracket(title)
    start, end = spans.get(fold(title if whole else bare), (0, 0))
    if start == end:
        return 0.0
    length = min(len(claim[start:end].split()), ranking.FULL_LENGTH) / ranking.FULL_LENGTH
    name = 1.0 if ranking._capitals(claim, start, end) >= 0.5 or claim.islower() else ranking.LOWER_CASE
    worth = (ranking.WHOLE_TITLE if whole else ranking.BARE_TITLE) * (0.5 + 0.5 * length) * name
    if bare != title:
        bracket = content_words(title[len(bare) :])
        worth += ranking.BRACKET_SCORE * len(bracket & content_words(claim)) / max(1, len(bracket))
    return worth


WORDS = st.sampled_from(["Savages", "savages", "The", "film", "(film)", "(2012 film)", "2012", "É", "it", "Of"])
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join) | st.text(max_size=40)


@given(TEXTS, TEXTS, st.booleans())
def test_a_page_without_names_scores_to_the_bit_as_before(claim: str, title: str, whole: bool) -> None:
    for text in (claim, f"{claim} {title}"):
        spans = title_spans(text)
        assert title_score(text, make_page(title), whole, spans) == score_before(text, title, whole, spans)


@pytest.mark.parametrize(
    ("text", "names", "held"),
    [
        ("The capital of the US is Washington.", ("USA", "US"), True),
        ("The capital of the U.S. is Washington.", ("US",), True),
        ("He told us that it is Washington.", ("US",), False),
        ("Curie, who was born in Warsaw, was a chemist.", ("WHO",), False),
        ("The head of the WHO was born in Warsaw.", ("WHO",), True),
        ("Some dogs can fly.", ("Dogs",), True),
        ("Some hotdogs can fly.", ("Dogs",), False),
        ("It is big.", ("It",), False),
        ("Paris is big.", (), False),
        ("", ("",), False),
    ],
)
def test_a_text_holds_a_name(text: str, names: tuple[str, ...], held: bool) -> None:
    assert holds_any_name(text, names) is held
    assert holds_title(text, "United States", names) is held


def test_a_text_holds_a_title() -> None:
    assert holds_title("Savages is bad.", "Savages (2012 film)")
    assert not holds_title("Savage is bad.", "Savages (2012 film)")
    assert not holds_title("", "")
    assert holds_title("Otters are mammals.", "Otter")
    assert holds_title("A python is a snake.", "Pythons")
    assert not holds_title("Otto is big.", "Otter")


def test_a_text_without_capitals_may_write_initials_small_unless_they_are_a_word() -> None:
    assert holds_any_name("lbj was president before jfk", ("JFK",))
    assert not holds_any_name("he told us that it is so", ("US",))
    assert not holds_any_name("Somebody said jfk.", ("JFK",))


def test_a_claim_without_capitals_names_pages_as_well() -> None:
    assert score("paris is a city.", "Paris") == score("Paris is a city.", "Paris")


def test_a_name_that_a_page_gives_itself_counts_as_a_title_without_its_bracket() -> None:
    claim, page = "The Amber Bridge is old.", replace(make_page("Linden Bridge"), other_names=("Amber Bridge",))
    assert title_score(claim, page, False, title_spans(claim)) == pytest.approx(ranking.BARE_TITLE * 0.75)
    shouting = replace(make_page("World Health Organization"), other_names=("WHO",))
    assert title_score("He knows who did it.", shouting, False, title_spans("He knows who did it.")) == 0.0


def test_overlaps_are_merged_and_neighbours_are_not() -> None:
    assert merge_overlaps([(5, 9), (0, 3), (2, 4), (4, 5)]) == [(0, 4), (4, 5), (5, 9)]
    assert merge_overlaps([]) == []
    assert merge_overlaps([(0, 9), (2, 3)]) == [(0, 9)]


def test_the_thesis_scale() -> None:
    assert thesis_scale([-1.0, 0.3, 1.0], unit=True) == pytest.approx([0.0, 0.65, 1.0])
    assert thesis_scale([0.0, 72.4], unit=False) == pytest.approx([0.5, 0.6735], abs=1e-3)


def test_each_question_brings_its_best() -> None:
    scores = [[0.9, 0.1], [0.8, 0.2], [0.1, 0.7]]
    assert best_questions(scores, 1) == {0: (0.9, 0), 2: (0.7, 1)}
    assert best_questions(scores, 3) == {0: (0.9, 0), 1: (0.8, 0), 2: (0.7, 1)}
    assert list(best_questions(scores, 3)) == [0, 1, 2]
    assert best_questions([], 3) == best_questions(scores, 0) == {}
