"""The names that a page gives its subject in its first sentence."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.names.first_sentence import (
    LONGEST_OTHER_NAME,
    MOST_NAME_WORDS,
    MOST_NAMES,
    lists_meanings,
    other_names,
    with_other_names,
)
from retrieval.text.titles import fold, without_bracket
from tests.making import make_page


@pytest.mark.parametrize(
    ("title", "sentence", "names"),
    [
        ("Lindenburg Bridge", "Lindenburg Bridge, also known as the Amber Bridge, is a bridge.", {"Amber Bridge"}),
        ("Port League", "The Port League (PL) is a union of harbours.", {"PL"}),
        ("Coast War", "The Coast War (CWII or CW2), also called the Second Coast War, was a war.", {"CWII", "CW2", "Second Coast War"}),
        ("Ada M. Brook", "Ada Maria Brook (3 May 1901 – 2 June 1980), often referred to as AMB, was a poet.", {"Ada Maria Brook", "AMB"}),
        ("Ada M. Brook", "Ada Maria Brook, commonly known by her initials AMB, was a poet.", {"Ada Maria Brook", "AMB"}),
        ("Reed hen", "The reed hen, or marsh hen, is a bird.", {"marsh hen"}),
        ("Reed hen", "The reed hen (“Gallina palustris”, or, inaccurately, reed duck) is a bird.", {"reed duck"}),
        ("Hennidae", "The Hennidae, commonly known simply as reed hens, from the word for reed, are a family of birds.", {"reed hens"}),
        ("Sun tea", "Sun tea, commonly known as gold, sip, Lady Ann, and brew, among other names, is a drink.", {"gold", "sip", "Lady Ann", "brew"}),
        ("Lake Republic", "The United Lake Republic of Northmark, commonly known as the Lake Republic (LR) or Northmark, is a state.", {"United Lake Republic of Northmark", "LR", "Northmark"}),
        ("Northmark", "Northmark, officially the Republic of Northmark, formerly Lakeland, is a state.", {"Republic of Northmark", "Lakeland"}),
        ("Zed (singer)", "Maria Elena Stone (born May 1, 1990), known professionally as Zed, is a singer.", {"Maria Elena Stone"}),
        ("Henry IX of Northmark", "Henry IX (1 May 1400 – 1 May 1440) was King of Northmark.", {"Henry IX"}),
        ("Orna Peak", "Orna Peak, federally designated as Mount Pell, is a peak.", {"Mount Pell"}),
        ("Aluminate", "Aluminate (or aluminnate; see below) is a salt.", {"aluminnate"}),
    ],
)  # fmt: skip
def test_names_that_a_page_gives_itself(title: str, sentence: str, names: set[str]) -> None:
    assert set(other_names(title, sentence)) == names


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Amber Bridge", "The Amber Bridge is a bridge, also known as a crossing by poets."),
        ("Amber Bridge", "Translation by machine or by hand is a useful beginning."),
        ("Amber Bridge", "Amber Bridge (UK: /ˈæmbə/, US: /ˈæmbər/) is a bridge."),
        ("Geography of Northmark", "Northmark is a country in the north."),
        ("Ada Brook", "Ada Brook (née Stone; born 3 May 1901) is a poet."),
        ("Amber Bridge", "Amber Bridge, also known as the bridge that is in Berlin and was never opened, is a bridge."),
        ("Amber Bridge", "Amber Bridge, also known as " + "long " * 40 + "Bridge, is a bridge."),
        ("Amber Bridge", "Amber Bridge"),
        ("Amber Bridge", ""),
        ("", ""),
        ("The Amber Bridge", "Amber Bridge is a bridge."),
    ],
)
def test_what_is_no_other_name(title: str, sentence: str) -> None:
    assert other_names(title, sentence) == ()


PARTS = st.sampled_from(
    ["Amber", "Bridge", "also known as", ", or", "(AB)", "(", ")", "“", "”", ",", "is", "was", "called", "formerly", "the",
     "commonly", "and", "1999", "may", "[", "]", "é", "[ AB ]", "who", "née", ";", "by his initials,"]
)  # fmt: skip
SENTENCES = st.text(max_size=500) | st.lists(PARTS, max_size=60).map(" ".join)


@given(st.text(max_size=30) | st.just("Amber Bridge"), SENTENCES)
def test_names_are_few_short_and_new(title: str, sentence: str) -> None:
    names = other_names(title, sentence)
    keys = [fold(name) for name in names]
    assert len(names) <= MOST_NAMES
    assert len(set(keys)) == len(keys)
    assert not {fold(title), fold(without_bracket(title))} & set(keys)
    for name in names:
        assert 1 < len(name) <= LONGEST_OTHER_NAME
        assert len(name.split()) <= MOST_NAME_WORDS
        assert not {"is", "was", "who"} & set(name.lower().split())
        assert not set(name) & set('<>“”"()[]\n')


@pytest.mark.parametrize(
    "part", ["also ", "or ", "or, ", "(", ")", "(A) ", "also known as ", "a, ", "“", "known by his ", "commonly, "]
)
def test_no_sentence_takes_long(part: str) -> None:
    began = time.process_time()
    other_names("Amber", "Amber " + part * 200_000 + " is x")
    assert time.process_time() - began < 0.5


def test_a_page_that_lists_meanings_or_has_names_already_gets_none() -> None:
    page = make_page("Amber Bridge", "Amber Bridge, also known as the Gold Bridge, is a bridge.")
    assert with_other_names(page).other_names == ("Gold Bridge",)
    assert with_other_names(replace(page, part=2)).other_names == ()
    assert with_other_names(replace(page, other_names=("X",))).other_names == ("X",)
    for listing in (
        make_page("AB (disambiguation)", "AB or Amber Bridge is a bridge."),
        make_page("AB", "AB or Amber Bridge is a bridge.", "AB may also refer to:"),
    ):
        assert lists_meanings(listing)
        assert with_other_names(listing).other_names == ()
    assert not lists_meanings(page)
