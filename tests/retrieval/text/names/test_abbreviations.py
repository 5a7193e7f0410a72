"""Initials by which people call countries, organisations and cities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.names.abbreviations import in_full


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("Orm is in the UAE.", "Orm is in the United Arab Emirates."),
        ("Orm left the U.S.S.R.", "Orm left the Soviet Union."),
        ("WHO is part of the UN", "The World Health Organization is part of the United Nations"),
        ("Norr joined EU in 2004", "Norr joined the European Union in 2004"),
        ("NYC is a city.", "New York City is a city."),
        ("Lund is in the U.K.", "Lund is in the UK."),
        ("The UN Security Council meets.", "The UN Security Council meets."),
        ("She works for a UN agency.", "She works for a UN agency."),
        ("The Doctor WHO is a show.", "The Doctor WHO is a show."),
        ("THE UN IS BIG", "THE UN IS BIG"),
        ("Who is in the band?", "Who is in the band?"),
    ],
)  # fmt: skip
def test_names_that_stand_alone_are_written_in_full(text: str, full: str) -> None:
    assert in_full(text) == full


@given(st.text(max_size=80))
def test_it_is_done_once(text: str) -> None:
    assert in_full(in_full(text)) == in_full(text)
