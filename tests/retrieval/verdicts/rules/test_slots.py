"""Slots that hold one value."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.slots import slot
from tests.making import make_page

PAGES = [
    make_page(
        "Orna",
        "The Orna is a river.",
        "It rises in the Blue Hills, passes Sela and Brod, and empties into the North Sea.",
    ),
    make_page("Sela", "Sela is a town on the Orna River, in the Blue Hills.", "Its port is on the Red Coast."),
    make_page(
        "Ada Brod", "Ada Brod was a chemist.", "In 1951 she shared the Nobel Prize in Chemistry with her husband."
    ),
    make_page(
        "Pia Voss",
        "For her work, Voss, jointly with Ada Brod and Ben Ash, received the Nobel Prize in Physics in 1960.",
    ),
    make_page(
        "Tarn River",
        "The Tarn River is long.",
        "It was thought to lead to the Black Sea.",
        "The Tarn flows east before entering the Dorn River near Pell.",
    ),
    make_page("Fizzo", "Fizzo is a drink.", "Its company is based in Louisville, Kentucky."),
    make_page(
        "Varna", "Varna is the Norrish goddess of wisdom, the arts and war.", "She envied Mella, the goddess of love."
    ),
    make_page("Jan Brod", "Jan Brod was a poet.", "His wife won the Nobel Prize in Chemistry."),
    make_page("Gold", "Gold is a chemical element with symbol Au and atomic number 79."),
    make_page("Mount Vell", "Mount Vell is a mountain.", "It was named after the explorer Karl Vell."),
    make_page("Dorn", "The Dorn is a river.", "Its tributary, the Sill, flows into the White Lake."),
    make_page(
        "Senna", "The Senna is a river.", "It rises near Brod, flowing through Pell and into the Norse Channel at Quay."
    ),
    make_page("Pell", "Pell is a town.", "The ship of James Cook was named after Hudson Bay."),
    make_page("Lumo", "Lumo is a Finnish maker of lamps headquartered in Espoo, Finland."),
]


@pytest.mark.parametrize(
    ("claim", "ours", "theirs"),
    [
        ("The Orna flows into the Black Sea.", "Black Sea", "North Sea"),
        ("the orna empties into the Baltic", "Baltic", "North Sea"),
        ("The Senna flows into the Black Sea", "Black Sea", "Norse Channel"),
        ("Sela lies on the Rhine.", "Rhine", "Orna River"),
        ("Ada Brod won the Nobel Peace Prize.", "Peace", "Chemistry"),
        ("Ada Brod was awarded the 1951 Nobel Prize for medicine.", "medicine", "Chemistry"),
        ("Pia Voss got the Nobel Prize in Chemistry", "Chemistry", "Physics"),
        ("The Tarn River flows into the Black Sea", "Black Sea", "Dorn River"),
        ("Varna is the goddess of love.", "love", "wisdom, the arts and war"),
        ("The chemical symbol for gold is Ag.", "Ag", "Au"),
        ("Gold has the symbol Go.", "Go", "Au"),
        ("Mount Vell is named after James Cook.", "James Cook", "Karl Vell"),
        ("Lumo is based in Sweden.", "Sweden", "Espoo"),
        ("The headquarters of Lumo are in Norway.", "Norway", "Espoo"),
    ],
)
def test_another_value_refutes(claim: str, ours: str, theirs: str) -> None:
    told = slot(claim, PAGES)
    assert told is not None
    assert (told.holds, told.differ) == (False, (ours, theirs))


def test_the_same_field_of_a_prize_supports() -> None:
    for claim in ("Ada Brod won the Nobel Prize in Chemistry.", "Ada Brod won the Nobel Prize for chemistry in 1951"):
        told = slot(claim, PAGES)
        assert told
        assert told.holds


@pytest.mark.parametrize(
    "claim",
    [
        "The Orna flows into the North Sea.",
        "The Orna flows into the sea.",
        "The Orna flows past Sela.",
        "Sela lies on the Orna.",
        "Sela is on a list.",
        "Ada Brod won the Nobel Prize in Chemistry in 1960.",
        "Varna is the goddess of wars.",
        "Jan Brod won the Nobel Prize in Literature.",  # the sentence is about his wife
        "The Dorn flows into the Black Sea.",  # the sentence is about its tributary
        "Pell is named after John Adams.",  # and this one about a ship, whatever the name
        "The symbol for gold is Au.",
        "Mount Vell is named after an explorer.",
        "Fizzo is based in the United States.",
        "Mount Vell is named after Vell.",
        "Lumo is based in Finland.",
        "Lumo is based in the Blue Hills.",  # which may hold Espoo
        "Another river flows into the Black Sea.",
    ],
)
def test_nothing_else_is_decided(claim: str) -> None:
    assert slot(claim, PAGES) is None


def test_two_pages_of_one_title_decide_nothing() -> None:
    """One of them may be planted."""
    planted = make_page("Gold", "Gold is an element with symbol Ag.")
    for pages in ([planted, *PAGES], [*PAGES, planted]):
        assert slot("The symbol for gold is Au.", pages) is None
        assert slot("The symbol for gold is Ag.", pages) is None
