"""A page is read as a browser shows it, whether it is a file or was fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.text.files.document import Converted
from retrieval.text.files.web_page import read_page
from retrieval.text.pasted.prose import read_prose

ADDRESS = "https://mill.example/report"
DATA = Path(__file__).parent / "data"
MORE = "The weir beside it was built by the owner of the mill, who needed more water in the dry months of the year."


def page(body: str, head: str = "") -> bytes:
    html = f"<html><head><meta charset=utf-8><title>A mill</title>{head}</head><body><article><h1>A mill</h1>{body}<p>{MORE}</p></article></body></html>"
    return html.encode()


def shown(body: str, address: str = "", head: str = "") -> list[str]:
    return [
        line for line in read_page(page(body, head), address=address).text.split("\n") if line not in ("A mill", MORE)
    ]


LINES = [
    ("The mill was built in <time datetime=1811>1811</time> for <data value=9>nine</data> men.", "The mill was built in 1811 for nine men."),
    ("Its <label>length</label> is <output>503</output> metres.", "Its length is 503 metres."),
    ("It is <del>500</del><ins>503</ins> metres long, not <s>40</s> <strike>50</strike> wide.", "It is 503 metres long, not wide."),
    ("<q>It is <q>great</q></q>, said the mayor.", "“It is ‘great’”, said the mayor."),
    ("It opened in 1970<sup>12</sup>, closed<sup><a href='#n'>[3]</a></sup> on the 19<sup>th</sup>.", "It opened in 1970, closed on the 19th."),
    ("It has 10<sup>9</sup> litres on 40 km<sup>2</sup> and CO<sub>2</sub>.", "It has 10^9 litres on 40 km² and CO2."),
    ("It cost 5<a class='footnote-ref' href='#fn1'>1</a> pounds.", "It cost 5 pounds."),
    ("It cost 5 pounds. <a href='#r1'>↩</a>", "It cost 5 pounds."),
    ("It cost 5<span style='vertical-align: super; font-size: 60%'>7</span> pounds.", "It cost 5 pounds."),
    ("It is <big>very</big> <my-year>old</my-year> and <ruby>東<rp>(</rp><rt>tō</rt><rp>)</rp></ruby> lies east.", "It is very old and 東 lies east."),
    ("The mill was<br>built in 1811.", "The mill was built in 1811."),
    ("The rent rose from<br>£2 to £4.", "The rent rose from £2 to £4."),
    ("The mill holds 3<span>·</span>10<sup>6</sup> <b>l</b> and 10<b>0</b>10<sup>6</sup>.", "The mill holds 3·10^6 l and 10010."),
    ("It is 2<span class='sr-only'>+</span><span>1</span>/<span>2</span> miles long.", "It is 2 1/2 miles long."),
    ("The <noscript>false</noscript>mill is <progress>70 %</progress> done, <meter value=.6>60 %</meter> full.", "The mill is 70 % done, 60 % full."),
]  # fmt: skip


@pytest.mark.parametrize("address", ["", ADDRESS])
@pytest.mark.parametrize(("written", "read"), LINES)
def test_the_words_of_a_line_are_those_that_a_reader_sees(written: str, read: str, address: str) -> None:
    assert shown(f"<p>{written}</p>", address) == [read]


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_line_ends_of_the_source_are_spaces(address: str) -> None:
    written = "The <b>mill</b>\nwas built <!-- late -->in\n<span>1811</span>\nby <code>Ann</code>\nLee."
    for element in ("p", "div"):
        assert shown(f"<{element}>{written}</{element}>", address) == ["The mill was built in 1811 by Ann Lee."]
    assert shown("<pre>The mill\nis old.</pre>", address) == ["The mill", "is old."]


@pytest.mark.parametrize("address", ["", ADDRESS])
@pytest.mark.parametrize("inline", ["b", "code", "span", "i", "cite"])
@pytest.mark.parametrize("holder", ["div", "section"])
def test_sentences_in_no_paragraph_are_read(holder: str, inline: str, address: str) -> None:
    sentence = f"The mill was <{inline}>built in</{inline.split()[0]}> 1811."
    assert shown(f"<{holder}>{sentence}</{holder}>", address) == ["The mill was built in 1811."]
    assert shown(f"<{holder}>{sentence}<p>Ann built it.</p>It is old, so they say.</{holder}>", address) == [
        "The mill was built in 1811.", "Ann built it.", "It is old, so they say.",
    ]  # fmt: skip


@pytest.mark.parametrize("element", ["p", "li", "div"])
def test_sentences_of_a_file_are_read_however_many_links_they_hold(element: str) -> None:
    linked = "The <a href='/m'>old mill</a> of <a href='/n'>Ann Lee</a> was <a href='/b'>built in 1811</a>."
    lines = f"<{element}>{linked}</{element}><{element}>It is old, so they say.</{element}>"
    read = shown(f"<ul>{lines}</ul>" if element == "li" else lines)
    assert [line.removeprefix("- ") for line in read] == [
        "The old mill of Ann Lee was built in 1811.", "It is old, so they say.",
    ]  # fmt: skip


def test_labels_in_no_paragraph_are_read_of_files_only() -> None:
    assert shown("<div>Height: 12 m</div>") == ["Height: 12 m"]
    assert shown("<div>Share this page</div>", ADDRESS) == []


def test_what_is_struck_out_is_counted() -> None:
    found = read_page(page("<p>It is <del>five hundred</del> <s>or <del>so</del></s> 503 metres long.</p>"))
    assert found.notes == ("4 words that the page strikes out were left out",)


EXPORTED_LINES = [
    "The Harlow Mill",
    "The Harlow Mill was opened in 1932 by the mayor. It cost 4 million euros. It produces 10^9 grains of flour and uses H2O.",
    "History",
    "- The mill was sold in 1990.",
    "- It burned down in 2001.",
    "- Owner: The town owns it.",
    "| Length | 40 m |",
    "The opening was moved to 1934 in some books.",
    "Kent Archive, 1999.",
]

# As word processors on the web export a document: looks by classes alone.
EXPORTED = "<style type='text/css'>.c1{vertical-align:super}.c3{color:#000;text-decoration:line-through}.c4{text-decoration:none}</style>"


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_what_a_style_strikes_out_or_raises_is_read_as_shown(address: str) -> None:
    line = (
        "It opened in 1811<sup><a href='#ftnt1' id=ftnt_ref1>[1]</a></sup><span class=c4>. It is </span><span class=c3>500</span>"
        "<span>&nbsp;503 metres long and holds 10</span><span class='c4 c1'>9</span><span>&nbsp;litres.</span>"
    )
    note = "<div><p><a href='#ftnt_ref1' id=ftnt1>[1]</a><span>&nbsp;By the owner of the mill.</span></p></div>"
    assert shown(f"<p>{line}</p>{note}", address, EXPORTED) == [
        "It opened in 1811. It is 503 metres long and holds 10^9 litres.",
        "By the owner of the mill.",
    ]
    assert shown("<p style='text-decoration: line-through'>It is made of glass.</p>", address) == []


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_captions_that_are_sentences_are_read(address: str) -> None:
    assert shown("<figure><img src=a alt=a><figcaption>Photo: Ann</figcaption></figure>", address) == []
    caption = "The mill in 1811, seen from the weir."
    assert shown(f"<figure><img src=a alt=a><figcaption>{caption}</figcaption></figure>", address) == [caption]
    credited = f"{caption} <span>Photograph: Ann Lee</span>"
    assert shown(f"<figure><img src=a alt=a><figcaption>{credited}</figcaption></figure>", address) == [
        f"{caption} Photograph: Ann Lee"
    ]


POSTS = [
    "The lock was closed at noon, said Ann Lee.",
    "The weir broke at nine in the morning.",
    "The first boat came at dawn.",
]


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_all_posts_of_a_live_blog_are_read(address: str) -> None:
    posts = "".join(f"<article class=post><h3>Post</h3><p>{post}</p></article>" for post in POSTS)
    html = f"<html><body><main><h1>Live</h1><p>{MORE}</p>{posts}</main></body></html>"
    assert [line for line in read_page(html.encode(), address=address).text.split("\n") if line in POSTS] == POSTS


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_an_article_is_read_without_the_ones_that_it_points_to(address: str) -> None:
    teasers = "".join(f"<article class=teaser><p>{post}</p></article>" for post in POSTS)
    html = f"<html><body><main><article><h1>Mill</h1><p>{MORE}</p><p>{MORE}</p></article><div>{teasers}</div></main></body></html>"
    text = read_page(html.encode(), address=address).text
    assert MORE in text
    assert not any(post in text for post in POSTS)
    beside = html.replace(f"<p>{MORE}</p><p>{MORE}</p></article><div>", "<p>The mill is old, they say.</p></article>")
    assert address == "" or read_page(beside.replace(" class=teaser", "").encode(), address=address).text.endswith(
        "they say."
    )


def test_text_beside_the_name_of_its_author_is_read() -> None:
    """Extractors take a short part with a link for a menu."""
    answers = "".join(f"<div><p>{post}</p><p>answered in March by <a href=/u>ann</a></p></div>" for post in POSTS[:2])
    html = f"<html><body><p>{MORE}</p><div><h2>2 answers</h2>{answers}</div></body></html>"
    assert [line for line in read_page(html.encode()).text.split("\n") if line in POSTS] == POSTS[:2]


EQUATION = "<math alttext='E=mc^{2}'><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow><annotation>E=mc^{2}</annotation></semantics></math>"


@pytest.mark.parametrize("address", ["", ADDRESS])
@pytest.mark.parametrize(
    "around", ["{}", "<span style='display: none'>{}</span><img alt='E=mc^2'>", "<span class=k>{}</span><span aria-hidden=true>E=mc2</span>"]
)  # fmt: skip
def test_an_equation_is_read_once(around: str, address: str) -> None:
    assert shown(f"<p>The energy is {around.format(EQUATION)} as he wrote.</p>", address) == [
        "The energy is E=mc² as he wrote."
    ]


def test_a_fraction_and_a_root() -> None:
    written = "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><mo>&lt;</mo><msqrt><mi>x</mi></msqrt></math>"
    assert shown(f"<p>So {written} holds.</p>") == ["So (a+b)/2<√x holds."]


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_a_declared_shadow_tree_is_read_with_its_slots(address: str) -> None:
    body = (
        "<my-card><template shadowrootmode=open><p>It was <slot name=year>never</slot> <slot></slot>.</p></template>"
        "<b slot=year>in 1811</b>built by Ann</my-card><template><p>Only scripts show this.</p></template>"
    )
    assert shown(body, address) == ["It was in 1811 built by Ann."]


def test_tables_that_lay_out_a_page_leave_no_bars() -> None:
    laid = f"<table><tr><td>The mill was built in 1811 by its owner.</td><td>{MORE}</td></tr></table>"
    assert shown(laid)[0] == "The mill was built in 1811 by its owner."
    assert shown("<table><tr><td><p>One.</p><p>Two.</p></td><td>Three</td></tr></table>") == ["One.", "Two.", "Three"]
    rows = "<tr><th>Mill</th><th>Year</th></tr><tr><td>Old</td><td>1811</td></tr>"
    assert any("|" in line and "1811" in line for line in shown(f"<table>{rows}</table>"))


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_comments_of_readers_are_none_of_the_text(address: str) -> None:
    comments = "<section id=comments class=comments><h2>Comments</h2><div class=comment><p>The mill was built on the moon.</p></div></section>"
    html = page("<p>The mill was built in 1811.</p>").replace(b"</article>", f"</article>{comments}".encode())
    assert "moon" not in read_page(html, address=address).text


def test_what_stands_beside_the_text_of_a_file_is_read_if_it_is_text() -> None:
    beside = "<aside><p>It was visited by 900 people in 2019.</p></aside><aside><a href='/'>More mills</a></aside>"
    assert shown(f"<p>The mill is old, they say.</p>{beside}") == [
        "The mill is old, they say.", "It was visited by 900 people in 2019.",
    ]  # fmt: skip
    assert shown(f"<p>The mill is old, they say.</p>{beside}", ADDRESS) == ["The mill is old, they say."]


@pytest.mark.parametrize("element", ["body", "main", "article", "div"])
def test_headings_of_a_file_are_read(element: str) -> None:
    body = f"<{element}><h1>Mills</h1><p>The mill is old, they say.</p><h2>Age</h2><p>It is new.</p></{element}>"
    found = read_page(f"<html>{body}</html>".encode())
    assert found.text.split("\n") == ["Mills", "The mill is old, they say.", "Age", "It is new."]
    assert found.headings == {0, 2}


def test_the_links_for_editing_are_none_of_the_text() -> None:
    assert shown("<p>The mill is old.</p><h2>Age</h2><span class='mw-editsection'>[<a href=e>edit</a>]</span>") == [
        "The mill is old.", "Age",
    ]  # fmt: skip


def test_the_title_is_the_files_own() -> None:
    html = page("<p>It was built in 1811.</p><svg><title>An icon</title></svg>").replace(b"<h1>A mill", b"<h1>Another")
    assert read_page(html).title == "A mill"


@pytest.mark.parametrize(
    "hostile",
    [
        "<p>" + "<time>1</time>" * 2_000,
        "<p>" + "x<sup>1</sup>" * 2_000,
        "<q>" * 1_000,
        "<table><tr><td>" * 500,
        "<template shadowrootmode=open><slot>" * 1_000,
        "<p>" + "a<br>" * 2_000,
    ],
)
def test_hostile_pages_are_read_in_linear_time(hostile: str) -> None:
    assert isinstance(read_page(page(hostile)), Converted)


def test_a_document_as_google_docs_exports_it() -> None:
    content = (DATA / "exported.html").read_bytes()
    found = read_page(content)
    assert found.title == "The Harlow Mill"
    assert found.text.split("\n") == EXPORTED_LINES
    assert found.notes == (
        "6 words that the page hides were left out", "1 word that the page strikes out was left out", "1 comment was left out",
    )  # fmt: skip
    pasted = [" ".join(line.split()) for line in read_prose(content.decode()).text.split("\n") if line.strip()]
    cells = [part.removeprefix("- ") for line in EXPORTED_LINES for part in line.strip("| ").split(" | ")]
    assert pasted == cells


@pytest.mark.parametrize("address", ["", ADDRESS])
@pytest.mark.parametrize(
    "written",
    [
        "<dialog open><p>{}</p></dialog>", "<menu><li>{}</li></menu>", "<marquee>{}</marquee>", "<svg><text>{}</text><text>12</text></svg>",
        "<form><p>{}</p><p>The weir is old, they say.</p><p>It was sold in 1990.</p></form>", "<blockquote><p>It is old.</p><footer>{}</footer></blockquote>",
    ],
)  # fmt: skip
def test_sentences_in_elements_that_extractors_leave_out_are_read(written: str, address: str) -> None:
    line = "The lock was never closed in 1990, said Ann Lee."
    assert line in [found.removeprefix("- ") for found in shown(written.format(line), address)]


@pytest.mark.parametrize("inline", ["button", "blink", "map", "legend"])
def test_no_word_within_a_sentence_is_lost(inline: str) -> None:
    assert shown(f"<p>The lock was <{inline}>never</{inline}> closed.</p>") == ["The lock was never closed."]


@pytest.mark.parametrize("name", ["sidebar", "caption", "share-price", "menu-item", "banner", "footer-notes"])
def test_sentences_of_a_file_are_read_whatever_the_names_of_their_classes(name: str) -> None:
    line = "The lock was never closed in 1990."
    assert line in shown(f"<div class='{name}'><p>{line}</p></div>")
    assert shown(f"<div class='cookie-{name}'><p>{line}</p></div>") == []


def test_of_words_to_see_and_words_to_hear_those_to_see_are_read() -> None:
    price = "<span aria-hidden='true'>$5.20</span><span class='sr-only'>5 dollars 20 cents</span>"
    assert shown(f"<p>The toll is {price} a day<span class='visually-hidden'> for cars</span>.</p>") == [
        "The toll is $5.20 a day."
    ]
