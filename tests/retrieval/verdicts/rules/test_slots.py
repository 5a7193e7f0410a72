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
    make_page(
        "Tarn", "The Tarn is a river, flowing through Norway and Sweden.", "Among the towns on it are Vik and Holm."
    ),
    make_page("Orm", "Orm is a town.", "It is located on the Dorn River."),
    make_page("Ode", "The Ode is the central religious text of Islam."),
    make_page(
        "Ben Ash", "Ben Ash was a doctor.", "He received the Nobel Prize in Medicine for his work on sleeping birds."
    ),
    make_page("Ole Vik", "Ole Vik is a footballer who plays as a keeper for Club Varn and the Norrish team."),
    make_page("Bronzo", "Bronzo is an alloy made mostly of copper and some tin.", "Zinc is in other alloys."),
    make_page(
        "Ganga",
        "The Ganga is a river.",
        "It flows through the Old Hills and south past Pell to the plains, into the Salt Sea.",
    ),
    make_page("Orlu", "Orlu is a sea spirit.", "He is called the “God of the Sea”."),
    make_page(
        "Vellish language", "Vellish is spoken in Norr.", "It is the only Norse language written in the Latin script."
    ),
    make_page(
        "Norr Cats", "The Norr Cats are a club.", "They are members of the Western Division of the Northern League."
    ),
    make_page(
        "Odra",
        "Odra is an opera by Karl Vell.",
        "Odra was first performed at the Great Opera House in Pell on 2 May 1871.",
    ),
    make_page(
        "Through the Mirror",
        "Through the Mirror (1871) is a novel, the sequel to “Ada's Adventures Underground” (1865).",
    ),
    make_page("Amo Dad", "Amo Dad was a politician.", "He served as the President of Uganda from 1971 to 1979."),
    make_page("Rob Mug", "Rob Mug was a politician who led Libya from 1980 until 2017."),
    make_page(
        "Spring",
        "Spring was written for a season in Paris.",
        "It was first performed at the Théâtre Royal on 29 May 1913.",
    ),
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
        ("The Tarn flows through Spain.", "Spain", "Norway and Sweden"),
        ("The Tarn flows through Orm.", "Tarn", "Dorn River"),
        ("The Ode is the holy book of Hinduism.", "Hinduism", "Islam"),
        ("Ben Ash won the Nobel Prize for his theory of the sea.", "theory of the sea", "work on sleeping birds"),
        ("Ole Vik plays for Real Orm.", "Real Orm", "Club Varn and the Norrish team"),
        ("Bronzo is an alloy of copper and zinc.", "zinc", "copper and some tin"),
        ("bronzo is an alloy of iron and tin", "iron", "copper and some tin"),
        ("The headquarters of Lumo are in Norway.", "Norway", "Espoo"),
        ("The Ganga flows into the Black Sea.", "Black Sea", "Salt Sea"),
        ("Orlu is the god of war.", "war", "Sea"),
        ("Amo Dad was president of Kenya", "Kenya", "Uganda"),
        ("Rob Mug was president of Zambia", "Zambia", "Libya"),
        ("Rob Mug ruled Tunisia", "Tunisia", "Libya"),
        ("Vellish is written in the Arabic script.", "Arabic", "Latin"),
        ("Vellish uses the Greek alphabet", "Greek", "Latin"),
        ("The Norr Cats play in the Southern League.", "Southern", "Western Division of the Northern League"),
        ("Odra premiered at the Old Theatre.", "Old Theatre", "Great Opera House in Pell on 2 May 1871"),
        ("Through the Mirror is the sequel to Peter Holm.", "Peter Holm", "Ada's Adventures Underground"),
    ],
)
def test_another_value_refutes(claim: str, ours: str, theirs: str) -> None:
    told = slot(claim, PAGES)
    assert told is not None
    assert (told.holds, told.differ) == (False, (ours, theirs))


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Brod won the Nobel Prize in Chemistry.",
        "Ada Brod won the Nobel Prize for chemistry in 1951",
        "Ben Ash got the Nobel Prize for his work on birds.",
        "The Tarn flows through Sweden.",
        "The Tarn runs through Vik.",
        "The Dorn River flows through Orm.",
        "Sela lies on the Orna.",
        "The Ode is the sacred text of Islam.",
        "Vellish is written with the Latin alphabet.",
        "The Norr Cats play in the Northern League.",
        "Odra premiered in Pell.",
        "Amo Dad was the president of Uganda.",
        "Through the Mirror is the sequel to Ada Underground",
    ],
)
def test_the_same_value_supports(claim: str) -> None:
    told = slot(claim, PAGES)
    assert told
    assert told.holds


@pytest.mark.parametrize(
    "claim",
    [
        "The Orna flows into the North Sea.",
        "The Orna flows into the sea.",
        "The Orna flows past Sela.",
        "Sela is on a list.",
        "The Tarn flows through Pell.",  # a page seldom names all towns on a river
        "Ole Vik played for Real Orm.",  # nor all clubs
        "Ole Vik plays for Club Varn.",
        "Bronzo is an alloy of copper and tin.",
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
        "Amo Dad was the first president of Uganda.",
        "Amo Dad was king of Kenya.",
        "Rob Mug ruled Libya.",
        "Spring was first performed in Paris.",
        "Through the Mirror 3 is the sequel to Through the Mirror 2",
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
