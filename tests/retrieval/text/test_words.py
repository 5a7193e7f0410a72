"""Content words that texts share with a claim."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.text.languages import find_language
from retrieval.text.words import content_words, share, shared_words

LETTERS = "ab\u00e9\u0301\u030a\u0345\u00df\u0130\ufb01\u2126\u03c2\u1fb3\u00f8&.'\u2019-_ \n\t\u00a0\u2003\x1c\x85\u00a8\u3000\u1100\u1161"
WORDS = [
    "films",
    "film",
    "Film's",
    "U.S.",
    "us",
    "the",
    "Zo\u00eb",
    "zoe",
    "caf\u00e9-bar",
    "bars",
    "!",
    "\u2014",
    "1985",
]
TEXTS = st.lists(st.text(LETTERS, max_size=12) | st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=6)


@given(TEXTS, st.sampled_from(WORDS) | st.text(LETTERS, max_size=6), st.sampled_from(["en", "de", "xx"]))
@example(["A caf\u00e9-bar.", "no bar", "bar\u00a0caf\u00e9"], "caf\u00e9 bars", "en")
def test_they_are_those_of_each_text_that_are_wanted(texts: list[str], claim: str, code: str) -> None:
    language = find_language(code)
    wanted = content_words(claim, language)
    assert shared_words(wanted, texts, language) == [content_words(text, language) & wanted for text in texts]


@pytest.mark.parametrize("texts", [[], [""], ["", " ", "film"]])
def test_texts_without_words(texts: list[str]) -> None:
    assert shared_words(frozenset({"film"}), texts)[2:] == [frozenset({"film"})][: len(texts[2:])]


def test_a_share_of_weights_depends_on_no_order() -> None:
    """Sets of words have another order in each process, and a last digit decides ties."""
    weights = {"mill": 0.1, "weir": 0.2, "lock": 0.3, "barn": 0.7}
    assert len({share(words, weights) for words in permutations(("mill", "weir", "lock"))}) == 1
    assert len({share(["mill"], dict(pairs)) for pairs in permutations(weights.items())}) == 1
