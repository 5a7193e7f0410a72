"""Quantities of a text in one form."""

from __future__ import annotations

import gc
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.quantities.canonical import canonical, canonical_text
from retrieval.text.quantities.finding import quantities

# What numbers and dates are made of, so that random texts are full of them.
PIECES = st.sampled_from(
    "1 2 12 31 1989 2012 0 44 80.7 1,234 6853 , . - / : – % $ € km m ft km2 °C °F million billion thousand dozen a half two twenty "
    "forty-five nineteen hundred and May March 13th the of December Dec. BC AD CE century twentieth 1950s XI second- largest est "
    "degrees Celsius dollars percent per cent from to ( ) one Seven twice e7 ² Ⅷ ß İ \u00a0".split(" ")
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=14).map("".join)


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("The Danube is 2850 km long.", "The Danube is 2,850 kilometres long."),
        ("It is 2.850 km long.", "It is 2.850 kilometres long."),
        ("He died on 25/11/1970.", "He died on 25 November 1970."),
        ("He died on 11/25/70.", "He died on 25 November 1970."),
        ("He died on 1970-11-25.", "He died on 25 November 1970."),
        ("He died on the 25th of November 1970.", "He died on 25 November 1970."),
        ("He died on November 25th, 1970.", "He died on 25 November 1970."),
        ("He died on Nov. 25, 1970.", "He died on 25 November 1970."),
        ("he died on 25 november 1970", "he died on 25 November 1970"),
        ("It opened on 25.11.1970.", "It opened on 25 November 1970."),
        ("Some 12,400,000 people", "Some 12.4 million people"),
        ("Some 1.24e7 people", "Some 12.4 million people"),
        ("It made 2,350 million dollars.", "It made $2.35 billion."),
        ("It made US$2,350,000,000.", "It made $2.35 billion."),
        ("It made $2.35bn.", "It made $2.35 billion."),
        ("about sixty-one per cent of it", "about 61% of it"),
        ("61 percent, 61 %", "61%, 61%"),
        ("They won eleven prizes and a dozen medals.", "They won 11 prizes and 12 medals."),
        ("They won IX golden medals.", "They won 9 golden medals."),
        ("It ended in eighteen seventy-one.", "It ended in 1871."),
        ("in the eighteen seventies and the 1880's", "in the 1870s and the 1880s"),
        ("the nineteenth century", "the 19th century"),
        ("in 31 BCE and 14 CE and A.D. 69", "in 31 BC and 14 AD and 69 AD"),
        ("the second-largest, the 6th largest", "the second largest, the sixth largest"),
        ("the forty-second and the 42nd", "the 42nd and the 42nd"),
        ("her twelfth novel", "her 12th novel"),
        ("two and a half billion years", "2.5 billion years"),
        ("two-and-a-half years", "2.5 years"),
        ("half a million copies", "500,000 copies"),
        ("She won it twice, he thrice.", "She won it 2 times, he 3 times."),
        ("three hundred and five thousand and twenty people", "305,020 people"),
        (
            "It cost 750 000 euros, 17'075'400 yen and 1.350.000 pounds.",
            "It cost €750,000, ¥17,075,400 and 1.35 million pounds.",
        ),
        ("120 crore people, 5 lakh, 1,20,00,000 cows", "1.2 billion people, 500,000, 12 million cows"),
        ("Norr has a population of 3.3m.", "Norr has a population of 3.3 million."),
        ("Norr has a population of about 3.3m people", "Norr has a population of about 3.3 million people"),
        ("It sold 2 m copies.", "It sold 2 million copies."),
        ("The number of users is 5m", "The number of users is 5 million"),
        ("The tower is 300m tall.", "The tower is 300 metres tall."),
        ("It is 5 m long.", "It is 5 metres long."),
        ("Two Thirds of it, Nine-Tenths of the Law", "Two Thirds of it, Nine-Tenths of the Law"),
        ("80.7m people, 1.35bn people, 56k copies", "80.7 million people, 1.35 billion people, 56,000 copies"),
        ("holding 1093 old patents", "holding 1,093 old patents"),
        ("It sinks to minus 40 °C or -50 °F.", "It sinks to -40 °C or -50 °F."),
        ("23 September 63 BCE, June 323 B.C.", "23 September 63 BC, June 323 BC"),
        ("324m high, 90km2 large, 30 °C warm", "324 metres high, 90 square kilometres large, 30 °C warm"),
    ],
)
def test_each_way_to_write_it_gets_one_form(written: str, form: str) -> None:
    assert canonical_text(written) == form


@pytest.mark.parametrize(
    "text",
    [
        "Paris is the capital of France.",
        "He was born on 5/6/1970.",  # May or June
        "He wrote version 1.2.3 of Windows 7 after 9/11.",
        "The Fantastic Four fought World War II under Louis XIV.",
        "Two-thirds of them had one of the two-thirds.",
        "It lasted from 28 July 1914 to 11 November 1918.",
        "In 1984 they came; COVID-19 did not.",
        "On 31/02/1990 nothing happened.",
        "It is twice as large, costs twice the price and opens twice a week or twice weekly.",
        "Twice are a group.",
    ],
)
def test_what_has_no_other_form_stays(text: str) -> None:
    found = canonical(text)
    assert found.text == text
    assert found.changes == ()


@given(TEXTS)
def test_the_form_of_a_form_is_itself(text: str) -> None:
    once = canonical_text(text)
    assert canonical_text(once) == once


@given(st.integers(0, 10**15 - 1), st.integers(-99, 99), st.sampled_from([" kg", " people", "%", " million", "", " x"]))
def test_any_exponent_is_survived(digits: int, exponent: int, behind: str) -> None:
    """A page with "2e30 kg" stopped every check that read it."""
    text = f"It has {digits}e{exponent}{behind}"
    assert canonical_text(canonical_text(text)) == canonical_text(text)
    assert all(one.value.is_finite() for one in quantities(text))


@given(TEXTS)
def test_offsets_grow_and_cover_the_text(text: str) -> None:
    found = canonical(text)
    assert (found.original(0, len(found.text)) == (0, len(text))) or not found.text
    starts = [found.original(place, len(found.text))[0] for place in range(len(found.text))]
    ends = [found.original(0, place)[1] for place in range(1, len(found.text) + 1)]
    assert all(a <= b for places in (starts, ends) for a, b in pairwise(places))
    assert all(start < end or not text for start, end in zip(starts, ends, strict=True))
    done = before = 0
    for change in found.changes:
        assert found.text[done : change.start] == text[before : change.before_start], "the rest is as it was"
        assert found.original(change.start, change.end) == (change.before_start, change.before_end)
        done, before = change.end, change.before_end
    assert found.text[done:] == text[before:]


@given(TEXTS)
def test_quantities_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    found = quantities(text)
    assert all(0 <= one.start < one.end <= len(text) and one.form for one in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "unit",
    ["1", "1,", "1 ", "12/", "a", "one ", "twenty ", "two hundred ", "XI ", "$", "$1 ", "1 May ", "May ", "44 BC ", "1990–", "(", "1.", "-", "1 km ", "the 1st of "],
)  # fmt: skip
def test_long_texts_take_time_in_proportion(unit: str) -> None:
    def seconds(characters: int) -> float:
        text = (unit * characters)[:characters]
        gc.disable()  # in a process that has run a thousand tests, one collection takes a second
        begun = time.process_time()
        canonical(text)
        spent = time.process_time() - begun
        gc.enable()
        return spent

    assert seconds(16_000) < 40 * max(seconds(2_000), 0.002)
