"""What something was once taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.kinds import of_another_kind
from retrieval.verdicts.rules.past import once
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


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    once(text, PAGES)
    once(f"{text} was once considered a {text}.", PAGES)
