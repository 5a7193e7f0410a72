"""What people read of a text, and where it stands in the text as given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.pasted.prose import read_prose
from retrieval.text.pasted.unseen import UNBREAKABLE
from retrieval.text.sentences import sentence_spans
from tests.timing import grows_in_proportion

PAGE = """<!DOCTYPE html><html><head><title>Towers</title><script>var x = "The sun is cold.";</script></head><body>
<h1>Towers</h1><p>The <b>Eiffel</b> Tower is in Paris.</p>
<p style="color:red; display: none">Nobody sees this sentence.</p>
<div hidden><p>Nor this one.</p><div>Nor this.</div></div><!-- And not this. -->
<p>AT&amp;T was founded in&nbsp;1885.<br>It is American.</p><span aria-hidden="true">Not me.</span></body></html>"""


def originals(text: str) -> list[tuple[str, str]]:
    prose = read_prose(text)
    spans = [(start, end, *prose.given(start, end)) for start, end in sentence_spans(prose.text)]
    return [(prose.text[start:end], text[first:last]) for start, end, first, last in spans]


def test_a_page_is_read_as_it_is_shown() -> None:
    found = originals(PAGE)
    assert [shown for shown, _ in found] == [
        "Towers", "The Eiffel Tower is in Paris.", "AT&T was founded in 1885.", "It is American."
    ]  # fmt: skip
    assert found[1][1] == "The <b>Eiffel</b> Tower is in Paris."
    assert found[2][1] == "AT&amp;T was founded in&nbsp;1885."


def test_a_hidden_paragraph_that_is_never_closed_ends_with_the_next_block() -> None:
    shown = read_prose("<p hidden>Gone.<p>Here.</p>").text
    assert "Gone" not in shown
    assert "Here." in shown


def test_signs_that_are_no_tags_stay() -> None:
    assert read_prose("5 < 6, and a<b > c. Fine.").text == "5 < 6, and a<b > c. Fine."
    assert "5 < 6" in read_prose("<p>5 < 6 is true.</p>").text


def test_marks_of_markdown_are_no_words() -> None:
    assert read_prose("# Towers\n\n- **Paris** is big.\n> Said.\n").text == "Towers\n\nParis is big.\nSaid.\n"


def test_lines_broken_to_fit_are_joined_and_headings_are_not() -> None:
    text = (
        "Towers of the world\n\nThe Eiffel Tower was built for the world fair that Paris held in\n"
        "1889 and was for a long time the highest building that people had ever\nmade.\nAnother paragraph.\n"
    )
    shown = [text for text, _ in originals(text)]
    assert shown[0] == "Towers of the world"
    assert shown[1].endswith("people had ever made.")
    assert shown[2] == "Another paragraph."


@pytest.mark.parametrize(
    ("cut", "whole"),
    [("was set-\ntled", "was settled"), ("is well-\nknown", "is well-known"), ("in the mid-\n1990s", "in the mid-1990s"), ("1914-\n1918", "1914-1918")],
)  # fmt: skip
def test_words_cut_at_the_end_of_a_line_are_put_together(cut: str, whole: str) -> None:
    start = "The old mill at the upper end of the long valley, where the road "
    end = " for as long as anybody who lives there remembers, and it\nwas burned down in the end by the owner himself."
    assert read_prose(start + cut + end).text == (start + whole + end).replace("\n", " ")
    prose = read_prose(start + cut + end)
    assert prose.given(0, len(prose.text)) == (0, len(start + cut + end))


def test_signs_that_turn_the_reading_direction_are_left_out() -> None:
    prose = read_prose("The tower\u202e is\u200b high.")
    assert prose.text == "The tower is high."
    assert prose.given(0, len(prose.text)) == (0, len("The tower\u202e is\u200b high."))


ANSWER = """# **History** of the mill ##

