"""Rulers as people say them."""

from __future__ import annotations

import pytest

from retrieval.text.names.abbreviations import with_numerals


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("queen elizabeth the second died in 2022", "queen elizabeth II died in 2022"),
        ("Henry the Eighth had six wives.", "Henry VIII had six wives."),
        ("King Ostrin the Fourth ruled Varn.", "King Ostrin IV ruled Varn."),
        ("Pope John Paul the second was Polish.", "Pope John Paul II was Polish."),
        ("Pope Pius the Eleventh was Italian.", "Pope Pius XI was Italian."),
        ("Louis the fourteenth of France built it.", "Louis XIV of France built it."),
    ],
)
def test_a_rulers_number_is_a_numeral(text: str, read: str) -> None:
    assert with_numerals(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "The king won the second war.",
        "Peter the second man on Mars of all.",
        "He came on the second of May.",
        "William the Conqueror was king.",
        "King Ostrin the Fortieth ruled Varn.",
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert with_numerals(text) == text
