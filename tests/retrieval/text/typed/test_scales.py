"""Millions as people shorten them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.typed.scales import with_millions


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Norr has a population of 3.3m.", "Norr has a population of 3.3 million."),
        ("Norr has a population of about 3.3m people", "Norr has a population of about 3.3 million people"),
        ("The number of users is 5m", "The number of users is 5 million"),
        ("The tower is 300m tall.", "The tower is 300m tall."),
        ("It is 5 m long.", "It is 5 m long."),
        ("He ran 10k in 1990.", "He ran 10k in 1990."),
    ],
)
def test_a_letter_behind_a_number_of_people_or_things(typed: str, read: str) -> None:
    assert with_millions(typed) == read


@given(st.text(max_size=80))
def test_it_is_done_once(text: str) -> None:
    assert with_millions(with_millions(text)) == with_millions(text)