<!-- draft: The mill is in Spain. -->
The *old mill* in Harlow was opened in 1871[1] and cost ~~500~~ **900** pounds.[^a] It has 10^9^ bricks, 5 m^2^ of glass and
H~2~O ([Wikipedia](https://en.example.org/wiki/Mill_(Harlow)), [BBC][2]).

```python
print("The mill is in France.")
```

| Name | Height |
|------|:------:|
| Old mill | 30 m |
| The new mill is in Paris. | It is 40 m high. |

1. **Owner:** The mill belongs to Ann_Lee and was *sold in 1990.*
2. - [x] It burned down on the 1^st^ of May.
   > It was rebuilt at 5*3 and 4*2 pounds.

---

See [the report](https://x.example/a_b_c "A title") for `foo_bar`. [Source](https://x.example/s)
~~~markdown
The last line is here.[[3]](https://x.example/3) :contentReference[oaicite:0]{index=0}
~~~
[2]: https://bbc.example/x "BBC"
[^a]: The amount is that of the *Gazette*, said by a witness【4†source】.
"""


def test_an_answer_in_markdown_is_read_as_it_is_shown() -> None:
    assert [" ".join(shown.split()) for shown, _ in originals(ANSWER)] == [
        "History of the mill",
        "The old mill in Harlow was opened in 1871 and cost 900 pounds.",
        "It has 10^9 bricks, 5 m² of glass and H2O.",
        "Name", "Height", "Old mill", "30 m", "The new mill is in Paris.", "It is 40 m high.",
        "Owner:",
        "The mill belongs to Ann_Lee and was sold in 1990.",
        "It burned down on the 1st of May.",
        "It was rebuilt at 5*3 and 4*2 pounds.",
        "See the report for foo_bar.",
        "The last line is here.",
        "The amount is that of the Gazette, said by a witness.",
    ]  # fmt: skip


def test_a_fence_that_is_never_closed_hides_nothing() -> None:
    assert [shown for shown, _ in originals("```\nThe mill is old.\n~~~\nIt is high.")] == [
        "The mill is old.",
        "It is high.",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is the “[sic]” of [the mill]; array[i] and [2019] stay, 3 km² too.",) * 2,
        ("Snake_case_names, 2 * 3 * 4 and 5*3 stay; a*, b* too.",) * 2,
        ("It rose in [2], and fell [3].", "It rose in [2], and fell."),
        ("The *mill [in* Harlow](x) is **old**.", "The *mill in* Harlow is old."),
        ("The co\u00adop\u200ber\u2060ated mill cost 5\u202f000\xa0euros in mid\u20111990.", "The cooperated mill cost 5 000 euros in mid-1990."),
        ("#history #harlow The mill is old.", "The mill is old."),
        ("RT @some_one: The mill is old. #fact #Harlow https://t.co/abc", "The mill is old."),
        ("@ann @bob.example The mill in #NewYork is tall ✅", "The mill in New York is tall"),
        ("Berlin is in Germany #geography", "Berlin is in Germany"),
        ("The capital is #Paris", "The capital is Paris"),
        ("It is old. @ann @bob The mill is tall, @ann. @bob", "It is old. The mill is tall, @ann."),
        ("so @ann @bob the mill is old @cy @dan", "so the mill is old"),
        ("The mill is old via @bbc", "The mill is old"),
        ("The mill;it opened in 1793,and Ann,Bob; AT&T;x and a/b;c/d stay.", "The mill; it opened in 1793, and Ann, Bob; AT&T;x and a/b;c/d stay."),
        ("Reasons: (1) it burns, and (b) it rots. (ii) The mill has two (2) doors.", "Reasons: it burns, and it rots. The mill has two (2) doors."),
        ("It holds 400 tonnes.* It is Ann†, in Paris.:12 It [oaicite:0]{index=0} is oaicite:3 old.", "It holds 400 tonnes. It is Ann, in Paris. It is old."),
        ("It is old.[cite: 1, 2] [cite_start]It is tall [web:3], too【3†a】.[2†L1-L4]", "It is old. It is tall, too."),
        ("@ann said it. @bob is #old", "@ann said it. @bob is old"),
        ("Yesterday @ann @bob confirmed that it is old.", "Yesterday @bob confirmed that it is old."),
        ("Harlow^[1]^ is old^[said by Ann], and E = $m c^2$ costs $5 or $6 [Source: BBC](http://b.b).", "Harlow is old, and E = m c² costs $5 or $6."),
        ("The mill :white_check_mark: is old [1]–[3], tall.¹⁻³ It\\\nis wide[web:1][web:2].", "The mill  is old, tall. It\nis wide."),
        ("<think>The mill may be new.</think>The mill is old. citeturn0search1turn0news2", "The mill is old."),
        ("Code:\n\n    mill = open(1)\n    close()\n\nThe mill is old.", "Code:\n\n\n\n\nThe mill is old."),
        ("He wrote:\n\n    The mill is old.\n    It is tall.", "He wrote:\n\n    The mill is old.\n    It is tall."),
        ("Mill\n: A house with a wheel.\n\n*[MW]: Mill works", "Mill\nA house with a wheel.\n\n"),
        ("#BREAKING 🚨 The mill is #1 in C# and &#35;", "The mill is #1 in C# and #"),
        ("It was sold in 1990.(4) It is deep.^10 It is wide [6, p. 12]. [Source: BBC] It is old.", "It was sold in 1990. It is deep. It is wide. It is old."),
        ("🧵1/ The mill is old. 2/5\n3/5 It is tall (via @bbc) and was 1/2 full.", "The mill is old.\nIt is tall and was 1/2 full."),
        ("1️⃣ The mill is old.\n2️⃣ It is tall. [Applause] (LAUGHTER) It is wide.", "The mill is old.\nIt is tall. It is wide."),
        ("**1. Age** – The mill is old.\n*Owner:* Ann has it.\n**1990:** The mill burned.", "1. Age\nThe mill is old.\nOwner:\nAnn has it.\n1990: The mill burned."),
        (
            "The bridge over the river was opened in the year 1932 @ann\n@bob the mill over the river was opened in 1811 #mill\nthe inn is old",
            "The bridge over the river was opened in the year 1932 @ann\n@bob the mill over the river was opened in 1811\nthe inn is old",
        ),
        ("• The mill is 5 m high • The barn is 9 m high", "The mill is 5 m high\nThe barn is 9 m high"),
        (
            "- The mill and the barn beside the weir, with a wheel\n- the barn and the mill beside the weir, with a roof\nof red tiles",
            "The mill and the barn beside the weir, with a wheel\nthe barn and the mill beside the weir, with a roof of red tiles",
        ),
        (
            "The mill[edit]\nIt was built by Ann Lee[a] in 1815.[b] It “work[s] well”, says Bob[c], and is old.",
            "The mill\nIt was built by Ann Lee in 1815. It “work[s] well”, says Bob, and is old.",
        ),
        ("It work[s] well.",) * 2,
        ("¹ It burned in 1815.\n²³ It is old, and ¹⁴C is not.", "It burned in 1815.\nIt is old, and ¹⁴C is not."),
        (
            "It was built in 1815.mill-site+1 It is 30 m tall.wikipedia The mill burned.[nytimes +2] It is old.",
            "It was built in 1815. It is 30 m tall. The mill burned. It is old.",
        ),
        ("The file is main.py The rest is old.",) * 2,
        ("3/n The mill is old.\n(4/5) It is tall.", "The mill is old.\nIt is tall."),
        (
            "The mill beside the old weir isn’t 50 m tall, it is 30 m tall\n“@harlow: The mill by the weir is 50 m tall.”",
            "The mill beside the old weir isn’t 50 m tall, it is 30 m tall\n“@harlow: The mill by the weir is 50 m tall.”",
        ),
        (
            "Held in the old village hall beside the weir in March\nPresent: Ann Lee, Bob Hill and others.\nThe mill is old.",
            "Held in the old village hall beside the weir in March\nPresent: Ann Lee, Bob Hill and others.\nThe mill is old.",
        ),
        (
            r"Its area is $A = \pi r^2$, or $50\,\text{m}^2$, \(\frac{1}{3}\) of $10^{6}$; $v_{max} \approx 3 \times 10^{-8}$; \[E = mc^2\]; \(net\).",
            "Its area is A = πr², or 50 m², 1/3 of 10⁶; v_max ≈ 3 × 10⁻⁸; E = mc²; (net)." ,
        ),
        ("2. Age\n2.1 Ann Lee reported that it is old.\n2.2 Bob agreed. It holds 2.2 Tons.", "Age\nAnn Lee reported that it is old.\nBob agreed. It holds 2.2 Tons."),
        ("2.1 Tons of wheat are there.\n1.5 Tons are not.",) * 2,
        ("Dear Ms Lee, your article is wrong.", "your article is wrong."),
        ("Dear Evan Hansen, a musical, opened in 2015.",) * 2,
        ("It was lit in 1811.1 It is 36 metres high,2 and it is old.", "It was lit in 1811. It is 36 metres high, and it is old."),
        ("The mill is old.\nLiked by ann_k and 3 others\nView all 12 comments", "The mill is old.\n\n"),
        ("a. The mill is old;\nb. the inn is old;", "The mill is old;\nthe inn is old;"),
        ("A. Smith built it.\nB. Lee sold it.",) * 2,
        ("The mill is old 2/3\nIt is tall 3/3\nIt is 1/2 full", "The mill is old\nIt is tall\nIt is 1/2 full"),
        ("TIL that the mill is old\n2.3k upvotes\nann_lee · 5 yr. ago\n[deleted] · 2h\nIt is tall.", "the mill is old\n\n\n\nIt is tall."),
        ("It was closed from 1967 to 1975 ~~and in 1980~~, and <del>not</del> sold.", "It was closed from 1967 to 1975, and  sold."),
        ("The mill<br>is <b class='x'>old</b>, not<del> very</del> high<sup>[3]</sup>.", "The mill is old, not high."),
    ],
)  # fmt: skip
def test_what_pasting_brings_is_left_out_and_words_are_not(text: str, shown: str) -> None:
    assert read_prose(text).text == shown


MATH = "<math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("It opened in 1970<sup>12</sup>, holds 10<sup>9</sup> litres on 5 km<sup>2</sup>.", "It opened in 1970, holds 10^9 litres on 5 km²."),
        ("The mill<sup>1</sup> opened on the 19<sup>th</sup><sup class=reference><a href='#c1'>[1]</a></sup>.", "The mill opened on the 19th."),
        ("It cost 10<a class='footnote-ref' href='#fn3'>3</a> or 5<a href='#_ftn2'><span>[2]</span></a> pounds.", "It cost 10 or 5 pounds."),
        ("It is <del>500</del><ins>503</ins> metres, <span style='text-decoration:line-through'>not </span>high.", "It is 503 metres, high."),
        ("<q>It is <q>great</q></q>, said the mayor.", "“It is ‘great’”, said the mayor."),
        (f"The energy is {MATH} here.", "The energy is E=mc² here."),
        (f"The energy is <span style='display: none'>{MATH}</span><img src=x alt='E=mc^2'> here.", "The energy is E=mc² here."),
        ("The mill was opened<br>in 1811.<br>It is old.", "The mill was opened in 1811.\nIt is old."),
        ("The rent rose from<br>£2. It is 2<span class='sr-only'>+</span>1/2 miles long.", "The rent rose from £2. It is 2 1/2 miles long."),
        ("A <ruby>東<rp>(</rp><rt>tō</rt><rp>)</rp></ruby> sign <b title='a > b'>is</b> here.", "A 東 sign is here."),
    ],
)  # fmt: skip
def test_pasted_html_is_read_as_the_file_is(written: str, read: str) -> None:
    assert read_prose(f"<p>{written}</p>").text.strip() == read


def test_what_a_class_raises_is_a_mark_of_a_note() -> None:
    page = "<style>.x{vertical-align: super}</style><p>In 1970<span class=x>3</span> it fell.</p>"
    assert read_prose(page).text.strip() == "In 1970 it fell."


@pytest.mark.parametrize("tag", ["blockquote", "dl", "figure", "pre"])
def test_a_fragment_of_html_is_no_plain_text(tag: str) -> None:
    assert read_prose(f"<{tag}>The mill was built in 1811.</{tag}>").text.strip() == "The mill was built in 1811."


SIGNS = st.sampled_from(
    [
        "<",
        ">",
        "</",
        "<p>",
        "<b>",
        "<script>",
        "</script>",
        "<p hidden>",
        "&amp;",
        "&#x41;",
        "&",
        "<!--",
        "-->",
        '"',
        "'",
        "A word",
        " is",
        " here.",
        "\n",
        "\n\n",
        "\u202e",
        "é",
        "𝔸",
        "**",
        "# ",
        "\r\n",
        "<a href='x'>",
        "\t",
        "[1]",
        "¹",
        "](http://a.b)",
        "[",
        "~~",
        "```\n",
        "|",
        "|--|\n",
        "*",
        "_a_",
        " #NewTag",
        "RT @a: ",
        "^2^",
        "<sup>",
        "</sup>",
        "<q>",
        "</q>",
        "<br>",
        "<math><mi>",
        "</math>",
        "$a^2$",
        ":ok_ok:",
        "^[a]",
        "<think>",
        "</think>",
        "\n\n    a = 1\n",
        "\\\n",
        "<s>",
        "</s>",
    ]
)


@given(st.lists(SIGNS, max_size=40).map("".join) | st.text(max_size=80))
def test_every_sign_shown_has_its_place(text: str) -> None:
    prose = read_prose(text)
    assert len(prose.text) == len(prose.starts) == len(prose.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(prose.starts, prose.ends, strict=True))
    assert list(prose.starts) == sorted(prose.starts)
    for sign, start, end in zip(prose.text, prose.starts, prose.ends, strict=True):
        if end - start == 1 and not sign.isspace():
            assert text[start:end].translate(UNBREAKABLE) == sign


@pytest.mark.parametrize(
    "unit",
    [
        "<",
        "<a ",
        "<a '",
        '<p style="',
        "<!--",
        "<!",
        "&",
        "&#",
        "<p hidden>",
        "<script>",
        "**",
        "\n# ",
        "\n",
        "a\n",
        "word ",
        "[",
        "[1]",
        "[a](b ",
        "![a](",
        "[a][",
        "([a](b) ",
        "```\n",
        "```a\n~~~b\n",
        "|-",
        "a|\n",
        "~~a",
        "*a ",
        "_a",
        "`a",
        "#Ab",
        "RT @a ",
        "¹",
        "【a",
        "<sup>",
        "<sup>1</sup>",
        "<q>",
        "<math>",
        "<math><mi>a</mi></math>",
        "<span hidden><math>",
        "<a title='",
        "^[",
        "$a",
        "$$a",
        "\\(a",
        "\\[^",
        "${{",
        "a[a]",
        "a.bcd ",
        ":a",
        "<think>",
        "\n\n    a=",
        "[1]–",
        "cite",
        "citeturn1a1",
        "==a",
        "> - ",
    ],
)
@pytest.mark.parametrize("opening", ["<p>", ""])
def test_time_grows_with_the_text_and_not_with_its_square(unit: str, opening: str) -> None:
    """Ten times as much of what could make a search begin again and again takes about ten times as long."""
    assert grows_in_proportion(lambda length: read_prose(f"{opening}{unit * (length // len(unit))}"), 3_000)
