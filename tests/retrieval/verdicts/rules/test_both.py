"""Claims on two things at once."""

from __future__ import annotations

import pytest

from retrieval.stages.comparing.deciding import rulings_on
from retrieval.types import Claim, FactCheck, Hit
from retrieval.verdicts.rules.compound import each_of, either_of
from tests.making import make_page

PAGES = [
    make_page("Ilse Brandt", "Ilse Brandt was a Norwegian pilot."),
    make_page("Karl Holm", "Karl Holm is a Norwegian actor."),
    make_page("Holm (film)", "Holm is a 1992 American film."),
    make_page("Rosa Peel", "Rosa Peel is a Chilean singer."),
    make_page("Ostrel", "Ostrel is a novel by Ana Ruiz."),
    make_page("Tarn", "Tarn is a novel written by Ana Ruiz."),
]


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ("Brandt and Holm were both Norwegian.", ("Brandt was Norwegian.", "Holm was Norwegian.")),
        ("Both Ostrel and Tarn were written by Ana Ruiz", ("Ostrel was written by Ana Ruiz", "Tarn was written by Ana Ruiz")),
        ("Brandt and Holm both won a prize.", ("Brandt won a prize.", "Holm won a prize.")),
        ("Varn and Orland both have a coast.", ("Varn has a coast.", "Orland has a coast.")),
        ("Brandt and Holm were friends.", ("Brandt and Holm were friends.",)),
        ("She was both kind and brave.", ("She was both kind and brave.",)),
        ("Oslo is a town and lies on a fjord.", ("Oslo is a town", "Oslo lies on a fjord.")),
        ("Rosa Peel was born in Talca and died in Lima", ("Rosa Peel was born in Talca", "Rosa Peel died in Lima")),
        ("Rosa Peel wrote and sang the song.", ("Rosa Peel wrote and sang the song.",)),
        ("She likes cats and walks.", ("She likes cats and walks.",)),
    ],
)  # fmt: skip
def test_the_claim_on_each(claim: str, parts: tuple[str, ...]) -> None:
    assert each_of(claim) == parts


@pytest.mark.parametrize(
    ("claim", "sides"),
    [
        ("Ilse Brandt and Karl Holm were both Norwegian.", [True, True]),
        ("Brandt and Holm were both Norwegian.", [True, True]),
        ("Ilse Brandt and Rosa Peel are both Norwegian.", [False]),
        ("Ostrel and Tarn were both written by Ana Ruiz.", [True, True]),
        ("Ilse Brandt and Somebody Else were both Norwegian.", []),
        ("Ilse Brandt or Rosa Peel is Norwegian.", [True]),  # as "Neither … nor … is Norwegian" is read
        ("Rosa Peel or Ilse Brandt was Chilean.", [True]),
        ("Rosa Peel or Ilse Brandt was German.", [False, False]),
        ("Rosa Peel or Somebody Else was German.", []),
    ],
)
def test_each_is_decided_by_its_page(claim: str, sides: list[bool]) -> None:
    check = FactCheck(Claim("", claim), "careful", pages=tuple(Hit(page, 1.0, "text") for page in PAGES))
    assert [one.holds for one in rulings_on(claim, check, None)] == sides


def test_one_of_two_things_suffices() -> None:
    assert either_of("Varn or Orland is in the EU.") == ("Varn is in the EU.", "Orland is in the EU.")
    assert either_of("Varn is in the EU or Nato.") == ()
