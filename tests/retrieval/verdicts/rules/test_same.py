"""Two people who share a year or a country."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.compound import same
from tests.making import make_page

PAGES = [
    make_page("Ada Lind", "Ada Lind (3 May 1901 – 2 June 1970) was a Swedish pilot."),
    make_page("Ole Berg", "Ole Berg (1 January 1901 – 4 July 1980) was a Norwegian pilot."),
    make_page("Pia Holm", "Pia Holm (born 1950) is a Swedish singer."),
    make_page("Karl Moll", "Karl Moll was an Austrian-born German politician who ruled from 1901."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Ada Lind and Ole Berg were born in the same year.", True),
        ("Ada Lind and Ole Berg died in the same year", False),
        ("Both Ada Lind and Pia Holm were born in the same year.", False),
        ("Ada Lind and Pia Holm come from the same country.", True),
        ("Ada Lind and Karl Moll are from the same country", False),
        ("Pia Holm and Ada Lind were of the same nationality", True),
        ("Ada Lind and Karl Moll were born in the same year.", None),  # "born" of a country
        ("Ada Lind and Ole Berg are friends.", None),
        ("Ada Lind and Nobody were born in the same year.", None),
    ],
)
def test_the_pages_of_both_decide(claim: str, holds: bool | None) -> None:
    told = same(claim, PAGES)
    assert {one.holds for one in told} == ({holds} if holds is not None else set())
    assert len({one.sentence.title for one in told}) in (0, 2)


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    same(f"{text} and {text} were born in the same year", [make_page(text or "A", f"{text} (born {text})")])
