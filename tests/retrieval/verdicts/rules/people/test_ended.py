"""Claims that someone still does what has ended."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.people.ended import ended
from tests.making import make_page

PAGES = [
    make_page("Tom Rook", "Tom Rook (born 1970) is a retired Danish footballer.", "He played for Aalby and lives in Aalby."),
    make_page("Lord Varn", "Lord Varn (2 May 1790 – 4 June 1851) was King of Orland."),
    make_page("Anna III", "Anna III was Queen of Orland and other lands from 6 May 1952 until her death in 2022."),
    make_page("Jo Castor", "Jo Castor is an Orlandish politician who served as Prime Minister of Orland from 1959 to 1976, and President until 2008."),
    make_page("Bo Lind", "Bo Lind is a politician who served as Mayor of Aalby from 2001 to 2010.", "He has been President since 2015."),
    make_page("Al Fell", "Al Fell is a businessman.", "He returned to Norr Inc. as CEO, where he worked until his resignation in 2011."),
    make_page("Ida Ness", "Ida Ness (born 1990) is a Danish footballer."),
]  # fmt: skip


@pytest.mark.parametrize(
    "claim",
    [
        "Tom Rook plays for Aalby.",
        "Tom Rook still plays for Aalby",
        "Tom Rook drives for Aalby",
        "Tom Rook is playing for Aalby.",
        "Tom Rook is still playing professionally",
        "Tom Rook is competing.",
        "Lord Varn lives in Orland.",
        "Lord Varn is alive.",
        "Anna III is the Queen of Orland.",
        "Anna III is queen of Orland",
        "Lord Varn is the king of Orland.",
        "Lord Varn is still the King of Orland.",
        "Al Fell is the CEO of Norr.",
        "Jo Castor is the leader of Orland",
        "Jo Castor is the current president of Orland.",
        "Jo Castor was prime minister of Orland in the 1980s.",
        "Jo Castor was Prime Minister in 1950",
    ],
)
def test_what_has_ended_is_refuted(claim: str) -> None:
    told = ended(claim, PAGES)
    assert told
    assert not told.holds


@pytest.mark.parametrize(
    "claim",
    [
        "Tom Rook no longer plays for Aalby",
        "Lord Varn no longer lives in Orland.",
        "Anna III is no longer the Queen of Orland.",
    ],
)
def test_what_is_no_longer_so_is_supported(claim: str) -> None:
    told = ended(claim, PAGES)
    assert told
    assert told.holds


@pytest.mark.parametrize(
    "claim",
    [
        "Tom Rook played for Aalby.",
        "Tom Rook lives in Aalby.",
        "Ida Ness plays for Aalby.",
        "Ida Ness is playing football",
        "Tom Rook plays football",
        "Ida Ness no longer plays for Aalby",
        "Tom Rook plays chess",
        "Lord Varn was King of Orland.",
        "Lord Varn is the third king of Orland.",
        "Lord Varn is a character.",
        "Bo Lind is the president of Orland.",
        "Jo Castor was the president of Orland.",
        "Jo Castor was Prime Minister of Orland in the 1960s.",
        "Bo Lind was president in 1995.",
        "Jo Castor was mayor in 1995.",
    ],
)
def test_everything_else_is_left_open(claim: str) -> None:
    assert ended(claim, PAGES) is None
