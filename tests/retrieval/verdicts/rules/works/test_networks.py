"""Where a series is shown, as its page says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.works.screen import shown_on
from tests.making import make_page

PAGES = [
    make_page("Ostrel Lane", "Ostrel Lane is a sitcom created by Bo Li that aired on NBC from 1990 to 1995."),
    make_page("Far Tide", "Far Tide is a drama series.", "It premiered on The CW.", "Netflix bought it in 2012."),
    make_page("High Reeds", "High Reeds is a British drama broadcast on BBC One."),
    make_page("Karl Orm", "Karl Orm is an actor, seen in the Netflix science fiction series “Odd Moons”."),
    make_page("Pia Holm", "Pia Holm is a singer, known from a series broadcast on CBS."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Ostrel Lane aired on NBC.", True),
        ("ostrel lane is on nbc", True),
        ("NBC broadcast Ostrel Lane", True),
        ("Ostrel Lane was an NBC show.", True),
        ("Ostrel Lane ran on HBO.", False),
        ("Ostrel Lane was originally shown on Fox.", False),
        ("Ostrel Lane is a Netflix series", False),
        ("Far Tide was on CW.", True),
        ("Far Tide premiered on Fox", False),
        ("Far Tide is on Netflix", None),  # its page names that network too
        ("High Reeds is a BBC series.", True),
        ("High Reeds is on BBC Two.", None),  # perhaps repeated there
        ("Odd Moons is a Netflix series", True),
        ("Odd Moons is an HBO series", None),  # only its own page refutes
        ("Pia Holm was on NBC.", None),
        ("Ostrel Lane aired on Monday.", None),
        ("Ostrel Lane did not air on NBC.", None),
        ("Nowhere aired on NBC.", None),
    ],
)
def test_the_page_of_the_series_decides(claim: str, holds: bool | None) -> None:
    told = shown_on(claim, PAGES)
    assert (told.holds if told else None) is holds


def test_the_difference_is_named() -> None:
    told = shown_on("Ostrel Lane ran on HBO.", PAGES)
    assert told
    assert told.differ == ("HBO", "NBC")


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_text_is_survived(claim: str, text: str) -> None:
    shown_on(f"{claim} aired on NBC.", [make_page("Far Tide", f"Far Tide is a series that {text} on NBC")])
