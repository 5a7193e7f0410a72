"""How two people are related, as the page of either says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.people.kin import kin
from tests.making import make_page

PAGES = [
    make_page("Mira Holt", "Mira Holt was a Danish painter.", "She was the only child of the poet Lord Varn and his wife Ane Holt."),
    make_page("Lord Varn", "Lord Varn was a poet.", "His sister-in-law Ida Holt wrote plays."),
    make_page("Pia Rook", "Pia Rook is a singer.", "Her younger brother, Tom Rook, is an actor.", "In 2001 she married Ben Ash."),
    make_page("Anna III", "Anna III was Queen of Orland.", "Her eldest son, Otto II, followed her."),
    make_page("Tom Rook", "Tom Rook is an actor."),
    make_page("Queen Oda", "Oda was the daughter of Prince Ulf, Duke of Pell and Varn, the fourth son of King Knut IV."),
    make_page("Hessa", "Hessa is the wife and one of three sisters of Zorn.", "She is the daughter of Tall."),
    make_page("Zorn", "Zorn is a god."),
    make_page("Otto V", "The son of Karl Weber and Ada Voss, Otto V was king of Orland."),
    make_page("Lina Moor", "Born to actress and singer Joan Gard (1922–1969) and film director Vic Moor (1903–1986), Lina Moor became a star."),
    make_page("Ina Holm", "Ina Holm is the daughter of Per Holm and Liv Aas, and the older sister of actor Jon Holm.", "She has two brothers, Ulf Holm and Jon Holm."),
    make_page("Jon Holm", "Jon Holm is an actor."),
    make_page("Ulf Holm", "Ulf Holm is an actor."),
    make_page("Karl Weber", "Weber was the head of a family of actors, including daughter Eva Weber and son Jan Weber."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Mira Holt was Lord Varn's daughter.", True),
        ("Mira Holt was the daughter of Lord Varn", True),
        ("Lord Varn was Mira Holt's father", True),
        ("lord varn's child was mira holt", True),
        ("Lord Varn was the son of Mira Holt.", False),
        ("Mira Holt was the mother of Lord Varn.", False),
        ("Mira Holt was the wife of Lord Varn.", False),
        ("Mira Holt and Lord Varn were brother and sister.", False),
        ("Pia Rook and Tom Rook are siblings", True),
        ("Tom Rook is the sister of Pia Rook.", False),
        ("Tom Rook is Pia Rook's father.", False),
        ("Pia Rook is the wife of Ben Ash.", True),
        ("Queen Anna III was the mother of Otto II.", True),
        ("Karl Weber was the father of Eva Weber.", True),
        ("Lina Moor is Joan Gard's daughter", True),
        ("Vic Moor was the father of Lina Moor.", True),
        ("Lina Moor is the sister of Joan Gard.", False),
        ("Mira Holt was Ane Holt's sister.", False),
        ("Ada Voss was the mother of Otto V.", True),
        ("Otto V was the husband of Ada Voss", False),
        ("Hessa was the wife of Zorn.", True),
        ("Hessa is Zorn's sister.", True),
        ("Hessa was Zorn's daughter", False),
        ("Eva Weber is Karl Weber's wife", False),
        ("Queen Oda was the daughter of Knut IV.", False),
        ("Queen Oda was the daughter of Prince Ulf.", True),
        ("Jon and Ina Holm are brother and sister", True),
        ("Jon and Ina Holm are husband and wife", False),
        ("Ulf Holm is Ina Holm's brother.", True),
    ],
)
def test_the_page_of_either_decides(claim: str, holds: bool) -> None:
    told = kin(claim, PAGES)
    assert told
    assert told.holds is holds
    assert bool(told.note) is not holds


@pytest.mark.parametrize(
    "claim",
    [
        "Mira Holt was the second daughter of Lord Varn.",  # more than the page says
        "Ida Holt was the sister of Lord Varn.",  # in-law
        "Mira Holt was the daughter of a poet.",
        "Mira Holt was a Danish painter.",
        "Nobody was the son of No one.",
    ],
)
def test_nothing_is_decided(claim: str) -> None:
    assert kin(claim, PAGES) is None


@given(st.text(alphabet="ab is the son of 's", max_size=60), st.text(max_size=80))
def test_any_text_is_survived(claim: str, text: str) -> None:
    page = make_page("ab", f"a is the son of {text}. His wife {text} died.")
    told = kin(claim, [page])
    assert told is None or told.sentence in page.sentences()
