"""Who attacked a place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.events.sides import attacked
from tests.making import make_page

PAGES = [
    make_page("Attack on Fort Orm", "The attack on Fort Orm was a strike by the Imperial Japanese Navy against Pell in May 1931."),
    make_page("Bombing of Varn", "The bombing of Varn, in Spain, was carried out by the German and Italian air forces.", "It shocked all."),
    make_page("Fort Orm", "Fort Orm was built by the French."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Japan attacked Fort Orm.", True),
        ("the japanese bombed fort orm", True),
        ("Fort Orm was attacked by Japan in 1931.", True),
        ("Fort Orm was attacked by Japan in 1950.", None),
        ("Fort Orm was attacked by the Germans.", False),
        ("France attacked Fort Orm.", False),
        ("Italy bombed Varn", True),
        ("Spain bombed Varn.", None),  # which the page names
        ("Japan attacked Pell.", None),
        ("Fort Orm was attacked.", None),
    ],
)
def test_the_page_of_the_attack_decides(claim: str, holds: bool | None) -> None:
    told = attacked(claim, PAGES)
    assert (told and told.holds) is holds


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    attacked(f"Japan attacked {text}", [make_page(f"Attack on {text}", f"It was an attack by {text} and Spain.")])
