"""What is said of some only does not bear out a claim about all."""

from __future__ import annotations

import pytest

from retrieval.types import Evidence, Stance
from retrieval.verdicts.rules.compound import of_some
from tests.making import make_page

FOR, AGAINST = Stance(0.9, 0.05, 0.05), Stance(0.05, 0.9, 0.05)


def read(text: str, stance: Stance = FOR) -> list[Evidence]:
    return [Evidence(one, 0.9, stance, "test") for one in make_page("Otter", text).sentences()]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("All otters can swim.", "Most otter species can swim."),
        ("every otter can swim", "Almost all otters swim."),
        ("All of the river otters are brown.", "Many kinds of otter are brown."),
        ("All otters bear live young.", "Except for two species, otters bear live young."),
    ],
)
def test_some_are_not_all(claim: str, text: str) -> None:
    told = of_some(claim, read(text))
    assert told
    assert (told.holds, told.note) == (False, "“Otter” says so only of some.")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("All otters can swim.", "Otters can swim."),
        ("All otters can swim.", "Most ducks and all otters can swim."),
        ("Otters can swim.", "Most otters can swim."),
        ("All", "Most otters can swim."),
    ],
)
def test_nothing_is_decided(claim: str, text: str) -> None:
    assert of_some(claim, read(text)) is None


def test_a_sentence_that_takes_the_other_side_is_left_as_it_is() -> None:
    assert of_some("All otters can swim.", read("Most otters drown.", AGAINST)) is None
