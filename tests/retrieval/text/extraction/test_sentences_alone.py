"""What a sentence is, who says it, and how its halves read alone: over spaCy, which every claim is read with."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from retrieval.models.english.parser import english
from retrieval.text.extraction import kinds
from retrieval.text.extraction.kinds import kind_by_form
from retrieval.text.extraction.mentions import Edit
from retrieval.text.extraction.rewriting import Rewriter


def read(sentence: str) -> Any:
    return english()(sentence)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("What drives a person to stir ore?", kinds.QUESTION),
        ("Compare the offers of each shop.", kinds.INSTRUCTION),
        ("Do not touch the paint.", kinds.INSTRUCTION),
        ("Her story will be told on the stage next year.", kinds.PREDICTION),
        ("People will walk on Mars one day.", kinds.PREDICTION),
        ("In my view, no chapter of science is more moving.", kinds.OPINION),
        ("We should cut taxes.", kinds.OPINION),
        ("Subscribe to our newsletter and never miss an article.", kinds.BOILERPLATE),
        ("© 2024 The Example. All rights reserved.", kinds.BOILERPLATE),
        ("Published on 7 November 2024", kinds.BOILERPLATE),
        ("Retrieved 12 June 2020.", kinds.BOILERPLATE),
        ("By Ann Lee, chief reporter", kinds.BOILERPLATE),
        ("By 1922, the mill employed 300 people.", ""),
        ("Published in 1922, the book sold 1,000 copies.", ""),
        ("The club's newsletter had 300 readers in 1950.", ""),
        ("Two elements from one shed", kinds.HEADING),
        ("Radium has the atomic number 88.", ""),
        ("The law that will take effect soon was passed in 2019.", ""),
    ],
)
def test_what_a_sentence_is_by_its_form(sentence: str, kind: str) -> None:
    assert kind_by_form(sentence, read(sentence)) == kind


@pytest.mark.parametrize(
    ("sentence", "said", "speaker"),
    [
        (
            "The minister said that unemployment fell to 3.5% in 2019.",
            "Unemployment fell to 3.5% in 2019.",
            "The minister",
        ),
        ("According to the museum, Yuri Gagarin flew in 1961.", "Yuri Gagarin flew in 1961.", "the museum"),
        ("Inflation fell to 2%, according to the central bank.", "Inflation fell to 2%.", "the central bank"),
        ("Ann Lee: “We won the state by 20 points.”", "We won the state by 20 points.", "Ann Lee"),
        (
            '"Bolt won eight Olympic gold medals," said the historian Ewa Lindner, who leads tours.',
            "Bolt won eight Olympic gold medals.",
            "the historian Ewa Lindner",
        ),
    ],
)
def test_who_said_what(sentence: str, said: str, speaker: str) -> None:
    (piece,) = [piece for piece in Rewriter(read).stand_alone(read(sentence), []) if piece.speaker]
    assert (piece.text, piece.speaker) == (said, speaker)


@pytest.mark.parametrize(
    "sentence", ["The senator denied that he took money.", "The minister did not say that it fell."]
)
def test_what_is_denied_is_not_taken_for_said(sentence: str) -> None:
    (piece,) = Rewriter(read).stand_alone(read(sentence), [])
    assert (piece.text, piece.speaker) == (sentence, "")


@pytest.mark.parametrize(
    ("sentence", "pieces"),
    [
        (
            "Marie Curie was born in Warsaw and won two Nobel Prizes.",
            ["Marie Curie was born in Warsaw.", "Marie Curie won two Nobel Prizes."],
        ),
        (
            "Marie Curie was born in Warsaw, and Pierre Curie was born in Paris.",
            ["Marie Curie was born in Warsaw.", "Pierre Curie was born in Paris."],
        ),
        (
            "Valentina Tereshkova flew into space in June 1963, and she had worked in a factory before.",
            [
                "Valentina Tereshkova flew into space in June 1963.",
                "Valentina Tereshkova had worked in a factory before.",
            ],
        ),
    ],
)
def test_compound_sentences_come_apart_where_both_halves_stand_alone(sentence: str, pieces: list[str]) -> None:
    assert [piece.text for piece in Rewriter(read).stand_alone(read(sentence), [])] == pieces


@pytest.mark.parametrize(
    "sentence",
    [
        "In 1903 she shared the prize and married.",
        "He did not smoke and never drank.",
        "If it rains, the match is cancelled and the fans go home.",
        "Taiwan is a large economy, and its industry plays a key role.",
        "Either the team wins or it goes home.",
        "Salt and pepper were sold in the market.",
    ],
)
def test_where_one_half_may_depend_on_the_other_the_sentence_stays(sentence: str) -> None:
    assert [piece.text for piece in Rewriter(read).stand_alone(read(sentence), [])] == [sentence]


def test_names_take_the_place_of_pronouns_and_dates_become_absolute() -> None:
    sentence = "However, she won the prize last year and her team cheered."
    start = sentence.index("she")
    rewriter = Rewriter(read, date(2024, 5, 3))
    pieces = rewriter.stand_alone(read("However, she won the prize last year."), [Edit(start, start + 3, "Ann Lee")])
    assert [piece.text for piece in pieces] == ["Ann Lee won the prize in 2023."]


def test_it_behind_its_is_no_second_name_for_what_is_owned() -> None:
    sentence = "Its founder is Ann Lee, and it has 200 million members."
    assert [piece.text for piece in Rewriter(read).stand_alone(read(sentence), [])] == [sentence]
