"""Where an animal or plant lives, as its page tells its range."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.names.nations import CONTINENTS, continents_in
from retrieval.verdicts.rules.places.habitats import habitat
from tests.making import make_page

PAGES = [
    make_page("Orran", "The orran is a large ape.", "Native to Indonesia, it is found only in the forests of Borneo.",
              "Its ancestors left Africa 16 million years ago."),
    make_page("Zell", "The zell (Zella velox) is an African even-toed ungulate.", "It eats leaves."),
    make_page("Runn", "Runns are small mammals.", "Runns are found on every continent except Antarctica."),
    make_page("Kottle", "The kottle is a domesticated mammal.", "Kottles are native to the Middle East."),
    make_page("Pomm", "The pomm is a fruit.", "It originated in western South America."),
    make_page("Hegg", "Heggs are spiny mammals.", "There are no heggs native to Australia.",
              "There are seven species of hegg, found through parts of Europe, Asia and Africa."),
    make_page("Burl", "The burl is one of the largest bears and the national animal in several European countries."),
    make_page("Glint", "A glint is a body of ice.", "Glints may be found on every continent except Australia, and on a few islands."),
    make_page("Quill", "The quill is a bird.", "It lives on every continent but is rare in Africa."),
    make_page("Marla", "Marla is a singer.", "She lives in France."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Orrans live in Africa.", False),
        ("orrans live in the congo basin", False),
        ("Orrans live in Asia.", None),  # the networks read that well
        ("Orrans live in Borneo.", True),
        ("Orrans are native to Brazil.", False),
        ("The zell is found in South America.", False),
        ("Zells live in Kenya.", None),
        ("Runns live in Europe.", True),
        ("Runns live in Antarctica.", False),
        ("there are runns in antarctica", False),
        ("There are orrans in Borneo.", True),
        ("There are glints in Australia", False),
        ("There are quills in Africa", True),
        ("There were zells in Europe", None),  # once
        ("There are glints in Africa", None),  # no living thing, so only an exception decides
        ("Kottles live in Mexico.", None),  # as other domestic animals may
        ("Kottles are native to Mexico.", False),
        ("Pomms come from Italy.", False),
        ("Pomms are found in Italy.", None),  # today
        ("Heggs live in Africa.", True),
        ("Heggs live in Australia.", False),
        ("Burls live in North America.", None),  # a symbol is no range
        ("Marla lives in Peru.", None),  # no animal
        ("Orrans live in trees.", None),
        ("Orrans live in Africa and Asia?", None),
    ],
)
def test_a_range_on_other_continents_refutes(claim: str, holds: bool | None) -> None:
    told = habitat(claim, PAGES)
    assert (told and told.holds) is holds


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from Kenya to South Africa", {"Africa"}),
        ("an African ape of the Congo Basin", {"Africa"}),
        ("in Central and South America", {"North America", "South America"}),
        ("the American prairie", set()),  # which of the two is not said
        ("the United States and Canada", {"North America"}),
        ("Turkey", {"Asia", "Europe"}),
        ("Afro-Eurasia", {"Africa", "Asia", "Europe"}),
        ("the New World", {"North America", "South America"}),
        ("northern forests", set()),
    ],
)
def test_continents_of_what_a_text_names(text: str, found: set[str]) -> None:
    assert continents_in(text) == found


@given(st.text(max_size=200))
def test_any_text_names_known_continents_only(text: str) -> None:
    assert continents_in(text) <= CONTINENTS
    assert habitat(text, PAGES) is None or " " in text
