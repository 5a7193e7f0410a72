"""Two things of which one is the first in the order, or behind the other."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.only_one.ranked import ranked
from tests.making import make_page

PAGES = [
    make_page("Joss", "Joss is the fifth planet from the Sun and the largest planet in the Solar System."),
    make_page("Tarn", "Tarn is the third planet from the Sun."),
    make_page("Merk", "Merk is the smallest and innermost planet."),
    make_page("Varn", "Varn is a country.", "It is the most populous country in the world."),
    make_page("Ostia", "Ostia is a country in the south.", "It was the largest country."),
    make_page("Mount Orna", "Mount Orna is the highest mountain in Ostia."),
    make_page("Mount Pell", "Mount Pell is a mountain in Varn."),
    make_page("Hull", "Hull is a moon."),
    make_page("Alda", "Alda is the largest state in the United Shires by area."),
    make_page("Tessa", "Tessa is one of the 50 states of the United Shires."),
    make_page("Orb", "Orb is the lightest element on the periodic table."),
    make_page("Tun", "Tun is a chemical element."),
    make_page(
        "Lynx",
        "The lynx is a cat.",
        "With males exceeding 250 kg, it is the second-largest living cat after the ounce.",
    ),
    make_page("Ounce", "The ounce is a cat."),
    make_page(
        "Sill", "The Sill is the third-longest river in Ostia, following the Dorn, and the sixth-longest of all."
    ),
    make_page("Dorn", "The Dorn is the longest river in Ostia and the third-longest of all."),
    make_page("Serval", "The serval is a cat.", "Bob Fell kept the second-largest serval after the ounce died."),
]


@pytest.mark.parametrize(
    ("claim", "title", "holds"),
    [
        ("The Sill is longer than the Dorn.", "Sill", False),
        ("The Dorn is longer than the Sill.", "Sill", True),
        ("Joss is bigger than Tarn.", "Joss", True),
        ("Tarn is larger than Joss.", "Joss", False),
        ("Tarn is smaller than Joss", "Joss", True),
        ("Tarn isn't smaller than Joss", "Joss", False),
        ("Merk is smaller than Tarn.", "Merk", True),
        ("Merk is bigger than Tarn.", "Merk", False),
        ("Varn is more populous than Ostia.", "Varn", True),
        ("Ostia has more people than Varn.", "Varn", False),
        ("Alda is bigger than Tessa.", "Alda", True),
        ("Tun is lighter than Orb", "Orb", False),
        ("The lynx is bigger than the ounce", "Lynx", False),
        ("lynxes are smaller than ounces", "Lynx", True),
        ("The ounce is larger than the lynx.", "Lynx", True),
        ("Ounces are smaller than lynxes.", "Lynx", False),
    ],
)
def test_the_first_of_a_kind_is_before_every_other(claim: str, title: str, holds: bool) -> None:
    told = ranked(claim, PAGES)
    assert told is not None
    assert (told.sentence.title, told.holds) == (title, holds)


@pytest.mark.parametrize(
    "claim",
    [
        "Joss is bigger than Hull.",  # a moon is no planet
        "Joss is older than Tarn.",  # another order
        "Ostia is larger than Varn.",  # no longer
        "Mount Orna is higher than Mount Pell.",  # which lies elsewhere
        "Joss is bigger than Nowhere.",
        "Joss is big.",
        "The serval is bigger than the ounce",
        "The lynx is heavier than the ounce",
    ],
)
def test_nothing_else_is_decided(claim: str) -> None:
    assert ranked(claim, PAGES) is None
