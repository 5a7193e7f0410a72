"""Sources named within pasted text, other than by marks in square brackets."""

from __future__ import annotations

import pytest

from retrieval.text.extraction.prose import read_prose


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("The mill opened in 1889 (britannica.com). It is old.", "The mill opened in 1889. It is old."),
        (
            "The mill is old.Wikipedia+2Britannica+1 It was built by Ann Lee.",
            "The mill is old. It was built by Ann Lee.",
        ),
        ("It was built by Ann Lee. Wikipedia+1", "It was built by Ann Lee."),
        ("Reefs lost half of it (Ross et al., 2017; Ash & Bell, 2010).", "Reefs lost half of it."),
        (
            "It opened in 1932 (1). It is long (2). It bears trains (1,3).",
            "It opened in 1932. It is long. It bears trains.",
        ),
        ("The mill is tall [Source: The Gazette].", "The mill is tall."),
        (
            "The mill stands in Paris [Britannica](https://www.britannica.com/topic/mill-1). "
            "It opened in 1889 [Wikipedia](https://en.wikipedia.org/wiki/Old_Mill).",
            "The mill stands in Paris. It opened in 1889.",
        ),
    ],
)
def test_sources_are_left_out(given: str, shown: str) -> None:
    assert read_prose(given).text == shown


@pytest.mark.parametrize(
    "text",
    [
        "Ann (Lee, 1832) was born in Dijon.",
        "He scored twice (2). The next year he scored (3) again.",
        "The A+2 grade is rare, and she is 30+5 years old.",
        "The film Alien (1979) was shown in Rome.",
    ],
)
def test_what_a_sentence_says_stays(text: str) -> None:
    assert read_prose(text).text == text


def test_a_link_that_the_sentence_needs_stays() -> None:
    assert read_prose("He joined [Google](https://www.google.com/about).").text == "He joined Google."
