"""Words around a statement that say nothing of the world, and those that deny it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.typed.framing import Framed, unframed

PLAIN = "Whales are fish"


@pytest.mark.parametrize(
    "typed",
    [
        "I read somewhere that whales are fish",
        "Few people know that whales are fish",
        "I think whales are fish",
        "It is true that whales are fish",
        "Apparently, whales are fish",
        "You may not know it, but whales are fish",
        "Many people don't realise this, but whales are fish",
        "Everyone knows that whales are fish",
        "The claim that whales are fish is correct",
        "Everyone knows whales are fish",
        "It's a fact whales are fish",
        "They taught us at school that whales are fish",
        "My teacher told us in class whales are fish",
        "In my opinion whales are fish",
        "as far as I know, whales are fish",
        "apparently whales are fish",
        "that whales are fish",
    ],
)
def test_a_frame_that_says_nothing(typed: str) -> None:
    assert unframed(typed) == Framed(PLAIN)


@pytest.mark.parametrize(
    "typed",
    [
        "It is false that whales are fish",
        "It's not true that whales are fish",
        "It isn't the case that whales are fish",
        "The claim that whales are fish is wrong",
        "The rumour that whales are fish has been debunked",
        "There is no truth in the idea that whales are fish",
    ],
)
def test_a_frame_that_denies(typed: str) -> None:
    assert unframed(typed) == Framed(PLAIN, denied=True)


@pytest.mark.parametrize(
    "typed", ["Everyone knows the anthem of France", "Actually Rosie is a horse", "We learned in school"]
)
def test_what_looks_like_a_frame_stays(typed: str) -> None:
    assert unframed(typed) == Framed(typed)


def test_two_denials_are_none() -> None:
    assert unframed("It is false that it is false that whales are fish") == Framed(PLAIN)


@pytest.mark.parametrize(
    ("typed", "denied"),
    [
        ("Is it true that whales are fish?", False),
        ("Isn't it true that whales are fish?", False),
        ("Is it false that whales are fish?", True),
        ("Did you know that whales are fish?", False),
        ("Whales are fish, aren't they?", False),
        ("Whales are fish, right?", False),
        ("Whales are fish. True or false?", False),
    ],
)
def test_a_frame_that_asks(typed: str, denied: bool) -> None:
    assert unframed(typed) == Framed(f"{PLAIN}.", denied, asked=True)


@pytest.mark.parametrize(
    "claim",
    [
        "I Think We're Alone Now is a song.",
        "The idea that would change the world is wrong.",
        "It is a bird.",
        "So What is a tune.",
    ],
)
def test_other_sentences_have_none(claim: str) -> None:
    assert unframed(claim) == Framed(claim)


@given(st.text(max_size=300))
def test_anything_can_be_read(text: str) -> None:
    assert unframed(text).text or not text.strip()


@pytest.mark.parametrize("unit", ["is it true that ", "a, ", "the claim that ", "i think ", "it is ", "so, "])
def test_it_takes_linear_time(unit: str) -> None:
    started = time.process_time()
    unframed(unit * 1_000)
    unframed(f"{unit * 1_000}?")
    assert time.process_time() - started < 2
