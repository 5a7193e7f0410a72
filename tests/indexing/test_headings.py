"""Headings are names: of documents of every kind, no heading becomes a sentence, and none vanishes unsaid."""

import io
from pathlib import Path

import docx
import pytest

from indexing.documents import read_documents
from tests.indexing.test_documents import PROSE, pdf, read_one, refused

HEADED = (
    "A boat.\n\n# The _mill_ is blue\n\nA **weir**.\n\nThe mill\nis green\n===\n\n> ## The mill is red.\n> A lock.\n"
)
BLOCKS = "<p>A quay lies north of the town, by the bridge over the river.</p>" * 3
HEADED_PAGE = (
    f"<html><body><article><p>A boat.</p><h1>The <b>mill</b><br>is blue</h1>{BLOCKS}<p>A <b>weir</b>.</p>"
    f"<h2>The mill is green</h2>{BLOCKS}<h3><div>The mill is red.</div></h3><p>A lock.</p></article></body></html>"
)


def headed_word(*paragraphs: tuple[str, str], base: str = "") -> bytes:
    """A .docx of paragraphs, each with the name of its style; unknown ones are made from style `base`."""
    document = docx.Document()
    for style, text in paragraphs:
        if style not in {known.name for known in document.styles}:
            document.styles.add_style(style, docx.enum.style.WD_STYLE_TYPE.PARAGRAPH).base_style = document.styles[base]
        document.add_paragraph(text, style=style)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


HEADED_WORD = headed_word(
    ("Normal", "A boat."), ("Title", "The mill\nis blue"), ("Normal", "A weir."), ("Heading 2", "The mill is green"),
    ("Ours", "The mill is red."), ("Normal", "A lock."), base="Heading 3",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"), [("a.md", HEADED.encode()), ("a.html", HEADED_PAGE.encode()), ("a.docx", HEADED_WORD)]
)
def test_headings_are_no_sentences(tmp_path: Path, name: str, content: bytes) -> None:
    page = read_one(tmp_path / name, content)
    assert page.title == "The mill is blue"
    assert "mill" not in page.text
    shown = [sentence.text for sentence in page.sentences()]
    assert [text for text in shown if "quay" not in text] == ["A boat.", "A weir.", "A lock."]
    assert [page.text[start:end] for _, start, end in page.lines] == shown


TITLED = "The mill is blue\n\nA boat lies there.\nA weir.\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", TITLED.encode()), ("a.pdf", pdf(TITLED)), ("b.pdf", pdf(TITLED, title="The Mill is blue"))],
)
def test_the_first_line_of_a_file_without_headings_is_its_title(tmp_path: Path, name: str, content: bytes) -> None:
    page = read_one(tmp_path / name, content)
    assert page.title.casefold() == "the mill is blue"
    assert [sentence.text for sentence in page.sentences()] == ["A boat lies there.", "A weir."]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a sentence.txt", b"The mill is blue.\n\nA boat lies there.\n"),
        ("nothing else.txt", b"The mill is blue\n"),
        ("notes.txt", b"The mill is blue\nA boat lies there\n"),
        ("long.txt", b"The mill by the river that flows past the town and its weir is blue\n\nA boat lies there.\n"),
        ("another title.pdf", pdf("The mill is blue\n\nA boat lies there.", title="A river")),
    ],
)
def test_a_first_line_that_may_be_a_sentence_stays(tmp_path: Path, name: str, content: bytes) -> None:
    assert "is blue" in read_one(tmp_path / name, content).text


@pytest.mark.parametrize(("name", "content"), [("a.md", HEADED.encode()), ("a.docx", HEADED_WORD)])
def test_a_text_whose_claims_are_sought_keeps_them(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    (page,) = read_documents([tmp_path / name], pytest.fail, headings=True)
    assert page.text.split("\n") == [
        "A boat.", "The mill is blue", "A weir.", "The mill is green", "The mill is red.", "A lock.",
    ]  # fmt: skip


def test_a_paragraph_that_repeats_its_heading_stays(tmp_path: Path) -> None:
    assert read_one(tmp_path / "a.md", "# The mill\n\nThe mill\n\nEnd.").text == "The mill\nEnd."


def test_headings_in_html_within_markdown(tmp_path: Path) -> None:
    page = read_one(tmp_path / "a.md", '<h1 align="center">The mill is blue</h1>\n\nA boat is here.\n')
    assert (page.title, page.text) == ("The mill is blue", "A boat is here.")


def test_a_page_without_main_text(tmp_path: Path) -> None:
    page = read_one(tmp_path / "a.html", "<h1>A mill</h1><nav><a href=x>Home</a></nav><div>Bare words.</div>")
    assert "mill" not in page.text
    assert "Bare words." in page.text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", b"# The mill is blue.\n\n## It is new.\n"),
        ("a.html", b"<html><body><h1>The mill is blue.</h1><h2>It is new.</h2></body></html>"),
        ("a.docx", headed_word(("Title", "The mill is blue."), ("Heading 1", "It is new."))),
    ],
)
def test_nothing_but_headings_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    why = refused(tmp_path / name, content)
    assert "nothing but headings" in why
    assert "ordinary paragraphs" in why


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (f"# Mills\n\n{PROSE}\n\n## When were they built?\n\n{PROSE}", ""),
        (f"# Mills\n\n{PROSE}\n\n## The last was built in 1911.\n", "“The last was built in 1911.”"),
        (f"# Mills\n\n{PROSE}\n\n## {'mill ' * 12}\n", "sentences as headings"),
        ("# The mill at the weir\n\nBlue.\n", "mostly of headings"),
    ],
)
def test_what_may_be_meant_as_evidence_is_named(tmp_path: Path, source: str, said: str) -> None:
    (tmp_path / "a.md").write_text(source)
    notes: list[str] = []
    assert list(read_documents([tmp_path / "a.md"], pytest.fail, on_note=lambda _, note: notes.append(note)))
    assert bool(notes) == bool(said)
    assert said in "".join(notes)


def test_styles_that_are_made_from_each_other(tmp_path: Path) -> None:
    document = docx.Document(io.BytesIO(headed_word(("One", "A boat."), ("Two", "A weir."), base="Normal")))
    document.styles["One"].base_style, document.styles["Two"].base_style = (
        document.styles["Two"],
        document.styles["One"],
    )
    document.save(tmp_path / "a.docx")
    assert read_one(tmp_path / "a.docx", (tmp_path / "a.docx").read_bytes()).text == "A boat.\nA weir."
