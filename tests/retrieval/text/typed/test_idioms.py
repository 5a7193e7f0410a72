"""Turns of speech in plain words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.typed.wording import in_plain_words


@pytest.mark.parametrize(
    ("statement", "plain"),
    [
        ("Ada Lind tied the knot with Ole Berg.", "Ada Lind married Ole Berg."),
        ("Ada Lind was the brains behind Lumo.", "Ada Lind created Lumo."),
        ("Moonas eat nothing but bamboo", "Moonas eat only bamboo"),
        ("Moonas eat almost nothing but bamboo", "Moonas eat almost only bamboo"),
        ("Lumo started out making playing cards.", "Lumo began by making playing cards."),
        ("Lumo started off as a bakery.", "Lumo started as a bakery."),
        ("Ada Lind died at just 27.", "Ada Lind died at the age of 27."),
        ("Ole was only 35 when he died.", "Ole died at the age of 35."),
        ("Ole was only 35 when Norr fell.", "Ole was 35 when Norr fell."),
        ("Ada sat on the throne for 63 years.", "Ada reigned for 63 years."),
        ("Ada bagged three Academy Awards", "Ada won three Academy Awards"),
        ("Ada played the lead in Odra.", "Ada stars in Odra."),
        ("You can find moonas in Europe.", "Moonas can be found in Europe."),
        ("K9 isn't as high as Orna.", "K9 is lower than Orna."),
        ("Ada was not nearly as old as Ole", "Ada was younger than Ole"),
        ("The word moona comes from Greek.", "The name moona comes from Greek."),
    ],
)
def test_what_people_say_is_put_in_plain_words(statement: str, plain: str) -> None:
    assert in_plain_words(statement) == plain


@pytest.mark.parametrize(
    "statement",
    [
        "Nothing But the Truth is a film.",
        "License to Wed was released in 2007.",
        "Ada picked up three stones.",
        "Lumo started out west.",
        "The word means an empty orchestra.",
        "You can count on me.",
        "Ada is not as good as Ole.",
        "Ole died at 10 Main Street.",
    ],
)
def test_titles_and_other_words_stay(statement: str) -> None:
    assert in_plain_words(statement) == statement


@given(st.text())
def test_plain_words_are_left_alone_the_second_time(text: str) -> None:
    once = in_plain_words(text)
    assert in_plain_words(once) == once
