"""What a claim sets its statement against is left out, and the person who asks is told."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models.english.parser import english
from retrieval.models.english.reading import EnglishReading
from retrieval.text.typed.wording import without_contrast
from retrieval.types import Claim


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("The capital of Norway is Oslo, not Bergen.", "The capital of Norway is Oslo."),
        ("Oslo, not Bergen, is the capital of Norway.", "Oslo is the capital of Norway."),
        ("Hamlet was written by Shakespeare and not by Marlowe.", "Hamlet was written by Shakespeare."),
        ("The show is made for adults instead of children.", "The show is made for adults."),
        ("The lamp was lit in 1931, not in 1932", "The lamp was lit in 1931"),
        ("Otters are mammals rather than fish!", "Otters are mammals!"),
    ],
)
def test_a_contrast_is_left_out(typed: str, plain: str) -> None:
    assert without_contrast(typed) == plain
    read = EnglishReading(english()).read(Claim("c", typed))
    assert read.claim.reading == plain
    assert plain in " ".join(read.notes)


@pytest.mark.parametrize(
    "typed",
    [
        "Oslo is not the capital of Sweden.",
        "Otters are not fish but mammals.",
        "He did not sing, and not in public.",
        "It boils at 100 rather than 90 degrees.",
        "He won, not that he knew.",
        "She sings, not because she is paid.",
        "To be or not to be",
        "Whatever, not now",
    ],
)
def test_a_denial_or_a_further_statement_stays(typed: str) -> None:
    assert without_contrast(typed) == typed


@given(
    st.lists(st.sampled_from(["Oslo", "is", ",", "not", "and", "rather than", "Bergen", "not.", "never"]), max_size=20)
)
def test_only_a_part_is_left_out(words: list[str]) -> None:
    typed = " ".join(words)
    rest = iter(typed)
    assert all(char in rest for char in without_contrast(typed))


@pytest.mark.parametrize("part", [", not a", " and not a", "a rather than ", "is, "])
def test_it_is_linear(part: str) -> None:
    began = time.process_time()
    without_contrast(part * 3_000)
    assert time.process_time() - began < 1
