"""What a person may type as a claim, and what they are told where it is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import ClaimError
from retrieval.text.claims import read_claim

MAX_CHARACTERS = 500


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Paris is in France.", "Paris is in France."),
        ("  Paris \n\t is\r\nin   France. ", "Paris is in France."),
        ("Paris\0is\x1b[31m red\x7f", "Paris is [31m red"),
        ("Cafe\u0301", "Café"),
        ("\ufeffParis\u200b is \u202eecnarF ni\u202c \u2066x\u2069 \u061cy", "Paris is ecnarF ni x y"),
        ("Paris\u2028France\u2029x\x85y", "Paris France x y"),
        ("باريس في فرنسا", "باريس في فرنسا"),
        ("פריז נמצאת בצרפת", "פריז נמצאת בצרפת"),
        ("Париж находится во Франции", "Париж находится во Франции"),
        ("東京は日本にある。", "東京は日本にある。"),
        ("<script>alert(1)</script> & <b>x</b>", "<script>alert(1)</script> & <b>x</b>"),
        ("नमस्ते दुनिया", "नमस्ते दुनिया"),
        ("👩‍👩‍👧 are a family", "👩‍👩‍👧 are a family"),
        ("x" * MAX_CHARACTERS, "x" * MAX_CHARACTERS),
        ("7", "7"),
    ],
)
def test_claims_that_are_read(typed: str, read: str) -> None:
    assert read_claim(typed, MAX_CHARACTERS) == read


@pytest.mark.parametrize("typed", ["", " ", "\n\t\r", "\0\0", "\u200b\ufeff\u202e", "\u2028"])
def test_no_claim(typed: str) -> None:
    with pytest.raises(ClaimError, match=r"There is no claim\. Type one sentence"):
        read_claim(typed, MAX_CHARACTERS)


@pytest.mark.parametrize("typed", ["🎬🎬🎬", "???", "... --- ...", "\0🎬\0", "— “”"])
def test_a_claim_without_words(typed: str) -> None:
    with pytest.raises(ClaimError, match=r"The claim has no words\. Type one sentence"):
        read_claim(typed, MAX_CHARACTERS)


@pytest.mark.parametrize("length", [MAX_CHARACTERS + 1, 4 * MAX_CHARACTERS, 10_000, 1_000_000])
def test_a_claim_that_is_too_long(length: int) -> None:
    with pytest.raises(ClaimError, match=f"The claim has {length:,} characters; at most 500 are read. Shorten it"):
        read_claim("x" * length, MAX_CHARACTERS)


@pytest.mark.parametrize("typed", ["Paris \ud800", "\udfff", "a\udcffb"])
def test_half_a_character(typed: str) -> None:
    with pytest.raises(ClaimError, match="half a character"):
        read_claim(typed, MAX_CHARACTERS)


@given(st.text(st.characters(), max_size=100))
def test_what_is_read_is_clean_and_reads_the_same_again(typed: str) -> None:
    try:
        read = read_claim(typed, MAX_CHARACTERS)
    except ClaimError:
        return
    assert read_claim(read, MAX_CHARACTERS) == read
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in read)
    read.encode()
