"""How old somebody was at an event."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.people.aged import aged
from tests.making import make_page

PAGES = [
    make_page("Ada Lind", "Ada Lind (born 3 May 1950) is a director.", "Lind joined the board of Lumo in 1990.", "She won the Tarn Prize in 1980 and 1985.",
              "Having left school at 14, Lind was elected to the council at 25, in 1975."),
    make_page("Gull", "In 1999, Gull praised Odra, which Lind directed, and Orna, which Lind wrote.", "In 2003, Lind sang in Orsa."),
    make_page("Orna", "Orna was praised in 2001.", "Lind wrote Orna in 1980."),
    make_page("Odra (film)", "Odra is a 1992 film directed by Ada Lind.", "It was based on a play."),
    make_page("Ole Berg", "Ole Berg is a director.", "He directed Orsa in 1990."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("ada lind was 42 when she directed odra", True),
        ("Ada Lind directed Odra at the age of 41.", True),  # before her birthday
        ("Ada Lind directed Odra when she was only 30 years old.", None),  # in 1992, or in 1999?
        ("Ada Lind joined the board of Lumo when she was only 30 years old.", False),
        ("Ada Lind was forty when she joined the board of Lumo", True),
        ("Ada Lind was 43 when she directed Odra", None),  # one year off contradicts nothing
        ("Ada Lind was 20 when she won the Tarn Prize", None),  # twice
        ("Ada Lind was 20 when she directed Tarn", None),
        ("ada lind left school when she was 14", None),  # the sentence dates the election
        ("Ada Lind wrote Orna at the age of twenty-nine.", True),
        ("Ada Lind wrote Orna at the age of thirty-nine.", None),  # pages differ
        ("Ada Lind sang in Orsa at the age of 20", None),  # neither is the page's subject
        ("Ole Berg was 20 when he directed Orsa", None),  # no date of birth
        ("Ada Lind directed Odra at 10 Main Street", None),
    ],
)
def test_the_age_follows_from_two_dates(claim: str, holds: bool | None) -> None:
    told = aged(claim, PAGES)
    assert (told and told.holds) is holds


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    aged(text, PAGES)
    aged(f"Ada Lind was 20 when she directed {text}", PAGES)
