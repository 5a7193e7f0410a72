"""Who is in a film or series, as its page says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.verdicts.rules.works.screen import in_cast
from tests.making import make_page

PAGES = [
    make_page("Far Tide (film)", "Far Tide is a 1981 drama film directed by Alan Dorr, starring Lena Voss and Bo Li."),
    make_page("Ostrel Lane", "Ostrel Lane is a sitcom.", "Its cast includes Pia Holm, not Karl Weber.", "Ruth Hale left."),
    make_page("Galvo (film)", "Galvo is a 1999 film that stars Lena Voss in the title role, alongside Bo Li as Captain Eva Stern / Eva."),
    make_page("Low Sun", "Low Sun is a 1990 film.", "In it, the tailor Jan Holm (Tam) meets the Clown.", "Karl Weber as the Clown won a prize."),
    make_page("Red Arena (film)", "Red Arena is a film.", "Lind portrays the general Varro, who is betrayed when Ulm, the heir, lies."),
    make_page("Ole Lind", "Ole Lind is an actor, known for his roles as Han Orr in the original “Far Moon” films and as Jon in Gull."),
    make_page("Far Moon", "Far Moon is a film."),
    make_page("Nimbo", "Nimbo is a company starring in advertisements with Lena Voss."),
]  # fmt: skip


@pytest.mark.parametrize(
    "claim",
    [
        "Lena Voss acted in Far Tide",
        "lena voss is in far tide",
        "Bo Li was one of the actors in the movie Far Tide.",
        "Lena Voss had a role in Far Tide.",
        "Far Tide stars Bo Li.",
        "Far Tide has Lena Voss in it",
        "Pia Holm is an actress in Ostrel Lane.",
        "Lena Voss plays Galvo",
        "Bo Li played Eva Stern in Galvo.",
        "Orla Tam plays Jan Holm in Low Sun",
        "Karl Weber played the Clown.",
    ],
)
def test_a_name_in_the_cast_supports(claim: str) -> None:
    told = in_cast(claim, PAGES)
    assert told
    assert told.holds


@pytest.mark.parametrize(
    "claim",
    [
        "Bo Li plays Galvo.",
        "Lena Voss plays Eva Stern.",
        "Bo Li played Eva Stern in Ostrel Lane.",
        "Ruth Hale was in Far Tide.",  # no page lists everybody
        "Alan Dorr was in Far Tide.",
        "Karl Weber was in Ostrel Lane.",
        "Voss was in Far Tide.",
        "Lena Voss was in Nimbo.",
        "Lena Voss was in Nowhere.",
        "Lena Voss died in 1999.",
    ],
)
def test_everything_else_is_left_open(claim: str) -> None:
    assert in_cast(claim, PAGES) is None


@pytest.mark.parametrize(
    ("claim", "refuted"),
    [
        ("Bo Li played the Clown in Low Sun.", True),
        ("Bo Li played the Clown.", False),  # perhaps elsewhere
        ("Karl Weber played Jan Holm in Low Sun.", True),  # he is the Clown
    ],
)
def test_another_actor_of_the_role_in_one_work_refutes(claim: str, refuted: bool) -> None:
    told = in_cast(claim, PAGES)
    assert (told is not None and not told.holds) is refuted


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_text_is_survived(claim: str, text: str) -> None:
    in_cast(f"{claim} is in Far Tide.", [make_page("Far Tide", f"Far Tide is a film starring {text}")])


@pytest.mark.parametrize(
    ("claim", "refuted"),
    [
        ("Ole Lind played the heir Ulm in Red Arena", True),
        ("Ole Lind plays Varro in Red Arena", False),
        ("Ole Lind played Luke Tam in Far Moon.", True),
        ("Ole Lind played Han Orr in Far Moon.", False),
        ("Ole Lind played a character in Far Moon.", False),
        ("Ole Lind played Jon in Gull", False),
    ],
)
def test_another_role_of_the_actor_in_one_work_refutes(claim: str, refuted: bool) -> None:
    told = in_cast(claim, PAGES)
    assert (told is not None and not told.holds) is refuted
