"""What something was once, or was taken for."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.kinds import of_another_kind
from retrieval.verdicts.rules.past import once, surpassed
from tests.making import make_page

PAGES = [
    make_page("Ostra", "Ostra is a dwarf planet.", "Discovered in 1930, Ostra was originally considered the ninth planet.", "Its moon Tam was once regarded as a comet."),
    make_page("Whale", "A whale is a marine mammal.", "They were classified as fish until the 18th century."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Ostra was once considered a planet.", True),
        ("ostra used to be regarded as a planet", True),
        ("Whales were once classified as fish.", True),
        ("Ostra was once considered a comet.", None),  # its moon was
        ("Ostra was once considered a star.", None),
        ("Ostra is a planet.", None),  # today
        ("Tarn was once considered a planet.", None),  # no page
    ],
)
def test_what_it_was_taken_for_supports(claim: str, holds: bool | None) -> None:
    told = once(claim, PAGES)
    assert (told and told.holds) is holds


def test_what_it_is_today_does_not_refute_what_it_was_taken_for() -> None:
    pages = [make_page("Whale", "A whale is a marine mammal.")]
    assert of_another_kind("Whales are fish.", pages)
    assert of_another_kind("Whales were once considered fish.", pages) is None


TOWERS = [
    make_page("Orla Tower", "Orla Tower is a tower in Sund.", "In 1970, it was again the tallest tower in Sund (but not in Varn), until Tarn Tower was built.", "It is the tallest wooden building in Sund."),
    make_page("Pell Tower", "It was the tallest tower in Norr until 1970.", "In 1999, it became once again the tallest tower in Norr."),
    make_page("Lund Tower", "It was the tallest tower in Mark until 1970, and regained the title in 1999."),
    make_page("Tarn Tower", "Tarn Tower is the tallest tower in Sund.", "It was the world's tallest tower for ten years, until 1999."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("orla tower is the tallest tower in sund", False),
        ("Tarn Tower is the world's tallest tower.", False),
        ("Tarn Tower is the tallest tower in the world.", False),
        ("Tarn Tower is the tallest tower in Sund.", None),
        ("Pell Tower is the tallest tower in Norr.", None),
        ("Lund Tower is the tallest tower in Mark.", None),
        ("Orla Tower is the tallest tower in Mark.", None),  # nothing says that it was
        ("Orla Tower was the tallest tower in Sund.", None),
        ("Orla Tower is the oldest tower in Sund.", None),
    ],
)
def test_what_it_was_until_something_else_was_more(claim: str, holds: bool | None) -> None:
    told = surpassed(claim, TOWERS)
    assert (told and told.holds) is holds


def test_a_long_page_is_searched_fast() -> None:
    pages = [make_page("Orla Tower", "is " * 30_000)]
    began = time.process_time()
    surpassed("Orla Tower is the tallest tower in Sund.", pages)
    assert time.process_time() - began < 5


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    once(text, PAGES)
    surpassed(f"Orla Tower is the {text}est {text} in {text}.", TOWERS)
    once(f"{text} was once considered a {text}.", PAGES)
