"""Claims that something exists, or no longer does."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.existence import existence
from tests.making import make_page

PAGES = [
    make_page("Old Union", "The Old Union was a state in the north that existed from 1922 to 1991."),
    make_page("New Union", "The New Union is a state in the north."),
    make_page("Grell", "The grell is a legendary bird of the far north.", "Grells have four wings."),
    make_page("Grells (film)", "Grells is a 1999 film about birds."),
    make_page("Ada Brod", "Ada Brod was a queen of Norr.", "Her supposed daughter lived in Rika."),
]


@pytest.mark.parametrize(
    "claim",
    [
        "The Old Union still exists.",
        "The Old Union exists today",
        "The Old Union still exists today!",
        "The Old Union exists",
    ],
)
def test_what_is_no_more_does_not_exist(claim: str) -> None:
    told = existence(claim, PAGES)
    assert told
    assert not told.holds
    assert "no more" in told.note


@pytest.mark.parametrize("claim", ["The Old Union no longer exists.", "The Old Union doesn't exist anymore"])
def test_what_is_no_more_exists_no_longer(claim: str) -> None:
    told = existence(claim, PAGES)
    assert told
    assert told.holds


@pytest.mark.parametrize(
    "claim", ["The grell exists.", "Grells are real", "The grell is a real animal.", "Grells existed."]
)
def test_what_is_legendary_does_not_exist(claim: str) -> None:
    told = existence(claim, PAGES)
    assert told is not None
    assert (told.holds, told.sentence.text) == (False, "The grell is a legendary bird of the far north.")
    assert "legendary" in told.note


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Brod existed.",
        "Grells have four wings.",
        "Grells are birds.",
        "Nobody exists.",
        "The New Union still exists.",
        "The New Union no longer exists.",
        "The Old Union existed.",
        "The Old Union was a real place.",
    ],
)
def test_nothing_else_is_called_existence(claim: str) -> None:
    assert existence(claim, PAGES) is None
