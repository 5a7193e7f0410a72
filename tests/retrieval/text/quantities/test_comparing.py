"""Quantities of a claim beside those of a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.quantities.canonical import canonical_text
from retrieval.text.quantities.comparing import Relation, compare
from retrieval.text.quantities.stances import exactly, stance_after_form
from retrieval.types import Stance
from tests.retrieval.text.quantities.test_canonical import TEXTS

WAR = "The Crimean War was a conflict that lasted from 16 October 1853 to 30 March 1856."
BORN = "Ada Lovelace (born December 10, 1815) was a mathematician."
CASES = [  # claim, title, sentence, what differs or agrees (claim, sentence)
    ("The Crimean War began in 1856.", "Crimean War", WAR, "different", "1856", "16 October 1853"),
    ("The Crimean War ended in 1856.", "Crimean War", WAR, "equal", "1856", "30 March 1856"),
    ("The Crimean War lasted ten years.", "Crimean War", WAR, "different", "ten years", "16 October 1853 to 30 March 1856"),
    ("The Crimean War ended before 1860.", "Crimean War", WAR, "equal", "1860", "30 March 1856"),
    ("The wall fell in 1871.", "Wall", "The wall divided the town from 1840 to 1871.", "equal", "1871", "1871"),
    ("Ada Lovelace was born on 10/12/1815.", "Ada Lovelace", BORN, "equal", "10/12/1815", "December 10, 1815"),
    ("Ada Lovelace was born on 13/10/1815.", "Ada Lovelace", BORN, "different", "13/10/1815", "December 10, 1815"),
    ("Ada Lovelace was born in the 1810s.", "Ada Lovelace", BORN, "equal", "1810s", "December 10, 1815"),
    ("Ada Lovelace was born in the twentieth century.", "Ada Lovelace", BORN, "different", "the twentieth century", "December 10, 1815"),
    ("The Danube is 2850 km long.", "Danube", "It is 2,850 km (1,770 mi) long.", "equal", "2850 km", "2,850 km"),
    ("The Danube is 2.850 km long.", "Danube", "It is 2,850 km (1,770 mi) long.", "different", "2.850 km", "2,850 km"),
    ("The Danube is about 1,770 miles long.", "Danube", "It is 2,850 km long.", "equal", "1,770 miles", "2,850 km"),
    ("The star is nearly 14 billion years old.", "Star", "Its age is measured to be 13.798 ± 0.037 billion years.", "equal", "14 billion years", "13.798 ± 0.037 billion years"),
    ("Mount Orna is nearly nine kilometres high.", "Mount Orna", "Its peak is 8848 m above sea level.", "equal", "nine kilometres", "8848 m"),
    ("The tower is nearly a kilometre tall.", "Tower", "The tower is 210 metres tall.", "different", "a kilometre", "210 metres"),
    ("Water freezes at 32 °F.", "Water", "Water freezes at 0 °C.", "equal", "32 °F", "0 °C"),
    ("Peru has 31,200,000 inhabitants.", "Peru", "With 31.2 million inhabitants, Peru is large.", "equal", "31,200,000", "31.2 million"),
    ("Peru has more than 40 million inhabitants.", "Peru", "With 31.2 million inhabitants, Peru is large.", "different", "40 million", "31.2 million"),
    ("It covers 61% of Peru.", "Peru", "It covers sixty-one percent of Peru.", "equal", "61%", "sixty-one percent"),
    ("Peru has 12 regions.", "Peru", "Peru is made of 25 administrative regions.", "different", "12", "25"),
    ("Beetles have six legs.", "Beetle", "Beetles have three pairs of jointed legs.", "equal", "six", "three"),
    ("Beetles have eight legs.", "Beetle", "Beetles have three pairs of jointed legs.", "different", "eight", "three"),
    ("Oslo held the games twice.", "Oslo", "Oslo held the games three times.", "different", "twice", "three"),
    ("Oslo held the games two times.", "Oslo", "Oslo held the games twice.", "equal", "two", "twice"),
    ("Augustus died in 14 BC.", "Augustus", "Augustus died in AD 14.", "different", "14 BC", "AD 14"),
    ("Peru is the largest country in South America.", "Peru", "It is the third-largest country in South America.", "different", "largest", "third-largest"),
    ("Peru is the 3rd largest country in South America.", "Peru", "It is the third-largest country in South America.", "equal", "3rd largest", "third-largest"),
    ("Peru's capital is the largest city.", "Lima", "Lima is Peru's capital and the second largest city of all.", "different", "largest", "second largest"),
    ("John Adams was the first president of the United States.", "John Adams", "He was the second President of the United States.", "different", "first", "second"),
    ("It grossed over $1.2 billion.", "It", "It grossed 1,240 million dollars.", "equal", "$1.2 billion", "1,240 million dollars"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "title", "sentence", "relation", "ours", "theirs"), CASES)
def test_quantities_of_one_thing(claim: str, title: str, sentence: str, relation: str, ours: str, theirs: str) -> None:
    found = compare(claim, title, sentence)
    assert found
    assert (found.relation, claim[slice(*found.claim)], sentence[slice(*found.sentence)]) == (relation, ours, theirs)


@pytest.mark.parametrize(
    ("claim", "title", "sentence"),
    [
        (
            "Ada Lovelace was born on 10/11/1815.",
            "Ada Lovelace",
            BORN,
        ),  # 10 November or 11 October, and neither refutes
        ("Ada Lovelace was born in 1900.", "George Byron", "George Byron was born in 1788."),  # of another person
        ("Ada Lovelace died in 1852.", "Ada Lovelace", BORN),  # of another event
        ("Peru has 12 regions.", "Peru", "Peru has 25 universities."),
        ("Peru is the largest country in Africa.", "Peru", "It is the third-largest country in South America."),
        ("The film won eleven prizes.", "Film", "Nominated for fourteen prizes, the film won eleven."),
        ("Peru does not have 12 regions.", "Peru", "Peru has 25 regions."),
        ("Peru has 12 regions.", "Peru", "Peru has not 25 regions."),
        ("About 30 people were there.", "There", "Exactly 31 people were there in a place of people."),
        ("It was founded around 1900.", "It", "It was founded in 1902."),
        ("Paris is in France.", "Paris", "Paris is the capital of France, with 2 rivers since 1900."),
    ],
)
def test_what_cannot_be_compared_is_never_a_contradiction(claim: str, title: str, sentence: str) -> None:
    found = compare(claim, title, sentence)
    assert found is None or found.relation is Relation.EQUAL


@pytest.mark.parametrize(("claim", "title", "sentence", "relation", "ours", "theirs"), CASES)
def test_one_form_changes_no_comparison(
    claim: str, title: str, sentence: str, relation: str, ours: str, theirs: str
) -> None:
    found = compare(canonical_text(claim), title, canonical_text(sentence))
    assert found
    assert found.relation == relation


@given(TEXTS, TEXTS)
def test_any_texts_can_be_compared(claim: str, sentence: str) -> None:
    found = compare(claim, "", sentence)
    assert found is None or (claim[slice(*found.claim)] and sentence[slice(*found.sentence)])
    assert exactly(claim, "", sentence) in (-1, 0, 1)


@given(TEXTS)
def test_a_text_never_differs_from_itself(text: str) -> None:
    found = compare(text, "", text)
    assert found is None or found.relation is Relation.EQUAL


SHARES = st.floats(0, 1)


@given(SHARES, SHARES, SHARES)
def test_a_corrected_stance_keeps_its_sum(supports: float, refutes: float, neutral: float) -> None:
    before = Stance(supports, refutes, neutral)
    for text in (f"Ada Lovelace : {BORN}", "Paris : Paris is in France."):
        for claim in ("Ada Lovelace was born on 10/12/1815.", "Ada Lovelace was born in 1900."):
            after = stance_after_form(claim, [text], before)
            assert after.supports + after.refutes == pytest.approx(supports + refutes)
            assert after.neutral == neutral


def test_exact_arithmetic_corrects_a_network() -> None:
    wrong = Stance(0.05, 0.9, 0.05)
    assert stance_after_form("Ada Lovelace was born on 10/12/1815.", [f"Ada Lovelace : {BORN}"], wrong).supports > 0.8
    believed = Stance(0.9, 0.05, 0.05)
    assert stance_after_form("Ada Lovelace was born in 1900.", [f"Ada Lovelace : {BORN}"], believed).refutes > 0.8
    silent = ["Paris : Paris is in France.", f"Ada Lovelace : {BORN}"]
    assert stance_after_form("Ada Lovelace was born in 1900.", silent, believed).refutes > 0.8
    assert stance_after_form("Paris is in France.", silent, believed) == believed


def test_equal_quantities_settle_nothing_where_another_word_is_missing() -> None:
    refuting = Stance(0.05, 0.9, 0.05)
    assert (
        stance_after_form("Ada Lovelace was born in Vienna on 10/12/1815.", [f"Ada Lovelace : {BORN}"], refuting)
        == refuting
    )
