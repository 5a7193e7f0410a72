"""Where the holder of a place is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.types import Sentence
from retrieval.verdicts.rules.only_one.whereabouts import gives_another_place, place_located, whereabouts
from tests.making import make_page

PAGES = [
    make_page("Vell Falls", "Vell Falls is a waterfall in Venezuela.", "It is the world's tallest uninterrupted waterfall."),
    make_page("Orm Falls", "Orm Falls is in Norway.", "It is the tallest waterfall in Europe."),
    make_page("Sund Desert", "The Sund Desert is the largest hot desert in the world.", "It covers most of North Africa."),
    make_page("Isle of Pell", "Pell is the largest of the islands in the bay of Chile."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The tallest waterfall in the world is in Venezuela.", True),
        ("the tallest waterfall in the world is in Brazil", False),
        ("The world's tallest waterfall lies in South America.", True),
        ("The tallest waterfall on Earth is in Africa.", False),
        ("The tallest waterfall in Europe is in Norway.", True),
        ("The largest hot desert in the world is in Africa.", True),
        ("The largest hot desert in the world is in Australia.", False),
        ("The largest desert in the world is in Asia.", None),
        ("The largest island in the world is in Chile.", None),  # the largest of a bay
        ("The tallest waterfall in the world is in a park.", None),
        ("The falls are in Venezuela.", None),
    ],
)
def test_the_page_of_the_holder_decides(claim: str, holds: bool | None) -> None:
    told = whereabouts(claim, PAGES)
    assert (told and told.holds) is holds


def test_a_place_among_fewer_says_nothing_of_the_first_of_all() -> None:
    claim = "The tallest waterfall in the world is in Norway."
    (_, europe), (_, world) = (page.sentences() for page in (PAGES[1], PAGES[0]))
    place = place_located(claim)
    assert place
    assert gives_another_place(place, europe)
    assert not gives_another_place(place, world)
    assert place_located("Orm Falls is in Norway.") is None


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    claim = f"The tallest {text} is in {text}"
    whereabouts(claim, [make_page(text or "A", f"{text} is the tallest {text}.")])
    gives_another_place(place_located(claim) or frozenset(), Sentence("a", text, 0, 0, len(text), text))
