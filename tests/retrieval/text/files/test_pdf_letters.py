"""PDFs whose letters, lines and rows are placed in unusual ways: spaced, justified, counted, in tables and contents."""

from __future__ import annotations

from time import process_time

import pytest

from retrieval.text.files.pdf.bullets import with_bullets
from retrieval.text.files.pdf.drawings import Box
from retrieval.text.files.pdf.letters import Letter
from tests.retrieval.text.files.test_pdf import LEFT, Words, drawn, lines, paragraphs, width


def placed(x: float, y: float, *words: str, gap: float, size: float = 10) -> list[Words]:
    """Words on one line, each drawn by itself, with this gap between them."""
    found: list[Words] = []
    for word in words:
        found.append((x, y, size, word))
        x += width(word) * size / 10 + gap
    return found


def test_the_last_word_of_a_justified_line_is_no_note() -> None:
    text = [
        "which crossed the weir and",
        "the town never paid Ann Lee-Hall-Road",
        "for it nor did they",
        "see to the repair of it and",
        "so it fell into the water.",
    ]
    words: list[Words] = []
    for number, line in enumerate(text):
        *others, last = line.rsplit(" ", 1)
        end = (250 - width(last), 700.0 - 12 * number, 10.0, last)
        words += [*placed(60, end[1], *others[0].split(), gap=6 if number in (0, 2) else 3), end]
    found = paragraphs(drawn([*lines(60, 760, *LEFT), *words]))
    assert " ".join(text) in " ".join(found)


@pytest.mark.parametrize("spaced", [2.5, 3.5])
def test_letters_spaced_widely_make_words(spaced: float) -> None:
    setting = f"BT /F1 10 Tf {spaced} Tc 60 700 Td (The weir was never sold in) Tj 0 -12 Td (1950.) Tj 0 Tc ET"
    assert paragraphs(drawn([], before=setting)) == ["The weir was never sold in 1950."]


def test_words_of_justified_lines_that_begin_at_one_place_are_no_column() -> None:
    left = ("merchants of the town had", "never", "asked for it, and in 1950 the")
    words = [*lines(60, 760, *LEFT), *lines(60, 700, "The mill was bought in 1949, since the old")]
    for number, (first, last) in enumerate(
        [("demanded an", "extraordinary"), ("enlargement of the", "installations"), ("hall in", "1950, which cost")]
    ):
        y, size = 688.0 - 12 * number, 10.0
        *others, near = first.split()
        words += [*placed(60, y, *others, gap=9), (150 - width(near) + 0.0, y, size, near), (164.0, y, size, last)]
    found = " ".join(paragraphs(drawn([*words, *lines(60, 652, f"{left[0]} {left[1]} {left[2]} board sold it.")])))
    assert "demanded an extraordinary enlargement of the installations hall in 1950, which cost" in found


def test_letters_on_a_grid_make_words() -> None:
    signs = [
        (60 + 6.5 * place, 700.0, 10.0, sign)
        for place, sign in enumerate("The still mill is tall in 1932.")
        if sign != " "
    ]
    assert paragraphs(drawn(signs)) == ["The still mill is tall in 1932."]


def test_a_figure_in_which_a_digit_is_struck_out_stays_one_figure() -> None:
    whole, start = "It is 405 km long.", 60 + width("It is 4")
    line = f"{start} 703 m {start + 5.56} 703 l S"
    assert paragraphs(drawn([(60, 700, 10, whole)], after=line)) == ["It is 45 km long."]


@pytest.mark.parametrize("step", [1, 5])
def test_numbers_that_count_the_lines_are_none_of_the_text(step: int) -> None:
    text = [*LEFT, "The town paid for the repair, and the", "council set a toll for each barge that", "passed the lock beside it until 1901.",
            "The lock has not been used since the", "war, and it is full of reeds, although", "the town has often tried to have it", "cleaned.",
            "It never was, since nobody would pay", "for it, and so the weir and the lock", "are as they were in the year of 1862."]  # fmt: skip
    numbers = [(30.0, 760.0 - 12 * place, 8.0, str(place + 1)) for place in range(len(text)) if (place + 1) % step == 0]
    assert " ".join(paragraphs(drawn([*numbers, *lines(60, 760, *text)]))) == " ".join(text)


