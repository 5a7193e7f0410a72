"""Sources named within pasted text, other than by marks in square brackets."""

from __future__ import annotations

import pytest

from retrieval.text.pasted.prose import read_prose


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
        ("The town has (1) a mill and (2) a lock.", "The town has a mill and a lock."),
        ("It opened in 1889.(1) It is long.(2)", "It opened in 1889. It is long."),
        ("The army (1) shot five men and (2) burned the mill.", "The army shot five men and burned the mill."),
        ("The mill is tall [Source: The Gazette].", "The mill is tall."),
        (
            "The mill stands in Paris [Britannica](https://www.britannica.com/topic/mill-1). "
            "It opened in 1889 [Wikipedia](https://en.wikipedia.org/wiki/Old_Mill).",
            "The mill stands in Paris. It opened in 1889.",
        ),
        ("The mill opened in 1793 (via t.co/abc123). It is old.", "The mill opened in 1793. It is old."),
        ("It holds 35 works https://bit.ly/3abc", "It holds 35 works"),
        ("It is old. https://bit.ly/3abc It is tall.", "It is old. It is tall."),
        ("The mill is old.\nhttps://example.org/mill\nIt is tall.", "The mill is old.\n\nIt is tall."),
        ("It is old. Source: https://example.org/mill", "It is old."),
        ("It was built by Ann Lee (Wikipedia).", "It was built by Ann Lee."),
        ('It is long.[[1]](https://x.org/a) It is old.[[2]](https://x.org/b "t")', "It is long. It is old."),
        (
            "It is long \u200b[1](https://x.org/a)\u200b. It is old [[Source](https://x.org/b)].",
            "It is long. It is old.",
        ),
        ("PARIS (Reuters) - The mill is old.", "PARIS (Reuters) - The mill is old."),
        ("1) The mill is old\n   a) It is long\n   b) It is tall", "The mill is old\n   It is long\n   It is tall"),
        ("**More**\n<details><summary>It</summary>\n\nIt is old.\n\n</details>", "More\nIt\n\nIt is old.\n\n"),
        ("It is long [1](https://x.org/a) and old [source](https://x.org/b).", "It is long and old."),
    ],
)
def test_sources_are_left_out(given: str, shown: str) -> None:
    assert read_prose(given).text == shown


@pytest.mark.parametrize(
    "text",
    [
        "Ann (Lee, 1832) was born in Dijon.",
        "He scored twice (2). The next year he scored (3) again.",
        "The firm won one (1) prize, and two (2) mills were built.",
        "It was so. (400) men died.",
        "The gene p53 (1) was found in 1979.",
        "The A+2 grade is rare, and she is 30+5 years old.",
        "The film Alien (1979) was shown in Rome.",
        "The page is at https://example.org/mill",
        "The museum shows Weir (Britannia).",
    ],
)
def test_what_a_sentence_says_stays(text: str) -> None:
    assert read_prose(text).text == text


def test_a_link_that_the_sentence_needs_stays() -> None:
    assert read_prose("The mill ([built in 1811](https://x.org/a)) is old.").text == "The mill (built in 1811) is old."
    assert read_prose("It is old ([not open](https://x.org/a)).").text == "It is old (not open)."
    assert read_prose("It is old ([Britannica](https://x.org/a), [x.org](https://x.org/b)).").text == "It is old."
    assert read_prose("It is old (see [the report](https://x.org/a)).").text == "It is old."
    assert read_prose("He joined [Google](https://www.google.com/about).").text == "He joined Google."


def test_entities_are_the_signs_that_they_mean() -> None:
    assert read_prose("It was built&nbsp;by Lee &amp; Co. at AT&T &lt; 5 &unknown; R&D;").text == (
        "It was built by Lee & Co. at AT&T < 5 &unknown; R&D;"
    )
