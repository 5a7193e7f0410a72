"""Turns of speech in plain words."""

from __future__ import annotations

from datetime import date

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
        ("ole was 35 when he died", "ole died at the age of 35"),
        ("Ada died when she was 35.", "Ada died at the age of 35."),
        ("Ada died when she was 35 km away.", "Ada died when she was 35 km away."),
        ("Ole was only 35 when Norr fell.", "Ole was 35 when Norr fell."),
        ("Ada sat on the throne for 63 years.", "Ada reigned for 63 years."),
        ("Ada bagged three Academy Awards", "Ada won three Academy Awards"),
        ("Ada played the lead in Odra.", "Ada stars in Odra."),
        ("norr is the largest us state", "norr is the largest US state"),
        ("You can find moonas in Europe.", "Moonas can be found in Europe."),
        ("One can see Ada in Odra.", "Ada can be seen in Odra."),
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


@pytest.mark.parametrize(
    ("ago", "bound"),
    [
        ("over a century ago", ("before", 100)),
        ("more than two hundred years ago", ("before", 200)),
        ("at least 3 decades ago", ("before", 30)),
        ("less than twenty years ago", ("after", 20)),
    ],
)
def test_a_time_counted_back_from_today_is_a_year(ago: str, bound: tuple[str, int]) -> None:
    word, years = bound
    assert in_plain_words(f"Lumo was founded {ago}.") == f"Lumo was founded {word} {date.today().year - years}."


@pytest.mark.parametrize(
    "ago",
    [
        "over 66 million years ago",
        "over 5,000 years ago",
        "no more than twenty years ago",
        "less than two and a half centuries ago",
        "more than some years ago",
        "a year ago",
    ],
)
def test_vague_and_geological_times_stay(ago: str) -> None:
    assert in_plain_words(f"Moonas died out {ago}.") == f"Moonas died out {ago}."


@given(st.text())
def test_plain_words_are_left_alone_the_second_time(text: str) -> None:
    once = in_plain_words(text)
    assert in_plain_words(once) == once