def test_rows_of_a_table_and_of_contents_are_no_sentence() -> None:
    rows = [
        (60.0, 760.0, 10.0, "Year"),
        (300.0, 760.0, 10.0, "Guests"),
        (60.0, 748.0, 10.0, "2001"),
        (300.0, 748.0, 10.0, "1,900"),
    ]
    assert paragraphs(drawn(rows)) == ["Year Guests", "2001 1,900"]
    contents = lines(
        60,
        760,
        "1 The weir was built in 1811 ..................... 4",
        "2 The lock is old . . . . . . . . . . . . . . . . . 12",
        "3 The mill",
    )
    assert paragraphs(drawn(contents)) == ["1 The weir was built in 1811", "2 The lock is old", "3 The mill"]
    items = lines(
        60, 760, "(a) The weir was built in 1811;", "(b) it was not raised before the flood, and", "(c) it has a lock."
    )
    assert len(paragraphs(drawn(items))) == 3


def test_items_whose_bullets_are_shapes_are_separate() -> None:
    items = ["The mill has two weirs", "It cost four million pounds, twice as much", "Nine guests in the year of 1990"]
    drawn_items = lines(60, 760, *items)
    circle = "{0} {1} m {2} {1} l {2} {3} l {0} {3} l h f"
    shapes = "\n".join(circle.format(48, 762 - 12 * number, 51, 765 - 12 * number) for number in range(len(items)))
    assert paragraphs(drawn(drawn_items, after=shapes)) == items


def test_a_heading_of_two_large_lines_is_one_line() -> None:
    heading = lines(60, 760, "How the old mill at Aldbrook lost its", "Weir", size=20, step=26)
    assert paragraphs(drawn([*heading, *lines(60, 700, *LEFT)])) == [
        "How the old mill at Aldbrook lost its Weir",
        " ".join(LEFT),
    ]


def test_slanted_words_are_apart_and_whole() -> None:
    slanted = "BT /F1 60 Tf .707 .707 -.707 .707 120 600 Tm (DRAFT) Tj ET"
    assert paragraphs(drawn(lines(60, 760, *LEFT), after=slanted)) == ["DRAFT", " ".join(LEFT)]


def test_numbers_that_count_the_lines_of_a_transcript_are_none_of_it() -> None:
    text = ["Q. Where were you when the mill burned?", "", "A. At home. The fire began in the", "boiler room at ten. It took an hour.",
            "Q. Who was there?", "A. Nobody was.", "THE COURT: Thank you."]  # fmt: skip
    numbers = [(30.0, 760.0 - 24 * place, 10.0, str(place + 1)) for place in range(len(text))]
    spoken = [(60.0, 760.0 - 24 * place, 10.0, line) for place, line in enumerate(text) if line]
    joined = [text[0], f"{text[2]} {text[3]}", *text[4:]]
    assert paragraphs(drawn([*numbers, *spoken])) == joined


def test_sentences_in_cells_of_two_lines_are_read_one_after_the_other() -> None:
    left = ("The line was electrified in 1961 at a", "cost of 14 million pounds.")
    right = ("Steam trains ran until 1962, when the", "last engine went to a museum.")
    found = paragraphs(
        drawn([*lines(60, 760, *left), *lines(300, 760, *right), (60, 720, 10, "It was closed in 1985.")])
    )
    assert found == [" ".join(left), " ".join(right), "It was closed in 1985."]


def test_many_cells_of_two_lines_are_read_in_order_and_soon() -> None:
    def row(number: int) -> list[str]:
        return [
            f"The line {number} was electrified in 1961 at a cost of millions.",
            f"Train {number} ran until 1962, when the last engine went away.",
            f"{number} is a line of this table that leaves no room for a gutter, wherever it may stand on the page.",
        ]

    rows = [row(number) for number in range(10, 210)]
    words: list[Words] = []
    for at, (left, right, below) in enumerate(rows):
        top, right_edge = 9000.0 - 45 * at, 300.0 + 7 * at % 60
        for x, text in ((60.0, left), (right_edge, right)):
            first, second = text[:-18], text[-17:]
            words += [(x, top, 10.0, first), (x, top - 12, 10.0, second)]
        words.append((60.0, top - 30, 10.0, below))
    began = process_time()
    found = paragraphs(drawn(words))
    assert process_time() - began < 5
    assert [" ".join(text.split()) for text in found] == [text for row in rows for text in row]


def test_a_bullet_among_more_letters_than_a_line_has_costs_nothing() -> None:
    letters = [Letter("a", 10.0 + place % 3, 12.0 + place % 3, 500.0, 10.0) for place in range(20_000)]
    began = process_time()
    assert with_bullets(letters, [Box(5.0, 501.0, 9.0, 505.0)] * 1_000) == letters
    assert process_time() - began < 2
