"""Raised text: never joined to a figure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.files.raised import Run, join_runs, set_apart


@pytest.mark.parametrize(
    ("before", "raised", "after", "line"),
    [
        ("opened in 1811", "12", ".", "opened in 1811."), ("by Ann", "3", " Lee", "by Ann Lee"), ("in 1811", "1,2", " it", "in 1811 it"),
        ("10", "9", " bees", "10^9 bees"), ("10", "−6", " m", "10^−6 m"), ("5 km", "2", "", "5 km²"), ("E=mc", "2", "", "E=mc²"),
        ("the 19", "th", " day", "the 19th day"), ("M", "me", " Curie", "Mme Curie"), ("Ca", "2+", "", "Ca²⁺"), ("", "14", "C", "¹⁴C"),
        ("2", "1", "/2", "2 1/2"), ("45", "o", "C", "45°C"), ("Acme", "TM", "", "Acme™"), ("word", "[12]", "", "word"), ("word", "*", "", "word"),
        ("1,310", "4", " men", "1,310 men"), ("x", "n", "", "xⁿ"), ("1970", "a", "", "1970"),
        ("is old ", "1", ", and", "is old , and"), ("the isotope ", "14", "C", "the isotope ¹⁴C"), ("", "1", " By Ann", "¹ By Ann"),
    ],
)  # fmt: skip
def test_what_raised_text_becomes(before: str, raised: str, after: str, line: str) -> None:
    assert join_runs([Run(before), Run(raised, raised=True), Run(after)]) == line


@given(st.from_regex(r"[0-9]{1,6}", fullmatch=True), st.from_regex(r"[0-9]{1,4}", fullmatch=True))
def test_a_raised_number_never_lengthens_a_figure(figure: str, raised: str) -> None:
    assert not set_apart(figure, raised)[:1].isdigit()


@given(st.lists(st.tuples(st.text(max_size=8), st.booleans(), st.booleans()), max_size=8))
def test_text_that_is_not_raised_is_kept(parts: list[tuple[str, bool, bool]]) -> None:
    line = join_runs(Run(*part) for part in parts)
    position = 0
    for text, raised, note in parts:
        if not raised and not note:
            position = line.index(text, position) + len(text)


def test_the_mark_of_a_decade_is_no_power_of_seconds() -> None:
    assert set_apart("in the mid-1990s", "3") == set_apart("in the mid-1990s", "7")
    assert set_apart("the 80s", "2") == ""
    assert set_apart("40 s", "2") == "²"
