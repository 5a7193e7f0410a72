"""Claims about the name behind another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.people.real_names import real_name
from tests.making import make_page

PAGES = [
    make_page("Ada Moor", "Ilse Anna Karsk (born 4 May 1850), better known by her pen name Ada Moor, was a poet.", "Her father Jon Karsk was born Jon Lund."),
    make_page("Per Storm", "Karl Bernt Lund (1903 – 1950), who used the pen name Per Storm, was a novelist."),
    make_page("The Gull", "The Gull is a hero of comics.", "The Gull's secret identity is Bo Lind, a sailor."),
    make_page("Cy Ray", "Cy Ray (born Cyrus Edwin Rayburn; 1920 – 1990) was a painter."),
    make_page("Di Fell", "Di Fell, known as the Fox, was a painter.", "She was born in Old Aalby."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Ada Moor's real name was Ilse Karsk.", True),
        ("ada moor's real name was ilse karsk", True),
        ("Ilse Karsk was the real name of Ada Moor", True),
        ("Moor's real name was Karsk", True),
        ("Ada Moor's real name was Anna.", True),
        ("Ada Moor is the pen name of Ilse Karsk.", True),
        ("Ada Moor's real name was Greta Holm.", False),
        ("The Gull's real name is Bo Lind.", True),
        ("The Gull's secret identity is Per Holm.", False),
        ("Cy Ray was born Cyrus Rayburn.", True),
        ("Per Storm's real name was Karl Bernt Lund", True),
        ("Per Storm's real name was Ole Holm", False),
        ("Per Storm was his real name", False),
        ("Cy Ray was born Peter Holm", False),
    ],
)
def test_the_page_gives_the_name_behind(claim: str, holds: bool) -> None:
    told = real_name(claim, PAGES)
    assert told
    assert told.holds is holds


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Moor's real name was Ilse Karska.",
        "Ada Moor was born Jon Lund.",
        "Cy Ray was born in Old Aalby.",
        "Di Fell's real name was Greta Holm.",
        "Ada Moor was a poet.",
        "Ada Moor's real name was ___.",
    ],
)
def test_other_claims_are_left_alone(claim: str) -> None:
    assert real_name(claim, PAGES) is None


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    real_name(f"{text}'s real name is {text}", [make_page(text or "A", text or "B.")])
