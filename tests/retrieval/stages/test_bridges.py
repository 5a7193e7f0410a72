"""Which sentence is read with another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.stages.bridges import bridge_to
from retrieval.types import Sentence

FILM = Sentence("Seven_Samurai", "Seven Samurai", 0, 0, 0, "Seven Samurai is a film directed by Akira Kurosawa.")
BIRTH = Sentence("Akira_Kurosawa", "Akira Kurosawa", 1, 0, 0, "He was born in Tokyo.")
OTHER = Sentence("Ran_(film)", "Ran (film)", 0, 0, 0, "Ran is a film directed by Akira Kurosawa.")
CLAIM = "The director of Seven Samurai was born in Tokyo."


def test_a_page_that_the_claim_does_not_name_is_read_with_what_led_there() -> None:
    assert bridge_to(CLAIM, BIRTH, [BIRTH, OTHER, FILM]) == FILM


@pytest.mark.parametrize(
    ("claim", "sentence", "others"),
    [
        ("Akira Kurosawa was born in Tokyo.", BIRTH, [FILM]),
        (CLAIM, FILM, [BIRTH]),
        (CLAIM, BIRTH, [OTHER]),
        (CLAIM, BIRTH, [BIRTH]),
        (CLAIM, BIRTH, []),
    ],
    ids=["the claim names its page", "the page of the claim", "led from another page", "its own page", "alone"],
)
def test_other_sentences_are_read_alone(claim: str, sentence: Sentence, others: list[Sentence]) -> None:
    assert bridge_to(claim, sentence, others) is None


def test_a_name_counts_as_whole_words_only() -> None:
    short = Sentence("Iran", "Iran", 0, 0, 0, "It is a country.")
    led = Sentence("Seven_Samurai", "Seven Samurai", 2, 0, 0, "It was shown in Tirana.")
    assert bridge_to(CLAIM, short, [led]) is None


@given(st.text(), st.text(), st.text(), st.text())
def test_any_text_is_taken(claim: str, title: str, text: str, other: str) -> None:
    first, second = Sentence("a", title, 0, 0, 0, text), Sentence("b", other, 0, 0, 0, title)
    assert bridge_to(claim, first, [second]) in (None, second)
