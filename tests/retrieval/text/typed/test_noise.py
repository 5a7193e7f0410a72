"""What surrounds a pasted statement goes; the statement stays."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.typed.noise import without_noise

PLAIN = "The Anchor Bridge was opened in 1932."


@pytest.mark.parametrize(
    "typed",
    [
        f"🚨BREAKING🚨 {PLAIN}",
        f"{PLAIN} 🌉🇬🇧",
        f"FACT: {PLAIN}",
        f"Fun fact - {PLAIN}",
        f"RT @somebody: {PLAIN} https://example.org/a?b=c",
        f"@ann @bob {PLAIN}",
        f"{PLAIN} #bridges #history",
        f"#fact {PLAIN}",
        f"#DidYouKnow #history {PLAIN}",
        f"“{PLAIN}”",
        f"1. {PLAIN}",
        f"- {PLAIN}",
        f"> ## {PLAIN}",
        "**The Anchor Bridge** was _opened_ in `1932`.",
        "The [Anchor Bridge](https://example.org) was opened in 1932.[4]",
        "The Anchor Bri\u00addge was\u00a0opened\u200d in 1932.",
        "The Anchor Bridge was opened in 1932. 👍🏽",
    ],
)
def test_only_the_statement_is_left(typed: str) -> None:
    assert without_noise(typed) == PLAIN


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("#AnchorBridge is in #Harlow", "Anchor Bridge is in Harlow"),
        ("#HarlowIsInEngland", "Harlow is in England"),
        ("#history is a subject at school", "history is a subject at school"),
        ("@NASA is based in Washington.", "NASA is based in Washington."),
        ("Salt &amp; pepper are spices.", "Salt & pepper are spices."),
        ("The co\ufb00ee house is closed.", "The coffee house is closed."),
        ("THE ANCHOR BRIDGE IS IN HARLOW", "The Anchor Bridge is in Harlow"),
        ("𝗧𝗵𝗲 bridge is 45° steep.", "The bridge is 45° steep."),
        ("whales arent fish", "whales aren't fish"),
        ("The bridge is open!!!", "The bridge is open!"),
    ],
)
def test_what_looks_otherwise_is_read_as_meant(typed: str, read: str) -> None:
    assert without_noise(typed) == read


@pytest.mark.parametrize(
    "claim",
    [
        "1. FC Nürnberg is a football club.",
        "3. Liga is a league.",
        "“The Office” was made by “NBC”.",
        "'Tis Pity She's a Whore is a play.",
        "M*A*S*H is a series.",
        "Jeopardy! is a quiz.",
        "Breaking Bad is a series.",
        "C# and F# are languages.",
        "10⁹ is a billion.",
        "P!nk and AC/DC toured in 2009.",
        "NASA is an agency.",
    ],
)
def test_a_statement_with_odd_names_stays_as_it_is(claim: str) -> None:
    assert without_noise(claim) == claim


@given(st.text(max_size=300))
def test_anything_can_be_read(text: str) -> None:
    line = " ".join(text.split())
    found = without_noise(line)
    assert found or not line
    assert any(map(str.isalnum, found)) or found == line


@pytest.mark.parametrize("unit", ["@a ", "#a ", "*a ", "_", "[a", "“", "- ", "&amp;", "FACT: ", "http://a ", "a.b "])
def test_it_takes_linear_time(unit: str) -> None:
    started = time.process_time()
    without_noise(unit * 2_000)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "typed",
    [
        "Otters are fish (source: Wikipedia)",
        "Otters are fish. Source: my teacher",
        "Otters are fish - Wikipedia",
        "Otters are fish | BBC News",
        "Otters are fish [via The Guardian]",
        "1/ Otters are fish",
        "Otters are fish Otters are fish",
        "Otters are fish. Otters are fish.",
    ],
)
def test_where_it_was_read_and_what_was_pasted_twice_are_left_out(typed: str) -> None:
    assert without_noise(typed).rstrip(".") == "Otters are fish"


@pytest.mark.parametrize(
    "typed",
    [
        "The film (from 1995) won an Oscar.",
        "1/2 of otters are fish",
        "He lived in Berlin - Mitte.",
        "New York, New York",
        "Duran Duran",
        "The source is a spring.",
        "Reuters - a news agency - is old.",
    ],
)
def test_what_only_looks_like_a_source_stays(typed: str) -> None:
    assert without_noise(typed) == typed


@pytest.mark.parametrize("word", ["WWII", "JFK", "NASA", "HIV", "U.S.", "F16", "VIII"])
def test_initials_and_numerals_keep_their_capitals(word: str) -> None:
    assert without_noise(f"OTTERS KNEW {word} BY NAME") == f"Otters Knew {word} by Name"
