"""Places in one order: its other end, and lower places of the claim's subject."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.only_one.holder import holder_of, is_of_another_order
from retrieval.verdicts.rules.only_one.place import place_of
from tests.making import make_page
from tests.retrieval.verdicts.rules.test_only_one import found

OPPOSITE = [
    make_page("Alba", "Alba is the largest hot desert in Norr and the third-largest desert overall."),
    make_page("Brom", "Brom is the largest state in the United States by area, the 4th least populous of all."),
    make_page("Cull", "Cull is the smallest town in Norr.", "It is the largest town in Norr by area."),
    make_page("Dunn", "Dunn is the world's fourth-largest religion."),
    make_page("Ebb City", "Ebb City is the smallest country in the world.", "Few populations are smaller."),
    make_page("Gus", "Gus was the last emperor of the Varnish dynasty."),
    make_page("Film II", "Film II is the sequel to Film."),
    make_page("Film", "Film was the first film of the saga."),
    make_page("Fell", "Fell is the second-smallest planet after Merk."),
]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Alba is the smallest desert in the world.", False),
        ("Alba is the smallest hot desert in Norr.", False),
        ("Brom is the smallest US state", False),
        ("Brom is the biggest state in the USA", True),
        ("Alba is the smallest cold desert in Norr.", None),
        ("Alba is the driest desert in Norr.", None),
        ("Cull is the largest town in Norr.", True),
        ("Dunn is the smallest religion.", None),
        ("Ebb City is the largest country in Varn.", False),
        ("Ebb City is the largest town in Varn.", None),
        ("Gus was the first emperor of the Varnish dynasty.", False),
        ("Film II was the first film of the saga.", False),  # "Film" is another part of it
    ],
)
def test_the_other_end_of_the_order_refutes(claim: str, holds: bool | None) -> None:
    told = found(claim, OPPOSITE)
    assert (told and told.holds) == holds


@pytest.mark.parametrize(
    ("claim", "another"),
    [
        ("Fell is the largest planet.", False),
        ("Fell is the hottest planet.", True),
        ("Fell is the smallest planet.", False),
    ],
)
def test_a_place_near_the_other_end_is_one_of_the_same_order(claim: str, another: bool) -> None:
    place = place_of(claim)
    assert place
    assert is_of_another_order(place, OPPOSITE[-1].text) is another


LOWER = [
    make_page("Wadler", "The wadler (“Wadus falsus”) is the second-largest living bird by height.", "It is the largest bird native to Norr."),
    make_page("Rika", "Rika has 30,000 people; it is the second smallest and the second most crowded country in the world."),
    make_page("Dorr", "Dorr is home to the second-largest lake.", "It is the third-largest of the 12 U.S. states."),
    make_page("Barl", "Barl is the capital of the region of Tarn in Spain.", "It was the capital of a county."),
    make_page("Bombo", "Bombo is the capital city of the Spanish state of Tarn.", "It is the financial and entertainment capital of Spain.", "Tarn was created with Bombo as the capital."),
    make_page("Madd", "Madd is the capital of the region of Sund in Spain.", "It was Spain's capital."),
    make_page("Pyon", "Pyon is the capital of the Democratic People's Republic of Korea."),
    make_page("Gar", "Gar is the most populous city in Norr."),
    make_page("Edd", "Edd is a port.", "It is the second most populous city in Norr."),
    make_page("Vell", "Vell is the second-largest region by area.", "It is the largest region by population."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Wadlers are the biggest birds in the world.", False),
        ("Rika is the smallest country in the world.", False),
        ("dorr is the largest state in the us", False),
        ("Wadlers are the largest fish in the world.", None),
        ("Rika is the largest country in the world.", None),
        ("Dorr is the largest lake in the world.", None),
        ("Vell is the largest region.", None),  # by one measure it is
        ("Barl is the capital of Spain.", False),
        ("Bombo is the capital of Spain.", False),
        ("Barl is the capital of Sund.", None),  # no country: it may be a part of another
        ("Madd is the capital of Spain.", None),
        ("Pyon is the capital of North Korea.", None),  # under another name
        ("edd is the largest city in norr", False),
        ("Rika is the smallest country and the third most crowded country in the world.", None),
    ],
)
def test_a_lower_place_refutes(claim: str, holds: bool | None) -> None:
    place = place_of(claim)
    told = place and holder_of(place, [], LOWER)
    assert (told and (told.holds, told.differ)) == (None if holds is None else (holds, None))


def test_the_largest_city_is_the_one_with_most_people() -> None:
    place = place_of("gar is the largest city in norr")
    told = place and holder_of(place, [page.sentences()[0] for page in LOWER], LOWER)
    assert told
    assert told.holds
