"""Statements in which every word has a capital."""

from __future__ import annotations

import pytest

from retrieval.models.english.headlines import in_sentence_case
from retrieval.models.english.parser import english
from retrieval.models.english.reading import EnglishReading
from retrieval.types import Claim, NoVerdict, ReadClaim


def read(text: str) -> ReadClaim:
    return EnglishReading(english()).read(Claim("c", text))


@pytest.mark.parametrize(
    ("typed", "statement"),
    [
        ("Frogs Are Reptiles", "Frogs are Reptiles"),
        ("FROGS ARE REPTILES", "Frogs are Reptiles"),
        ("Bill Gates Founded Apple In 1976", "Bill Gates founded Apple in 1976"),
        ("KOBE BRYANT PLAYED FOR THE BULLS", "Kobe Bryant played for the Bulls"),
        ("Goalkeeper Has Left The National Team", "Goalkeeper has left the National Team"),
        ("Germany Won The World Cup In 2014.", "Germany won the World Cup in 2014."),
    ],
)
def test_the_verb_and_small_words_lose_their_capital(typed: str, statement: str) -> None:
    found = read(typed)
    assert (found.claim.reading, found.no_verdict) == (statement, None)


@pytest.mark.parametrize("typed", ["Norway Is Not A Member Of The European Union.", "FLEAS CAN'T FLY"])
def test_a_denial_is_turned(typed: str) -> None:
    assert read(typed).claim.turned


@pytest.mark.parametrize(
    "typed",
    [
        "The Silence Of The Lambs",
        "THE SILENCE OF THE LAMBS",
        "Gone With The Wind",
        "Some Like It Hot",
        "Harry Potter And The Philosopher's Stone",
        "European Court Of Human Rights",
        "UNITED STATES OF AMERICA",
    ],
)
def test_a_title_stays_a_name(typed: str) -> None:
    assert read(typed).no_verdict is NoVerdict.PHRASE


@pytest.mark.parametrize("typed", ["Bill Gates founded Apple.", "iPhones Are Made By Apple", "Oslo", "", "A " * 60])
def test_other_texts_are_left_alone(typed: str) -> None:
    assert in_sentence_case(english(), typed) == ""
