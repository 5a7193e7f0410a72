"""Words that are a letter wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.spelling import (
    claim_words,
    doubtful,
    most_usual,
    names,
    names_one_edit_away,
    one_edit_away,
    respelt_runs,
    respelt_text,
)

WORDS = st.text("abcxyz", min_size=2, max_size=7)


@pytest.mark.parametrize("wrong", ["kurasawa", "kurosaw", "kurrosawa", "kuroswaa"])
def test_one_letter_changed_left_out_put_in_or_exchanged(wrong: str) -> None:
    assert "kurosawa" in one_edit_away(wrong)
    assert wrong in one_edit_away("kurosawa")


def test_two_letters_or_the_first_one_are_too_much() -> None:
    assert "kurosawa" not in one_edit_away("kurasava")
    assert "kurosawa" not in one_edit_away("curosawa")


@given(WORDS, WORDS)
def test_being_one_edit_away_goes_both_ways(first: str, second: str) -> None:
    assert (second in one_edit_away(first)) == (first in one_edit_away(second))
    assert first not in one_edit_away(first)


def test_short_words_and_numbers_are_not_doubted() -> None:
    assert doubtful(["bear", "1990s", "gallois", "gallois", "löwen"]) == ["gallois"]


def test_a_genitive_is_no_other_word() -> None:
    assert claim_words("Padukone's Café") == ["padukone", "s", "cafe"]


def test_the_most_usual_word_was_meant() -> None:
    assert most_usual({"bolivar": 3, "bollivia": 1, "bolliver": 3}) == "bolivar"
    assert most_usual({"bolivar": 0}) is None
    assert most_usual({}) is None


def test_words_are_put_right_in_the_text_and_nothing_else() -> None:
    assert respelt_text("Dvorjak's kurasawa (Dvořak)", {"dvorjak": "dvorak", "kurasawa": "kurosawa"}) == (
        "Dvorak's kurosawa (Dvořak)"
    )
    assert respelt_text("Any text.", {}) == "Any text."


def test_titles_are_looked_up_both_ways() -> None:
    runs = {"seven samurai": (0, 13), "akira kurasawa": (29, 43)}
    assert respelt_runs(runs, {"kurasawa": "kurosawa"}) == {**runs, "akira kurosawa": (29, 43)}


def test_names_are_two_capitalised_words() -> None:
    assert names("Was Micheal Schumacher from New York's The Bronx Zoo in Spain?") == [
        "Was Micheal",
        "Micheal Schumacher",
        "Bronx Zoo",
    ]


def test_names_are_tried_with_one_long_word_spelt_otherwise() -> None:
    near = names_one_edit_away("Micheal Schumaher")
    assert near["michael schumaher"] == ("micheal", "michael")
    assert near["micheal schumacher"] == ("schumaher", "schumacher")
    assert "michael schumacher" not in near, "one word at a time"
    assert not names_one_edit_away("Tim Cook"), "short names resemble too many others"
    assert "royal rumble" not in names_one_edit_away("Royal Rumbles"), "a plural is no misspelling"
