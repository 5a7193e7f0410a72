"""What a place once belonged to, as its page tells it."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.past import parted
from tests.making import make_page

PAGES = [
    make_page("Sorland", "Sorland is a country.", "In 1991, Sorland split from Great Marland and became independent."),
    make_page("Great Marland", "Great Marland was a federation."),
    make_page("Orm", "Orm is an island.", "It gained independence from the United Kingdom in 1962."),
    make_page("Ketta", "Ketta is a kingdom.", "It was never a colony of France.", "It borders Marland."),
]


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Sorland was part of Great Marland.", True),
        ("Sorland was once a republic of Great Marland", True),
        ("Sorland used to belong to Great Marland.", True),
        ("Sorland was part of Ketta.", False),  # its page leaves much out
        ("Sorland is part of Great Marland.", False),  # today is another question
        ("Orm was a British colony.", True),
        ("Orm was part of the United Kingdom.", True),
        ("Orm was a French colony.", False),
        ("Ketta was a colony of France.", False),
        ("Ketta was a French colony.", False),
    ],
)
def test_leaving_another_says_that_it_was_its_part(claim: str, supported: bool) -> None:
    told = parted(claim, PAGES)
    assert (told is not None and told.holds) is supported
