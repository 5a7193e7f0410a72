"""Rules that find sentences, and the passages made of them."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.text.files.plain_text import tidy, unwrap
from retrieval.text.sentences import LONGEST_SENTENCE, passages, sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Smith met J. K. Rowling in St. Ives.", "They talked."],
        ["The U.S. Senate met at 5 p.m. on Jan. 3, 1999.", "It voted."],
        ["He lived in the U.S.", "He died there."],
        ["Apple Inc. Chief Tim Cook spoke.", "It was short."],
        ["See vol. 3, p. 17, and fig. 2.", "No. 5 is lost."],
        ["“Is it true?” she asked.", "“No!”", "He left."],
        ["Version 3.5 costs 2.50 euros.", "12 people bought it."],
        ["1. Introduction", "2. The end"],
        ["It ended in 1999.", "The rest is known ...", "Or is it?"],
        ["Yahoo! is a firm (see below).", "(It is old.)", "Still."],
        ["She chose plan B.", "The next day it failed."],
        ["Él vive en España.", "¿Dónde?", "Ärzte sagen z. B. nichts."],
    ],
)
def test_sentences(expected: list[str]) -> None:
    joint = "\n" if expected[0].startswith("1.") else " "
    assert sentences(joint.join(expected)) == expected


TEXTS = st.text(st.sampled_from("abAB19.!? \n\f\"')(。é-") | st.characters(), max_size=300)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_sentences_hold_every_character_in_order(text: str) -> None:
    spans = sentence_spans(text)
    assert all(0 < end - start <= LONGEST_SENTENCE for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.lists(TEXTS, max_size=12))
@settings(max_examples=100, deadline=None)
def test_passages_join_to_the_text_and_keep_its_sentences(texts: list[str]) -> None:
    text = "".join(piece * 40 for piece in texts)
    assert "".join(passages(text)) == text
    assert [sentence for part in passages(text) for sentence in sentences(part)] == sentences(text)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_tidy_is_idempotent_and_clean(text: str) -> None:
    clean = tidy(text)
    assert tidy(clean) == clean
    assert unicodedata.is_normalized("NFC", clean)
    assert not {char for char in clean if unicodedata.category(char) in ("Cc", "Cs")} - {"\n", "\f"}


def test_text_without_spaces_is_bounded() -> None:
    assert max(map(len, passages("x" * 100_000))) <= 400 * 8
    assert max(map(len, passages("字。" * 50_000))) <= 400 * 8


@pytest.mark.parametrize("unit", [".", "A. ", "a. ", "?! ", '" ', "\n", "\f", " ", "Mr. ", "“", "1. ", ". A"])
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    text = tidy(unwrap("Start here " + unit * 100_000 + " end."))
    assert "".join(passages(text)) == text
