"""PDFs: columns in their order, paragraphs over pages, margins apart, raised numbers never joined."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.files.pdf.letters import Letter, leftwards, lines_as_drawn
from retrieval.text.files.pdf.reading import read_pdf
from retrieval.text.files.plain_text import tidy

Words = tuple[float, float, float, str]  # x, y, size, text


def drawn(
    *pages: Iterable[Words], before: str = "", after: str = "", mark: tuple[float, ...] = (), signs: str = ""
) -> bytes:
    """A PDF in Helvetica whose words are drawn at these places. before, after: what is drawn below and over them. mark: what a
    reviewer strikes out on the first page: x0, y0, x1, y1. signs: letters by what the file says that they mean: "x=y".
    """
    writer = pypdf.PdfWriter()
    name = pypdf.generic.NameObject
    font = {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Helvetica"), name("/Encoding"): name("/WinAnsiEncoding")}  # fmt: skip
    if signs:
        pairs = [pair.split("=") for pair in signs.split()]
        means = "".join(f"<{ord(one):02x}> <{other.encode('utf-16-be').hex()}>\n" for one, other in pairs)
        table = pypdf.generic.DecodedStreamObject()
        table.set_data(
            f"1 begincodespacerange\n<00> <ff>\nendcodespacerange\n{len(pairs)} beginbfchar\n{means}endbfchar".encode()
        )
        font[name("/ToUnicode")] = writer._add_object(table)
    for words in pages:
        body = "".join(
            f"BT /F1 {size} Tf {x} {y} Td ({text.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj ET\n"
            for x, y, size, text in words
        )
        stream = pypdf.generic.DecodedStreamObject()
        stream.set_data(f"{before}\n{body}\n{after}".encode("cp1252"))
        page = writer.add_blank_page(595, 842)
        fonts = pypdf.generic.DictionaryObject({name("/F1"): pypdf.generic.DictionaryObject(font)})
        page[name("/Resources")] = pypdf.generic.DictionaryObject({name("/Font"): fonts})
        page[name("/Contents")] = writer._add_object(stream)
    if mark:
        x0, y0, x1, y1 = map(pypdf.generic.FloatObject, mark)
        points = pypdf.generic.ArrayObject([x0, y1, x1, y1, x0, y0, x1, y0])
        struck = {"/Subtype": name("/StrikeOut"), "/QuadPoints": points, "/Rect": pypdf.generic.RectangleObject(mark)}
        writer.add_annotation(0, {**struck, "/Type": name("/Annot")})
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


@pytest.mark.parametrize("x", [20, 420])
@pytest.mark.parametrize("down", [0, 3, 24, 27, 84])
@pytest.mark.parametrize("note", [("A map of 1870.",), ("A map of 1870,", "by the town.")])
def test_a_short_note_beside_a_text_stands_in_none_of_its_sentences(
    x: float, down: float, note: tuple[str, ...]
) -> None:
    text = (*LEFT, "The town paid for the repair, and the", "council set a toll for each barge that", "passed the lock beside it until 1901.")  # fmt: skip
    found = paragraphs(drawn([*lines(130, 760, *text), *lines(x, 760 - down, *note)]))
    assert " ".join(note) in found
    assert " ".join(line for line in found if line != " ".join(note)) == " ".join(text)


def test_words_far_apart_in_a_line_are_no_note() -> None:
    text = [*lines(130, 760, *LEFT[:2]), *lines(130, 736, "needed more"), *lines(230, 736, "in summer. It was"), *lines(130, 724, *LEFT[3:], *RIGHT[1:])]  # fmt: skip
    assert "needed more in summer" in " ".join(paragraphs(drawn(text)))


@pytest.mark.parametrize(("size", "base", "beside"), [(36, 736, 3), (24, 748, 2), (48, 724, 4)])
def test_a_large_first_letter_begins_its_word(size: float, base: float, beside: int) -> None:
    text = ("hen the weir at Aldbrook was built in", "1811 the mill needed more water, and", "its owner was not asked to pay for it.",
            "The town was not asked either, which", "it remembered for a hundred years.")  # fmt: skip
    words = [
        (60, base, size, "W"),
        *lines(60 + size, 760, *text[:beside]),
        *lines(60, 760 - 12 * beside, *text[beside:]),
    ]
    for order in (words, words[1:] + words[:1]):
        assert "".join(paragraphs(drawn(order))).replace(" ", "") == f"W{''.join(text)}".replace(" ", "")
        assert paragraphs(drawn(order))[0].startswith("When the weir at Aldbrook was built in 1811 the mill")


def test_where_a_story_goes_on_is_no_part_of_it() -> None:
    first = [
        *lines(60, 760, "The mayor said that the bridge is not", "open to lorries and that it will stay so"),
        (60, 736, 8, "Continued on page 4"),
    ]
    second = [
        (60, 800, 8, "Continued from page 1"),
        *lines(60, 760, "until the town has found the money for", "its repair."),
    ]
    assert paragraphs(drawn(first, second)) == [
        "The mayor said that the bridge is not open to lorries and that it will stay so until the town has found the money for its repair."
    ]


CHANGED = [
    (60, 700, 10, "The weir was built in"),
    (160, 700, 10, "1790"),
    (186, 700, 10, "1811."),
    (60, 688, 10, "It is old."),
]


@pytest.mark.parametrize(
    "drawing",
    [
        "160 703 22.5 0.6 re f",  # an area as thin as a line
        "0.5 w 160 703 m 182.5 703 l S",  # a line
        "q 1 0 0 1 100 600 cm 0.5 w 60 103 m 82.5 103 l S 60 20 m 300 20 l S Q",  # in a frame of its own
    ],
)
def test_words_that_a_line_runs_through_are_left_out(drawing: str) -> None:
    found = read_pdf(drawn(CHANGED, after=drawing))
    assert found.text == "The weir was built in 1811. It is old."
    assert found.notes == ("left out: 1 struck-out word",)
    assert read_pdf(drawn(CHANGED, mark=(159, 698, 184, 709))).text == found.text


def test_a_struck_out_line_leaves_no_space_in_the_line_above() -> None:
    shown = drawn([(60, 700, 10, "It was built"), (60, 688, 10, "so long ago")], after="60 691 60 0.6 re f")
    assert read_pdf(shown).text == "It was built"


@pytest.mark.parametrize(
    "drawing", ["0.5 w 60 698.5 m 220 698.5 l S", "60 693 m 220 693 l S", "60 695 170 13 re S", "171 690 m 171 710 l S"]
)
def test_words_between_lines_stay(drawing: str) -> None:
    assert "in 1790 1811." in read_pdf(drawn(CHANGED, before=drawing)).text


def test_white_words_are_left_out_where_nothing_is_behind_them() -> None:
    white = "BT 1 g /F1 10 Tf 60 640 Td (The weir is new.) Tj ET"
    found = read_pdf(drawn(CHANGED, after=white))
    assert "new" not in found.text
    assert found.notes == ("left out: 4 hidden words",)
    shown = read_pdf(drawn(CHANGED, before="0.1 0.2 0.4 rg 50 630 200 24 re f 0 g", after=white))
    assert "The weir is new." in shown.text
    assert not shown.notes


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


def test_a_sentence_goes_on_over_the_page_and_heads_are_left_out() -> None:
    first, second = (
        (*LEFT[:3], "raised by a metre in 1862, after the"),
        ("Great Flood had carried off its crest.", *RIGHT),
    )
    found = read_pdf(drawn(bound(1, *first), bound(2, *second), bound(3, *RIGHT)))
    shown = found.text.split("\n")
    assert " ".join((*first, "\f", *second)).replace(" \f ", "\f") in shown
    assert not [line for line in shown if HEAD in line or FOOT in line]
    assert found.title == HEAD
    assert not [line for line in shown if line.endswith((" 1", " 2", " 3"))]
    assert found.text.count("\f") == 2


def test_heads_of_chapters_stand_apart_once() -> None:
    pages = [[(60, 810, 9, f"Chapter {'IV'[half]}"), *lines(60, 770, *LEFT)] for half in (0, 0, 1, 1, 1)]
    shown = read_pdf(drawn(*pages)).text.replace("\f", "\n").split("\n")
    assert [shown.count(f"Chapter {number}") for number in "IV"] == [1, 0]


def test_notes_that_differ_in_their_numbers_are_no_running_feet() -> None:
    notes = [f"{page} Minutes of the board, volume {2 * page + 1}, 1863." for page in (1, 2, 3)]
    shown = paragraphs(drawn(*([*lines(60, 770, *LEFT), (60, 60, 7, note)] for note in notes)))
    assert [line for line in shown if "Minutes" in line] == notes


def test_heads_over_columns_are_left_out_too() -> None:
    page = [*lines(60, 760, *LEFT), *lines(300, 760, *RIGHT)]
    heads = [(60, 810, 8, "11/26/26, 4:00 PM"), (300, 810, 8, "The weir of Aldbrook")]
    feet = [(60, 30, 8, "https://example.org/weir.html"), (560, 30, 8, "1/2")]
    assert paragraphs(drawn([*heads, *page, *feet])) == [" ".join(LEFT), " ".join(RIGHT)]


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
    found = [Letter(sign, float(x), x + 6.0, 700.0, 10.0) for sign, x in places]
    assert leftwards(found)
    assert [piece.text() for piece in lines_as_drawn(found)] == ["גשר 19."]


def test_letters_of_equations_and_signs_of_symbol_fonts_are_read() -> None:
    shown = drawn([(60, 780, 10, "Here E=mc at 45# today.")], signs="E=\U0001d438 m=\U0001d45a #=\uf0b0")
    assert paragraphs(shown) == ["Here E=mc at 45° today."]


def test_the_number_of_a_note_is_not_glued_to_it() -> None:
    note = [(60, 60, 7, "1The minutes of the board.")]
    assert paragraphs(drawn([*lines(60, 770, *LEFT), *note]))[-1] == "1 The minutes of the board."


def test_accents_and_quotation_marks_are_read() -> None:
    assert paragraphs(drawn([(60, 780, 10, "Café “Zoë” is open.")])) == ["Café “Zoë” is open."]


@given(st.lists(st.tuples(st.integers(0, 590), st.integers(0, 840), st.sampled_from([6, 10, 11, 30]), st.sampled_from(["weir", "1811.", "The", "a-", "x" * 40])), max_size=40, unique_by=lambda word: (word[0] // 5, word[1] // 5)))  # fmt: skip
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
