"""In which country a place lies, as its first sentence says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.places.geography import located
from tests.making import make_page

PAGES = [
    make_page("Ostrel", "Ostrel (Swedish: Östrel) is the capital and largest city of Denmark.", "It lies 20 km from Lund, Sweden."),
    make_page("Varn", "Varn is the largest French-speaking city of Canada."),
    make_page("Albo", "Albo is the most populous city in the U.S. state of New Mexico."),
    make_page("Atla", "Atla is the capital of the U.S. state of Georgia."),
    make_page("Mell", "Mell is a town on the border between Spain and Portugal."),
    make_page("Korr", "Korr was a former colony town of Spain."),
    make_page("Dall", "Dall is a village in Scotland."),
    make_page("Ana Kell", "Ana Kell is the mayor of Rome, the Italian capital."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "refuted"),
    [
        ("Ostrel is in Sweden.", True),
        ("ostrel is a city in sweden", True),
        ("Ostrel is located in southern Sweden", True),
        ("Ostrel is in Denmark.", False),  # the networks read that well
        ("Varn is a city in France.", True),
        ("Varn is in North America.", False),
        ("Albo is in the United States.", False),
        ("Albo is in Mexico.", True),
        ("Atla is in the United States.", False),  # Georgia is a state too
        ("Mell is in France.", False),  # two countries
        ("Korr is in Peru.", False),
        ("Dall is in Britain.", False),  # Scotland is
        ("Ana Kell is in France.", False),  # no place
        ("Ostrel is in Sweden and Norway.", False),
        ("Pell is in Sweden.", False),  # no page
    ],
)
def test_another_country_refutes(claim: str, refuted: bool) -> None:
    told = located(claim, PAGES)
    assert (told is not None) is refuted
    assert told is None or not told.holds


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    located(f"{text} is in Sweden", [make_page(text or "A", f"It is a city in {text} of Denmark.")])
