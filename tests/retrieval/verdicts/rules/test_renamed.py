"""What something was called before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.past import renamed
from tests.making import make_page

PAGES = [
    make_page("Norland", "Norland, officially the Republic of Norland, was a state now known as the Sunnmark Union."),
    make_page("Sunnmark Union", "The Sunnmark Union (SU), formerly named Norland, is a country."),
    make_page("Port Alda", "Port Alda is a city.", "It was called Fort Rhys until 1902.", "It was renamed from Old Rhys in 1700."),
    make_page("Sri Lanka", "Sri Lanka, officially a republic and known until 1972 as Ceylon, is an island near India."),
    make_page("Quill", "Quill is a company.", "In 1999, it changed its name to Quillon.", "It was founded by Ben Ash."),
]  # fmt: skip


@pytest.mark.parametrize(
    "claim",
    [
        "Norland is now the Sunnmark Union.",
        "The Sunnmark Union used to be called Norland",
        "sunnmark union was formerly known as norland",
        "Norland is the old name of the Sunnmark Union.",
        "The former name of Port Alda was Fort Rhys.",
        "Port Alda used to be Fort Rhys.",
        "Fort Rhys is now called Port Alda.",
        "Port Alda was once called Old Rhys",
        "Quill became Quillon.",
        "Quill changed its name to Quillon.",
    ],
)
def test_a_page_with_both_names_supports(claim: str) -> None:
    told = renamed(claim, PAGES)
    assert told
    assert told.holds


def test_a_country_was_not_called_as_another_is() -> None:
    told = renamed("Sri Lanka used to be called Burma.", PAGES)
    assert told
    assert (told.holds, told.differ) == (False, ("Burma", "Ceylon"))


@pytest.mark.parametrize(
    "claim",
    [
        "Sri Lanka used to be called Serendib.",  # one of several old names, perhaps
        "Sri Lanka used to be called India.",  # which the page names
        "Port Alda used to be called Quill.",
        "Norland used to be called the Sunnmark Union.",  # the other way round
        "Quill used to be called Ben Ash.",
        "Port Alda is a city.",
        "Pell used to be called Norland.",  # no page
    ],
)
def test_nothing_else_does(claim: str) -> None:
    assert renamed(claim, PAGES) is None


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    renamed(f"{text} used to be called {text}", [make_page(text or "A", f"It was formerly {text}.")])
