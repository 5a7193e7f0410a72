"""Rules that find sentences, and the passages made of them."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.files.plain_text import tidy, unwrap
from retrieval.text.sentences import LONGEST_UNCUT, passages, sentence_spans
from tests.timing import grows_in_proportion


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


@pytest.mark.parametrize(
    "expected",
    [
        ["The mill opened in 1871.[1]", "It is 30 m tall.[2][3]", "The yard is closed.[citation needed]", "It is old."],
        ["The mill opened in 1871.¹", "It burned down in 1901.² ³", "Nobody was hurt.⁴"],
        ["The mill opened in 1871.12", "It burned down.13", "“It was late.”14", "The owner left."],
        [
            "It is made of wood.[a]",
            "The roof is new.[note 3]",
            "He left.[12]: 45",
            "She stayed. [5]",
            "They met.【4†source】",
            "No.",
        ],
        ["The dam holds 400 tonnes.*", "It was built in 1970.†", "It is old.‡", "The end."],
        ["The Louvre is in Paris.:12", "It was opened in 1793.:3–4", "The train left at 5:12."],
        [
            "It opened in 1793.[oaicite:0]{index=0}",
            "It is old.oaicite:3",
            "It is big.[cite: 3, 4]",
            "It is red.[web:1]",
            "No.",
        ],
        ["It cost $3.12 It is cheap on Sept.12 The end."],
    ],
)
def test_a_mark_of_a_citation_ends_its_sentence(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "month", "Jan. Feb. Mar. Apr. Jun. Jul. Aug. Sep. Sept. Oct. Nov. Dec. Tues. Thurs. Sat.".split()
)
def test_no_date_is_cut(month: str) -> None:
    assert sentences(f"It was held on {month} 5, 1999. It failed.") == [
        f"It was held on {month} 5, 1999.",
        "It failed.",
    ]


@pytest.mark.parametrize(
    "expected",
    [
        ["J.R.R. Tolkien met E.M. Forster and C.I.D. Moosa.", "He left."],
        ["See Vol. II, pp. 12 ff., and Tab. 4.", "Dr. med. Ann Lee read the EU Reg. No. 12.", "He said no.", "I left."],
        ["It has … 12 rooms.", "It ended …", "He left."],
        [
            "The act (110 Stat. 1936) holds.",
            "So does 5 Cal. App. 4th 12.",
            "Few know that stat.",
            "5 people built an app.",
            "4 left.",
        ],
        ["Congress passed H.R. 12 in May.", "It became Pub. L. 94-142, 42 U.S.C. 1983.", "It holds."],
        ["The unit left Ft. Hood.", "The wall is 3 ft. high."],
        ["Marshall Mathers a.k.a. Eminem sang.", "He won."],
        ["The king reigned until Mar. 1650.", "The sun sat.", "5 people saw the mar.", "2 more did not."],
        ["Op. 39 was played.", "The law of King George V. was kept by Geo. Hill."],
        ["It was under George V.", "The king was ill."],
    ],
)
def test_abbreviations_end_no_sentence(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The wall is 5 km long.The tower is old.Paris grew.", ["The wall is 5 km long.", "The tower is old.", "Paris grew."]),
        ("It rose by 3.5%.In 2012 it fell by 2°.The end.", ["It rose by 3.5%.", "In 2012 it fell by 2°.", "The end."]),
        ("It ended (in 1990).It was late.Was it?Yes it was.", ["It ended (in 1990).", "It was late.", "Was it?", "Yes it was."]),
        ("He left the U.S.He died in the U.S.A.The end.", ["He left the U.S.", "He died in the U.S.A.", "The end."]),
        ("The trade of Node.js, U.S.C.A.Inc. and ASP.NET grew.",) * 2,
        ("See www.Example.com, README.The.md and System.Out for v3.5 by J.Smith.",) * 2,
        ("Visit Booking.com or index.Html at a/b.The/c and me@b.The.org.",) * 2,
    ],
)  # fmt: skip
def test_a_forgotten_space_ends_a_sentence_too(text: str, expected: list[str] | str) -> None:
    assert sentences(text) == ([expected] if isinstance(expected, str) else expected)


TEXTS = st.text(st.sampled_from("abAB19.!? \n\f\"')(。é-[]¹") | st.characters(), max_size=300)


@given(TEXTS)
def test_sentences_hold_every_character_in_order(text: str) -> None:
    spans = sentence_spans(text)
    assert all(0 < end - start <= LONGEST_UNCUT for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.lists(TEXTS, max_size=12))
def test_passages_join_to_the_text_and_keep_its_sentences(texts: list[str]) -> None:
    text = "".join(piece * 40 for piece in texts)
    assert "".join(passages(text)) == text
    assert [sentence for part in passages(text) for sentence in sentences(part)] == sentences(text)


@given(TEXTS)
def test_tidy_is_idempotent_and_clean(text: str) -> None:
    clean = tidy(text)
    assert tidy(clean) == clean
    assert unicodedata.is_normalized("NFC", clean)
    assert not {char for char in clean if unicodedata.category(char) in ("Cc", "Cs")} - {"\n", "\f"}


def test_text_without_spaces_is_bounded() -> None:
    assert max(map(len, passages("x" * 100_000))) <= 400 * 8
    assert max(map(len, passages("字。" * 50_000))) <= 400 * 8


@pytest.mark.parametrize(
    "unit",
    [
        ".",
        "A. ",
        "a. ",
        "?! ",
        '" ',
        "\n",
        "\f",
        " ",
        "Mr. ",
        "“",
        "1. ",
        ". A",
        ".[1]",
        ". [",
        ".¹",
        "ab.Ab",
        ".[a ",
        "a.1,1",
    ],
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    def read(units: int) -> None:
        text = tidy(unwrap("Start here " + unit * units + " end."))
        assert "".join(passages(text)) == text

    assert grows_in_proportion(read, 2_000)
