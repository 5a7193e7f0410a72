"""Claims with two names exchanged."""

from __future__ import annotations

import random

import pytest

from retrieval.types import Sentence
from training.data.made.exchanged import DIRECTIONS, MENTIONS, exchanged_pairs, find_relation
from training.data.made.twins import Named
from training.data.pairs import REFUTES, SUPPORTS

TEXT = "In 1974, Ali beat Foreman in Kinshasa, in a famous fight."


def named(text: str, *names: str, kind: str = "PERSON") -> Named:
    spans = tuple((text.index(name), text.index(name) + len(name), kind) for name in names)
    return Named(Sentence("p", "P", 0, 0, len(text), text), spans)


def test_both_orders_and_both_ways_to_say_it_are_claimed() -> None:
    pairs = list(exchanged_pairs([named(TEXT, "Ali", "Foreman")], random.Random(0)))
    said = {pair.claim: pair.stance for pair in pairs[:4]}
    assert said == {
        "Ali beat Foreman in Kinshasa.": SUPPORTS,
        "Foreman lost to Ali in Kinshasa.": SUPPORTS,
        "Foreman beat Ali in Kinshasa.": REFUTES,
        "Ali lost to Foreman in Kinshasa.": REFUTES,
    }
    assert [pair.stance for pair in pairs[4:]] == [REFUTES, SUPPORTS]
    assert all("Foreman beat Ali in Kinshasa, in a famous" in pair.sentence for pair in pairs[4:])


def test_where_the_names_may_stand_either_way_nothing_is_refuted() -> None:
    pairs = list(exchanged_pairs([named("Marie married Pierre.", "Marie", "Pierre")], random.Random(0)))
    assert {pair.claim for pair in pairs} >= {"Pierre married Marie.", "Marie married Pierre."}
    assert {pair.stance for pair in pairs} == {SUPPORTS}


@pytest.mark.parametrize(
    "text",
    [
        "The king of Ali beat Foreman.",
        "Ali beat Foreman's brother.",
        "Ali and his friends beat Foreman.",
        "Big Ali beat Foreman.",
    ],
)
def test_a_name_that_is_part_of_more_is_left_alone(text: str) -> None:
    assert find_relation(named(text, "Ali", "Foreman")) is None


def test_names_of_two_types_are_left_alone() -> None:
    one = named(TEXT, "Ali", "Foreman")
    other = (*one.names[:1], (*one.names[1][:2], "GPE"))
    assert find_relation(Named(one.sentence, other)) is None


def test_every_relation_has_its_converse_and_is_found_in_text() -> None:
    for words, (said, converse) in DIRECTIONS.items():
        assert MENTIONS.search(f"Ali {words} Foreman"), words
        assert converse in DIRECTIONS, converse
        assert said
