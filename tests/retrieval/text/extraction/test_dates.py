"""Dates made absolute, where the text says when it was written."""

from __future__ import annotations

from datetime import date

import pytest

from retrieval.text.extraction.dates import absolute, written_on

DAY = date(2024, 3, 6)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Two towers\nPublished on 7 November 2024\nThe tower is high.", date(2024, 11, 7)),
        ("By Ann Lee\nMarch 3, 2024\nText.", date(2024, 3, 3)),
        (
            "LONDON, 3 May 2024 — The tower was sold yesterday, said its owner, who had bought it in 1990.",
            date(2024, 5, 3),
        ),
        ("2024-02-29\nText.", date(2024, 2, 29)),
        ("The tower was opened on 31 March 1889 by the engineer who had built it, and by his workers.", None),
        ("31 February 2024\nText.", None),
        ("The school opened on 3 May 2001.\nLast year it had 300 pupils.", None),
        ("London, 3 May 2024.\nText.", date(2024, 5, 3)),
        ("Held on Monday, 4 March 2024 at 7.30 p.m. in the hall of the village\nText.", date(2024, 3, 4)),
        ("The tower is high.", None),
    ],
)
def test_the_day_of_a_text(text: str, day: date | None) -> None:
    assert written_on(text) == day


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("It was sold yesterday.", "It was sold on 5 March 2024."),
        ("Last year the club won.", "In 2023 the club won."),
        ("Sales fell last month.", "Sales fell in February 2024."),
        ("It rained during last year.", "It rained during 2023."),
        ("He left last Friday.", "He left on 1 March 2024."),
        ("The last year of the war was hard.", "The last year of the war was hard."),
        ("This year's prize went to her.", "This year's prize went to her."),
        ("They met on Friday.", "They met on Friday."),
        ("Two years ago it bought a mill.", "In 2022 it bought a mill."),
        ("It bought a mill a year ago.", "It bought a mill in 2023."),
        ("About two years ago it bought a mill.", "About two years ago it bought a mill."),
        ("Some 80 years ago it was built.", "Some 80 years ago it was built."),
        ("It opened in 1889.", "It opened in 1889."),
    ],
)
def test_words_that_depend_on_the_day(said: str, meant: str) -> None:
    assert absolute(said, DAY) == meant


def test_months_pass_the_turn_of_the_year() -> None:
    assert absolute("It fell last month.", date(2024, 1, 15)) == "It fell in December 2023."
    assert absolute("It falls next month.", date(2024, 12, 15)) == "It falls in January 2025."
