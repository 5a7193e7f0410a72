"""PDFs: columns in their order, paragraphs over pages, margins apart, raised numbers never joined."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.text.files.pdf.letters import Letter, leftwards, lines_as_drawn
from retrieval.text.files.pdf.reading import read_pdf
from retrieval.text.files.plain_text import tidy

Words = tuple[float, float, float, str]  # x, y, size, text


def drawn(*pages: Iterable[Words]) -> bytes:
    """A PDF in Helvetica whose words are drawn at these places."""
    writer = pypdf.PdfWriter()
    name = pypdf.generic.NameObject
    font = {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Helvetica"), name("/Encoding"): name("/WinAnsiEncoding")}  # fmt: skip
    for words in pages:
        body = "".join(
            f"BT /F1 {size} Tf {x} {y} Td ({text.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj ET\n"
            for x, y, size, text in words
        )
        stream = pypdf.generic.DecodedStreamObject()
        stream.set_data(body.encode("cp1252"))
        page = writer.add_blank_page(595, 842)
        fonts = pypdf.generic.DictionaryObject({name("/F1"): pypdf.generic.DictionaryObject(font)})
        page[name("/Resources")] = pypdf.generic.DictionaryObject({name("/Font"): fonts})
        page[name("/Contents")] = writer._add_object(stream)
    file = BytesIO()
    writer.write(file)
    return file.getvalue()


def lines(x: float, y: float, *texts: str, size: float = 10, step: float = 12) -> list[Words]:
    return [(x, y - number * step, size, text) for number, text in enumerate(texts)]


def paragraphs(content: bytes) -> list[str]:
    return [line for line in read_pdf(content).text.replace("\f", " ").split("\n") if line.strip()]


LEFT = (
    "The weir at Aldbrook was built in", "1811 by the owner of the mill, who", "needed more water in summer. It was",
    "raised by a metre in 1862, after a", "flood had carried off its crest.",
)  # fmt: skip
RIGHT = ("The lock beside it is younger. It", "was dug in 1874 for barges that", "brought coal to the town, and it", "has not been used since the war.")  # fmt: skip


def test_narrow_lines_are_joined() -> None:
    assert paragraphs(drawn(lines(60, 780, *LEFT))) == [" ".join(LEFT)]


def test_columns_are_read_one_after_the_other_however_they_were_drawn() -> None:
    columns = [*lines(60, 760, *LEFT), *lines(300, 760, *RIGHT)]
    by_rows = sorted(columns, key=lambda word: -word[1])
    title = (60, 800, 16, "A report about the water of Aldbrook and of its mills")
    for words in (columns, by_rows, columns[::-1]):
        assert paragraphs(drawn([title, *words])) == [title[3], " ".join(LEFT), " ".join(RIGHT)]


def test_a_sentence_goes_on_in_the_next_column() -> None:
    first, second = (*LEFT[:4], "flood had carried off"), ("its crest. Nobody was hurt, since", *RIGHT[1:])
    found = paragraphs(drawn([*lines(60, 760, *first), *lines(300, 760, *second)]))
    assert found == [" ".join((*first, *second))]


def test_a_table_is_read_by_its_rows() -> None:
    rows = [(60 + 120 * column, 760 - 14 * row, 10, text) for row, cells in enumerate((("Weir", "1811"), ("Lock", "1874"), ("Mill", "1790"), ("Quay", "1901"))) for column, text in enumerate(cells)]  # fmt: skip
    assert paragraphs(drawn(rows)) == ["Weir 1811", "Lock 1874", "Mill 1790", "Quay 1901"]


def test_letters_drawn_one_by_one_make_words() -> None:
    words, x = [], 60.0
    for letter in "The weir was built in 1811.":
        if letter != " ":
            words.append((round(x, 1), 780.0, 11.0, letter))
        x += {" ": 3.1, "i": 2.4, "l": 2.4, "t": 3.1, "w": 7.9, "T": 6.7}.get(letter, 6.1)
    assert paragraphs(drawn(words)) == ["The weir was built in 1811."]


@pytest.mark.parametrize(
    ("before", "raised", "after", "read"),
    [
        ("The lock was dug in 1874", "12", ". It is old.", "The lock was dug in 1874. It is old."),
        ("It holds 10", "9", " litres.", "It holds 10^9 litres."),
        ("It is 40 km", "2", " wide.", "It is 40 km² wide."),
        ("It closed on the 19", "th", " of May.", "It closed on the 19th of May."),
        ("The town", "3", " is old.", "The town is old."),
    ],
)
@pytest.mark.parametrize("small", [6.0, 10.0])
def test_raised_text_is_not_glued(before: str, raised: str, after: str, read: str, small: float) -> None:
    """Whether it is smaller or only higher."""
    widths = width(before), width(raised) * small / 10
    words = [(60, 780, 10, before), (60 + widths[0], 784, small, raised), (60 + sum(widths) + 0.2, 780, 10, after)]
    assert paragraphs(drawn(words)) == [read]


def width(text: str) -> float:
    """Of a text in Helvetica at 10 points."""
    narrow = {"i": 2.22, "l": 2.22, "t": 2.78, " ": 2.78, "k": 5, "c": 5, "s": 5, "f": 2.78, "r": 3.33, "w": 7.22, "m": 8.33, "T": 6.11, "I": 2.78, "M": 8.33}  # fmt: skip
    return sum(narrow.get(sign, 5.56) for sign in text)


HEAD, FOOT = "Aldbrook Water Report", "Board of Works"


def bound(page: int, *texts: str) -> list[Words]:
    """A page with its head, its foot and its number."""
    return [(60, 810, 9, HEAD), *lines(60, 770, *texts), (60, 40, 9, FOOT), (500, 40, 9, str(page))]


def test_a_sentence_goes_on_over_the_page_and_heads_stand_apart() -> None:
    first, second = (
        (*LEFT[:3], "raised by a metre in 1862, after the"),
        ("Great Flood had carried off its crest.", *RIGHT),
    )
    found = read_pdf(drawn(bound(1, *first), bound(2, *second), bound(3, *RIGHT)))
    shown = found.text.split("\n")
    assert " ".join((*first, "\f", *second)).replace(" \f ", "\f") in shown
    assert " ".join(shown).count(HEAD) == 1
    assert not [line for line in shown if line != HEAD and HEAD in line]
    assert not [line for line in shown if line.endswith((" 1", " 2", " 3"))]
    assert found.text.count("\f") == 2


def test_a_word_cut_at_the_end_of_a_page_is_put_together_before_the_next_begins() -> None:
    first, second = (
        (*LEFT[:3], "raised by a metre on the order of the govern-"),
        ("ment, after a flood.", "It was strong."),
    )
    assert "order of the government,\fafter a flood." in read_pdf(drawn(bound(1, *first), bound(2, *second))).text


def test_notes_at_the_foot_of_a_page_are_paragraphs_of_their_own() -> None:
    first, second = (*LEFT[:3], "raised by a metre in 1862, after a"), (LEFT[4], *RIGHT)
    note = lines(60, 120, "7 The minutes of the board, which met in", "Leeds, say 1863.", size=7, step=8)
    shown = paragraphs(drawn([*lines(60, 770, *first), *note], lines(60, 770, *second)))
    assert shown == [" ".join((*first, *second)), "7 The minutes of the board, which met in Leeds, say 1863."]


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        ("mid-", "1990s", "mid-1990s"), ("well-", "known", "well-known"), ("Austro-", "Hungarian", "Austro-Hungarian"),
        ("set-", "tled", "settled"), ("unem-", "ployed", "unemployed"), ("father-", "in-law", "father-in-law"),
    ],
)  # fmt: skip
def test_words_cut_at_the_end_of_a_line_keep_their_own_hyphens(first: str, second: str, read: str) -> None:
    found = paragraphs(
        drawn(lines(60, 780, f"They were in the long {first}", f"{second} and later.", "So it was said of them."))
    )
    assert found[0].startswith(f"They were in the long {read} and later.")


def test_a_list_stays_a_list() -> None:
    assert paragraphs(drawn(lines(60, 780, "Strawberries", "Plums", "Pears", "Kiwis"))) == [
        "Strawberries",
        "Plums",
        "Pears",
        "Kiwis",
    ]


def test_scripts_that_run_to_the_left_keep_the_order_in_which_they_are_told() -> None:
    """No font of the others has Hebrew, so its letters are placed as PDFium places them: figures run to the right."""
    places = [("ג", 90), ("ש", 84), ("ר", 78), (" ", 75), ("1", 60), ("9", 66), (".", 54)]
    found = [(Letter(sign, float(x), x + 6.0, 700.0, 10.0), 0) for sign, x in places]
    assert leftwards(found)
    assert [piece.text() for piece in lines_as_drawn(found)] == ["גשר 19."]


def test_accents_and_quotation_marks_are_read() -> None:
    assert paragraphs(drawn([(60, 780, 10, "Café “Zoë” is open.")])) == ["Café “Zoë” is open."]


@given(st.lists(st.tuples(st.integers(0, 590), st.integers(0, 840), st.sampled_from([6, 10, 11, 30]), st.sampled_from(["weir", "1811.", "The", "a-", "x" * 40])), max_size=40, unique_by=lambda word: (word[0] // 5, word[1] // 5)))  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_no_word_is_lost_wherever_it_is_drawn(words: list[Words]) -> None:
    """But page numbers, which are none here, repeated heads, of which there is one page, and what is drawn twice in one
    place, which is how some programs print bold letters: PDFium gives it once."""
    if not words:
        return
    found = tidy(read_pdf(drawn(words)).text)
    assert "".join(sorted("".join(found.split()))).count("w") == sum(word[3].count("w") for word in words)


def test_what_a_browser_prints_around_a_page_is_no_text() -> None:
    page = [(24, 800, 8, "11/25/26, 3:20 PM Weirs"), (60, 775, 24, "Weirs"), *lines(60, 740, *LEFT)]
    foot = (24, 20, 8, "https://example.org/weirs.html 1/1")
    assert paragraphs(drawn([*page, foot])) == ["Weirs", " ".join(LEFT)]
