"""Claims about ranks and ended states."""

from __future__ import annotations

import random

import pytest

from retrieval.types import Sentence
from training.data.made.ranks import ended_pairs, rank_pairs
from training.data.pairs import REFUTES, SUPPORTS


def sentence(title: str, text: str) -> Sentence:
    return Sentence(title, title, 0, 0, len(text), text)


def ranks(title: str, text: str) -> dict[str, int]:
    return {pair.claim: pair.stance for pair in rank_pairs([sentence(title, text)], random.Random(3))}


def ended(title: str, text: str) -> dict[str, int]:
    return {pair.claim: pair.stance for pair in ended_pairs([sentence(title, text)], random.Random(3))}


def test_the_second_refutes_the_first() -> None:
    found = ranks("Bergen", "Bergen is the second-largest city in Norway.")
    assert found.pop("Bergen is the second-largest city in Norway.") == SUPPORTS
    assert found.pop("Bergen is the largest city in Norway.") == REFUTES
    (moved,) = found.values()
    assert moved == REFUTES


def test_the_first_refutes_another_rank_and_its_opposite() -> None:
    found = ranks("Oslo", "It is the largest city in Norway, and its capital.")
    assert found.pop("Oslo is the largest city in Norway.") == SUPPORTS
    assert found.pop("Oslo is the smallest city in Norway.") == REFUTES
    assert list(found.values()) == [REFUTES]


@pytest.mark.parametrize("text", ["Its harbour is the largest in Norway.", "Oslo has the largest harbour in Norway."])
def test_the_rank_of_something_else_is_left(text: str) -> None:
    assert ranks("Oslo", text) == {}


def test_a_role_with_an_end_is_past() -> None:
    found = ended("Ann Lie", "She served as mayor of Bergen from 1990 to 1998.")
    assert found.pop("Ann Lie was the mayor of Bergen.") == SUPPORTS
    assert found.pop("Ann Lie is no longer the mayor of Bergen.") == SUPPORTS
    ((claim, stance),) = found.items()
    assert claim.startswith("Ann Lie is ")
    assert stance == REFUTES


@pytest.mark.parametrize("text", ["She was the mayor of Bergen.", "She was ill from 1990 to 1998."])
def test_without_an_end_or_a_role_nothing_is_said(text: str) -> None:
    assert ended("Ann Lie", text) == {}
