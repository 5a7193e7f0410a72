"""Sentences that say more than their quotation: what was said keeps its speaker, what the writer says has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.retrieval.text.extraction.test_quotations import CLOSED, MARKS, STATEMENTS, finder, marked, said, words

WON = "Ann Lee won the vote in 2010."
BUILT = "The tower was built in 1889."


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "The bridge is old, and “it will fall,” Ann Lee said on Monday.",
            [("The bridge is old.", ""), ("It will fall.", "Ann Lee")],
        ),
        (
            "The bridge was built in 1931, but “it was closed in 2019,” said Ann Lee.",
            [("The bridge was built in 1931.", ""), ("The bridge was closed in 2019.", "Ann Lee")],
        ),
        (
            "The council met in 2020, and Ann Lee said: “The old bridge in Harlow was closed in 2019.”",
            [("The council met in 2020.", ""), (CLOSED, "Ann Lee")],
        ),
        (f"Ann Lee, who won the vote in 2010, said: “{CLOSED}”", [(WON, ""), (CLOSED, "Ann Lee")]),
        (f'Ann Lee, who won the vote in 2010, said: "{CLOSED}" Bob Green then left.', [(WON, ""), (CLOSED, "Ann Lee"), ("Bob Green then left.", "")]),
        ("“The old bridge in Harlow was closed in 2019,” said Ann Lee, who won the vote in 2010.", [(CLOSED, "Ann Lee"), (WON, "")]),
        ("Ann Lee, who won the vote in 2010, said that the old bridge in Harlow was closed in 2019.", [(WON, ""), (CLOSED, "Ann Lee")]),
        (
            "“The old bridge in Harlow was closed in 2019,” said Ann Lee, while Bob Green wrote: “The tower was built in 1889.”",
            [(CLOSED, "Ann Lee"), (BUILT, "Bob Green")],
        ),
        (
            "“The old bridge in Harlow was closed in 2019,” said Ann Lee, and “the tower was built in 1889,” said Bob Green.",
            [(CLOSED, "Ann Lee"), (BUILT, "Bob Green")],
        ),
    ],
)  # fmt: skip
def test_the_writer_and_each_speaker_say_their_own(text: str, claims: list[tuple[str, str]]) -> None:
    assert said(text) == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "“The old bridge in Harlow was closed in 2019,” said Ann Lee as she opened the fair in 2021.",
        "Ann Lee said “the old bridge in Harlow was closed in 2019” and left.",
        "When the council met in 2020, Ann Lee said: “The old bridge in Harlow was closed in 2019.”",
        "“The old bridge in Harlow was closed in 2019,” said Ann Lee, whose father built the tower in 1889.",
    ],
)
def test_where_the_rest_cannot_stand_alone_the_sentence_stays_beside_what_was_said(sentence: str) -> None:
    assert said(sentence) == [(sentence, ""), (CLOSED, "Ann Lee")]


def test_who_an_aside_is_about_is_not_guessed() -> None:
    sentence = "The mayor of Harlow, which lies in Essex, said that the tower was built in 1889."
    assert said(sentence) == [(sentence, ""), (BUILT, "The mayor of Harlow")]


@pytest.mark.parametrize(
    "sentence",
    [
        "The report, “The tower was built in 1889,” was written by Ann Lee.",
        "Ann Lee was told that the tower was built in 1889.",
        "Ann Lee was told: “The tower was built in 1889.”",
    ],
)
def test_who_was_told_or_what_was_written_says_nothing(sentence: str) -> None:
    assert {speaker for _, speaker in said(sentence)} == {""}


FORMS = (
    "{0}, and “{1},” {who} said on Monday.",
    "{0}, but {who} said: “{1}.”",
    "{0}, and “{1},” said {who}, who knows the town.",
    "“{1},” {who} said, but {0}.",
    "“{1},” said {who} before {0}.",
    "{who} said, “{1},” while {0}.",
    "{0} — “{1},” {who} said.",
    "{who} said: “{1}.” {0}.",
)


@given(
    st.sampled_from(FORMS),
    st.permutations(STATEMENTS),
    st.sampled_from(("Ann Lee", "the mayor of Harlow", "Bob Green")),
    st.sampled_from(MARKS),
)
def test_nothing_of_the_writers_is_put_into_a_speakers_mouth(
    form: str, stated: list[str], who: str, marks: str
) -> None:
    text = marked(form, marks).format(*stated, who=who)
    claims = finder().find(text)
    assert all(text[claim.start : claim.end] == claim.original for claim in claims)
    own = " ".join(claim.text for claim in claims if not claim.speaker)
    told = " ".join(claim.text for claim in claims if claim.speaker)
    assert words(stated[0]) <= words(own), "the writer's own words stay the writer's"
    assert not words(stated[0]) - words(stated[1]) <= words(told), (text, claims)
    assert words(stated[1]) <= words(own) | words(told), "nothing vanishes"
