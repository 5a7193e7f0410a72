"""Claims that two countries are neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.places.geography import neighbours
from tests.making import make_page

PAGES = [
    make_page("Varn", "Varn is a country.", "It is bordered by Norr to the north, the Still Sea to the east and Orland to the south."),
    make_page("Norr", "Norr is a country.", "It borders Varn and Sund."),
    make_page("Sund", "Sund is a country that shares borders with Norr and Dall."),
    make_page("Orland", "Orland is a country.", "Ana Kell was born near its border with Varn."),
    make_page("Gell", "Gell is a country.", "It borders all other lands of the south except Tarn and Ruck."),
    make_page("Tarn", "Tarn is a country.", "It is bordered to the east by Orl, and to the north by Ruck."),
    make_page("Ruck", "Ruck is a country that shares land borders with Tarn and Orl."),
    make_page("Nepo", "It borders Norr to the north, Sund to the south, while it is narrowly separated from Bhut by a strip."),
    make_page("Bhut", "Bhut is a country."),
    make_page("Pia", "Pia, officially the Republic of Pia, is a country in the Far East bordered by Varn and Norr."),
    make_page("The Gam", "The Gam, officially the Republic of Gam, is a country in the Far East bordered by Norr and Varn."),
    make_page("Peru", "Peru is a country.", "It is bordered by Norr and Sund."),
    make_page("Something", "Something is a song."),
    make_page("Chile", "Chile is a country."),
    make_page("Ocean", "An ocean is a body of water."),
    make_page("Kuro", "With a coast on the Old Gulf, Kuro is a state, bordering Norr to the north and Sund to the south.", "It is close to Dall."),
    make_page("Mell", "Mell has borders with (clockwise from the north) Norr and Sund."),
    make_page("Lake Orr", "Lake Orr is bounded on the north and west by Norr, and on the south by Varn.", "It is the only one of the lakes not to share a shoreline with Dall."),
    make_page("Lake Ull", "Lake Ull does not border Varn but touches Dall.", "It does not border any land other than Norr."),
    make_page("Dall", "Dall is a country whose border with Varn was moved once.", "It is surrounded by Sund and Pell."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Varn borders Norr.", True),
        ("varn shares a border with orland", True),
        ("Varn is next to the Still Sea.", True),
        ("Norr and Sund share a border.", True),
        ("Varn borders Sund.", False),
        ("Sund and Varn are neighbours", False),
        ("Varn borders Dall", False),
        ("Dall borders Varn", None),  # its page speaks of that border
        ("Orland borders Sund", None),  # no list
        ("Varn borders Pell", None),  # no page
        ("Varn borders Norr and Sund.", None),
        ("Varn is a country.", None),
        ("Gell borders Tarn.", False),
        ("Mell borders Sund.", True),
        ("Kuro borders Norr.", True),
        ("Kuro borders Dall.", False),
        ("Mell borders Varn.", False),
        ("Gell borders Norr.", None),  # one of all others, perhaps
        ("Tarn borders Orl.", True),
        ("Nepo borders Norr", True),
        ("Nepo borders Bhut.", None),  # no list names it
        ("Pia borders Kuro", False),
        ("The Gam borders Norr", True),
        ("Sund borders Kuro", True),  # which only Kuro's page says
        ("Chile borders Peru", False),  # as the other's list has it
        ("Tarn is bordered by Gell", False),
        ("Lake Orr borders Dall", False),
        ("lake orr borders varn", True),
        ("Lake Orr borders the state of Dall.", False),
        ("Tarn borders something.", None),
        ("Lake Ull borders Varn.", False),
        ("Lake Ull borders Dall.", None),
        ("Lake Ull borders Norr.", None),
        ("Ruck borders the ocean.", None),  # its land borders are no coast
    ],
)
def test_a_list_of_neighbours_decides(claim: str, holds: bool | None) -> None:
    told = neighbours(claim, PAGES)
    assert (told and told.holds) is holds


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    neighbours(f"{text} borders {text}", [make_page(text or "A", f"It borders {text}.")])
