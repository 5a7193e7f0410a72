"""How often something takes place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.events.recurring import recurring
from tests.making import make_page

PAGES = [
    make_page("Varn Medal", "The Varn Medal is a prize.", "It is awarded at a meeting that takes place every four years."),
    make_page("Tide Games", "The Tide Games are held every second year.", "Some events were held annually until 1950."),
    make_page("Mell Race", "The Mell Race is a biennial race.", "Every year, a million people visit Mell."),
    make_page("Ostrel", "Ostrel is a town.", "Its river floods every three years."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "differ"),
    [
        ("The Varn Medal is awarded every year.", ("every year", "every four years")),
        ("the varn medal is given annually", ("annually", "every four years")),
        ("The Varn Medal is an annual prize.", ("annual", "every four years")),
        ("The Varn Medal is awarded every 4 years.", None),
        ("The Tide Games are held every four years.", ("every four", "every second year")),
        ("The Tide Games take place every other year.", None),
        ("The Tide Games are held annually.", None),  # they once were
        ("The Mell Race takes place every year", ("every year", "biennial")),
        ("Ostrel is held every year.", None),  # a flood is not held
        ("The Pell Games are held every year.", None),  # no page
        ("Every year, people go to the Varn Medal.", None),
    ],
)
def test_another_interval_refutes(claim: str, differ: tuple[str, str] | None) -> None:
    told = recurring(claim, PAGES)
    assert (told and told.differ) == differ
    assert told is None or not told.holds


@given(st.text(max_size=80), st.integers(0, 99))
def test_any_text_is_survived(text: str, number: int) -> None:
    recurring(
        f"{text} is held every {number} years", [make_page(text or "A", f"It is held {text} every {number} years.")]
    )
