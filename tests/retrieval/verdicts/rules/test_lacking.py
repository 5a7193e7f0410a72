"""Claims beside a word that says what their subject lacks."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.lacking import lacking
from tests.making import make_page

PAGES = [
    make_page("Moa", "The moa is a large flightless bird."),
    make_page("Slow worm", "Slow worms are legless reptiles."),
    make_page("Kell", "Kell is a landlocked country on the Caspian Sea."),
    make_page("Orland", "Orland is a landlocked country in Europe."),
    make_page(
        "Emmer", "The emmer is tall.", "It lives in herds.", "Birds fear it.", "Emmers are soft, flightless birds."
    ),
    make_page("Finch", "The finch is a small bird.", "It eats wingless insects."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Moas can fly.", False),
        ("The moa can fly", False),
        ("A moa can't fly.", True),
        ("Moas are able to fly.", False),
        ("Emmers can fly.", False),
        ("Slow worms have legs.", False),
        ("Slow worms have no legs.", True),
        ("Slow worms don't have legs.", True),
        ("Orland has a coast.", False),
        ("Orland has a long coast on the Red Sea", False),
        ("Kell has a coast on the Red Sea.", False),
        ("Orland has no coastline.", True),
        ("Orland is on the coast.", False),
        ("orland is not by the sea", True),
    ],
)
def test_the_adjective_decides(claim: str, holds: bool) -> None:
    told = lacking(claim, PAGES)
    assert told
    assert told.holds is holds


@pytest.mark.parametrize(
    "claim", ["Finches can fly.", "Moas can swim.", "Slow worms have eyes.", "Vasland has a coast.", "Moas eat legs."]
)
def test_everything_else_is_left_open(claim: str) -> None:
    assert lacking(claim, PAGES) is None
