"""Claims in other words about makers and numbers of parts."""

from __future__ import annotations

import random
import re

import pytest

from retrieval.text.sentences import pair_text
from retrieval.types import Sentence
from training.data.made.reworded import OTHER_RELATIONS, count_pairs, find_makers, maker_pairs
from training.data.made.twins import Named
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, Pair

FOUNDED = "Apple is a company founded by Steve Jobs and Steve Wozniak in 1976."


def sentence(text: str, title: str) -> Sentence:
    return Sentence(title, title, 0, 0, len(text), text)


def named(text: str, title: str, *names: str) -> Named:
    spans = tuple((text.index(name), text.index(name) + len(name), "PERSON") for name in names)
    return Named(sentence(text, title), spans)


def made(text: str, title: str, *names: str, seed: int = 0) -> list[Pair]:
    return list(maker_pairs([named(text, title, *names)], {"PERSON": ["Bill Gates"]}, random.Random(seed)))


def test_each_of_several_makers_is_found() -> None:
    one = named(FOUNDED, "Apple", "Steve Jobs", "Steve Wozniak")
    assert find_makers(one) == ("founded", "PERSON", [(30, 40), (45, 58)])


@pytest.mark.parametrize("seed", range(8))
def test_a_maker_agrees_and_another_name_does_not(seed: int) -> None:
    pairs = made(FOUNDED, "Apple", "Steve Jobs", "Steve Wozniak", seed=seed)
    beside = pair_text("Apple", FOUNDED)
    for pair in pairs:
        (named_one,) = re.findall(r"Bill Gates|Steve \w+", pair.claim)
        if any(word in pair.claim for word in OTHER_RELATIONS):
            assert (pair.relevance, pair.stance) == (0, NEUTRAL)
        else:
            assert pair.stance == (SUPPORTS if named_one in pair.sentence else REFUTES)
    assert {pair.stance for pair in pairs if pair.sentence == beside} >= {SUPPORTS, REFUTES}


def test_some_claims_are_about_what_the_sentence_does_not_say() -> None:
    pairs = [pair for seed in range(20) for pair in made(FOUNDED, "Apple", "Steve Jobs", seed=seed)]
    assert any(pair.stance == NEUTRAL for pair in pairs)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Macintosh was sold by Apple, which was founded by Steve Jobs.", "Macintosh"),
        ("The shop next to Apple was founded by Steve Jobs.", "Apple"),
        ("Apple was founded by Steve Jobs's sister.", "Apple"),
        ("Apple was never founded by Steve Jobs.", "Apple"),
    ],
)
def test_who_made_something_else_is_left_alone(text: str, title: str) -> None:
    assert find_makers(named(text, title, "Steve Jobs")) is None


def test_a_number_of_parts_agrees_however_it_is_put() -> None:
    text = "The United States is a federal republic composed of 50 states and a district."
    pairs = list(count_pairs([sentence(text, "The United States")], random.Random(3)))
    assert len(pairs) == 4
    for pair in pairs:
        (said,) = re.findall(r"(\d+) states", pair.claim)
        assert pair.stance == (SUPPORTS if f"of {said} states" in pair.sentence else REFUTES)
    assert [pair.stance for pair in pairs] == [SUPPORTS, REFUTES] * 2


def test_a_number_word_is_changed_for_another_word() -> None:
    text = "It has three legs."
    pairs = list(count_pairs([sentence(text, "Stool")], random.Random(0)))
    assert pairs[0].sentence == "Stool : It has three legs."
    assert re.fullmatch(r"Stool : It has (?:two|four|five|six|13) legs\.", pairs[1].sentence)
    assert all(pair.claim.startswith("Stool ") and pair.claim.endswith(" legs.") for pair in pairs)


@pytest.mark.parametrize("text", ["Stool has 30 minutes.", "A shop that contains 3 stools.", "Stool fell 3 times."])
def test_other_numbers_are_left_alone(text: str) -> None:
    assert not list(count_pairs([sentence(text, "Stool")], random.Random(0)))
