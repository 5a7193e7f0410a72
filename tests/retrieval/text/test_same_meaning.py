"""What is never taken for the same claim, whatever the vectors say."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from retrieval.text.same_meaning import may_mean_the_same, negations, numbers

DIFFERENT = [
    ("The United States has 50 states.", "The United States has 51 states."),
    ("The United States has fifty states.", "The United States has 51 states."),
    ("Marie Curie was born in Warsaw.", "Marie Curie was not born in Warsaw."),
    ("Marie Curie was born in Warsaw.", "Marie Curie wasn't born in Warsaw."),
    ("House of Balloons is a mixtape.", "House of Balloons is something other than a mixtape."),
    ("Pearl is a magical gemstone.", "Pearl is a non-magical gemstone."),
    ("The album was released by the band.", "The album was unreleased by the band."),
    ("Germany invaded Poland.", "Poland invaded Germany."),
    ("Rome is the capital of Italy.", "Milan is the capital of Italy."),
    ("Mont Blanc is higher than the Eiger.", "Mont Blanc is lower than the Eiger."),
    ("The treaty was signed in March 1951.", "The treaty was signed in May 1951."),
    ("Obama was president.", "Michelle Obama was president."),
    ("Babur was a Mughal emperor.", "Babur was the last Mughal emperor."),
    ("All swans are white.", "Some swans are white."),
    ("The film won two awards.", "The film won 3 awards."),
    ("It lies between two and three rivers.", "It lies between five rivers."),
]
SAME = [
    ("The United States has 50 states.", "The United States has fifty states."),
    ("Warsaw has 1,000 churches.", "Warsaw has one thousand churches."),
    ("The Quiet was released in 2005.", "In 2005, The Quiet was released."),
    ("Honeymoon is Lana Del Rey's third record.", "Honeymoon is the third record by Lana Del Rey."),
    ("Casablanca is a film.", "casablanca is a movie"),
    ("Scandinavia does not contain Greenland.", "Scandinavia doesn’t include Greenland."),
    ("She died on July 4, 1934.", "She died on 4 July 1934."),
]


@pytest.mark.parametrize("pair", DIFFERENT)
def test_different(pair: tuple[str, str]) -> None:
    assert not may_mean_the_same(*pair)
    assert not may_mean_the_same(*reversed(pair))


@pytest.mark.parametrize("pair", SAME)
def test_same(pair: tuple[str, str]) -> None:
    assert may_mean_the_same(*pair)
    assert may_mean_the_same(*reversed(pair))


WORDS = st.lists(
    st.sampled_from("the of Warsaw Poland curie river is was born won in city old queen Ruler and near".split()),
    min_size=3,
).map(" ".join)


@given(WORDS, st.integers(0, 10**7), st.integers(0, 10**7))
def test_another_number_is_another_claim(words: str, one: int, other: int) -> None:
    assert may_mean_the_same(f"{words} {one} people", f"{words} {one:,} people")
    assume(one != other)
    assert not may_mean_the_same(f"{words} {one} people", f"{words} {other} people")
    assert not may_mean_the_same(f"{words} {one} people", f"{words} people")


@given(WORDS, st.integers(0, 20), st.sampled_from("not never no without cannot isn't wasn't".split()))
def test_a_negation_is_another_claim(words: str, place: int, denial: str) -> None:
    split = words.split()
    denied = " ".join([*split[:place], denial, *split[place:]])
    assert not may_mean_the_same(words, denied)
    assert not may_mean_the_same(denied, words)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_compared_both_ways_alike(one: str, other: str) -> None:
    assert may_mean_the_same(one, one)
    assert may_mean_the_same(one, other) == may_mean_the_same(other, one)


@given(st.integers(1, 999_999))
def test_numbers_in_words(number: int) -> None:
    units = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
    )
    units += "seventeen eighteen nineteen".split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()

    def below(n: int) -> str:
        if n < 20:
            return units[n]
        if n < 100:
            return tens[n // 10 - 2] + (f"-{units[n % 10]}" if n % 10 else "")
        return f"{units[n // 100]} hundred" + (f" and {below(n % 100)}" if n % 100 else "")

    words = (
        below(number)
        if number < 1000
        else f"{below(number // 1000)} thousand" + (f" {below(number % 1000)}" if number % 1000 else "")
    )
    assert numbers(f"There are {words} islands.") == numbers(f"There are {number:,} islands.") == {float(number): 1}


def test_negations_are_counted() -> None:
    assert [negations(text) for text in ("It is.", "It isn’t.", "It is not never so.", "Unable to win.")] == [
        0,
        1,
        2,
        1,
    ]
