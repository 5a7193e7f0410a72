"""Words that only stress a statement are not read."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.english.parser import english
from retrieval.models.english.reading import EnglishReading
from retrieval.text.typed.wording import without_emphasis
from retrieval.types import Claim


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("Otters are actually fish.", "Otters are fish."),
        ("Otters are, in fact, fish.", "Otters are fish."),
        ("Otters are truly, really fish.", "Otters are fish."),
        ("Otters aren't really fish.", "Otters aren't fish."),
        ("Otters really aren't fish.", "Otters aren't fish."),
        ("Ada Lovelace famously wrote a program.", "Ada Lovelace wrote a program."),
        ("Oslo is also a harbour", "Oslo is a harbour"),
        ("Oslo is still the capital", "Oslo is the capital"),
        ("Norway still claims the island", "Norway claims the island"),
        ("Otters live in Europe too.", "Otters live in Europe."),
        ("otters live in Europe as well", "otters live in Europe"),
        ("Oslo is known to be the capital", "Oslo is the capital"),
        ("otters happen to be mammals", "otters are mammals"),
        ("Oslo is the capital of Norway lol", "Oslo is the capital of Norway"),
        ("Oslo is the capital of Norway, of course.", "Oslo is the capital of Norway."),
        ("Are otters really fish?", "Are otters fish?"),
        ("It was Ada Lovelace who wrote the first program.", "Ada Lovelace wrote the first program."),
        ("It was in 1843 that Ada Lovelace wrote a program", "Ada Lovelace wrote a program in 1843"),
        ("it's the Norwegians who won", "The Norwegians won"),
        ("Is Bergen still the capital?", "Is Bergen the capital?"),
    ],
)
def test_what_stresses_is_left_out(typed: str, plain: str) -> None:
    assert without_emphasis(typed) == plain


@pytest.mark.parametrize(
    "typed",
    [
        "Love Actually is a film.",  # titles
        "love actually stars Hugh Grant",
        "Definitely Maybe is an album.",
        "Oslo is also called Christiania",  # another name
        "Otters are not certainly fish.",  # denies that it is certain
        "The lamp was officially lit in 1931.",  # these mean something
        "Otters always sleep.",
        "The turnout was 100%",
        "Really?",
        "It is the first film that won ten prizes.",
        "It is true that otters swim.",
        "It was a lamp which fell.",
        "The slogan of 2017 was me too",
        "Her first album is titled You Too",
    ],
)
def test_what_means_something_stays(typed: str) -> None:
    assert without_emphasis(typed) == typed


@pytest.mark.parametrize(
    ("typed", "statement", "turned"),
    [
        ("otters arent really fish", "otters are fish", True),
        ("It is false that otters are actually fish.", "Otters are fish.", True),
        ("Is it true that otters are really fish?", "Otters are fish.", False),
        ("Are otters really fish?", "Otters are fish.", False),
    ],
)
def test_it_is_left_out_before_denials_and_questions_are_turned(typed: str, statement: str, turned: bool) -> None:
    found = EnglishReading(english()).read(Claim("c", typed)).claim
    assert (found.reading, found.turned) == (statement, turned)


WORDS = st.lists(
    st.sampled_from(
        ["is", "really", "in fact", "also", "not", "isn't", "Oslo", "known to be", "still", ",", "lol", "?"]
    ),
    max_size=30,
)


@given(WORDS)
def test_nothing_is_added_and_all_else_stays(words: list[str]) -> None:
    typed = " ".join(words)
    found = without_emphasis(typed)
    rest = iter(typed)
    assert all(char in rest for char in found), "a part of the text, in order"
    assert found.count("Oslo") == typed.count("Oslo")
    assert found.count("not") == typed.count("not")


@pytest.mark.parametrize("part", ["is really, ", "is really ", "really ", ", in fact", "is still "])
def test_it_is_linear(part: str) -> None:
    began = time.process_time()
    without_emphasis(part * 3_000)
    assert time.process_time() - began < 1
