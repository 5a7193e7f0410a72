"""Documents of every kind, whole and broken, become pages whose sentences can be quoted by offset."""

import io
import os
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path

import docx
import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing import converters, documents
from indexing.documents import document_of, read_documents
from retrieval.text.files.plain_text import unwrap
from retrieval.text.sentences import sentence_spans
from retrieval.types import Page

PROSE = (
    "The river rises in the northern hills and\nflows past three market towns before it\n"
    "reaches the sea. Its long valley was set-\ntled early. Mills stood on every weir, and\n"
    "the last of them closed within living\nmemory."
)

LIBRARIES = ("lxml", "markdown_it", "pypdfium2", "trafilatura")


def read(*paths: Path) -> tuple[list[Page], dict[str, str]]:
    errors: dict[str, str] = {}
    pages = list(read_documents(paths, lambda path, reason: errors.update({path.name: reason})))
    return pages, errors


def read_one(path: Path, content: bytes | str) -> Page:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    pages, errors = read(path)
    assert not errors
    assert len(pages) == 1
    return pages[0]


def refused(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    pages, errors = read(path)
    assert not pages
    return errors[path.name]


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def pdf(*pages: str, title: str = "", password: str | None = None, algorithm: str = "RC4-128") -> bytes:
    """A PDF in Helvetica, a text line a line; an empty page holds a drawn box only."""
    writer = pypdf.PdfWriter()
    for text in pages:
        lines = "".join(f"({line}) Tj 0 -14 Td " for line in text.replace("(", r"\(").replace(")", r"\)").split("\n"))
        body = f"BT /F1 11 Tf 60 780 Td {lines}ET" if text else "100 100 200 200 re S"
        stream = pypdf.generic.DecodedStreamObject()
        stream.set_data(body.encode("latin-1"))
        name = pypdf.generic.NameObject
        font = {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Helvetica")}
        fonts = pypdf.generic.DictionaryObject({name("/F1"): pypdf.generic.DictionaryObject(font)})
        page = writer.add_blank_page(595, 842)
        page[name("/Resources")] = pypdf.generic.DictionaryObject({name("/Font"): fonts})
        page[name("/Contents")] = writer._add_object(stream)
    if title:
        writer.add_metadata({"/Title": title})
    if password is not None:
        writer.encrypt(user_password=password, owner_password="owner", algorithm=algorithm)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def word(*paragraphs: str, title: str = "") -> bytes:
    document = docx.Document()
    document.core_properties.title = title
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


class TestText:
    def test_wrapped_lines_are_joined_and_paragraphs_kept(self, tmp_path: Path) -> None:
        page = read_one(tmp_path / "river.txt", PROSE + "\n\nA second paragraph.\n")
        assert page.title == "river"
        assert page.source == str(tmp_path / "river.txt")
        assert page.text.split("\n") == [
            "The river rises in the northern hills and flows past three market towns before it reaches the sea. "
            "Its long valley was settled early. Mills stood on every weir, and the last of them closed within living "
            "memory.",
            "A second paragraph.",
        ]
        assert [sentence.text for sentence in page.sentences()][1:] == [
            "Its long valley was settled early.",
            "Mills stood on every weir, and the last of them closed within living memory.",
            "A second paragraph.",
        ]
        assert [line for line, _, _ in page.lines] == [0, 1, 2, 3]

    def test_list_is_not_joined(self) -> None:
        assert unwrap("Apples and pears\nPlums\nA longer line about cherries of all kinds").count("\n") == 2

    def test_items_of_a_list_within_wrapped_text_stay_apart(self) -> None:
        for marks in ("--", ("1.", "2."), ("a)", "b)"), ("i.", "ii.")):
            listed = f"\n{marks[0]} first\n{marks[1]} second"
            assert listed in unwrap(PROSE + listed)

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    def test_unicode_encodings(self, tmp_path: Path, encoding: str) -> None:
        assert read_one(tmp_path / "a.txt", "Beyoncé sang “Halo”.".encode(encoding)).text == "Beyoncé sang “Halo”."

    @pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
    def test_windows_1252_is_read_line_by_line_and_noted(self, tmp_path: Path, name: str) -> None:
        lines = "Zoë sang here.\n\n".encode() + "Café “Zoë” is open.\n".encode("cp1252")
        (tmp_path / name).write_bytes(lines)
        notes: list[str] = []
        (page,) = read_documents([tmp_path], lambda *_: None, on_note=lambda _, note: notes.append(note))
        assert page.text.split() == "Zoë sang here. Café “Zoë” is open.".split()
        assert notes == ["1 of its 3 lines is not UTF-8 and was read as Windows-1252; look at its accents"]

    def test_a_line_in_no_known_encoding_costs_no_other(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(b"It is here.\n" * 30 + b"caf\xe9 \x81\n")
        notes: list[str] = []
        (page,) = read_documents([tmp_path], lambda *_: None, on_note=lambda _, note: notes.append(note))
        assert page.text.endswith("café �")
        assert notes[0].endswith("and for �, since it is neither")

    def test_controls_are_removed_and_text_is_nfc(self, tmp_path: Path) -> None:
        page = read_one(tmp_path / "a.txt", "One\x00 e\u0301 co\u00adop \u202etwo\u202c\u00a0 \ufb01lm.\r\nNext\x07.")
        assert page.text == "One é coop two film.\nNext."

    def test_hostile_text_stays_text(self, tmp_path: Path) -> None:
        text = "<script>alert(1)</script> <img src=x onerror=alert(2)> & more."
        assert read_one(tmp_path / "a.txt", text).text == text

    def test_right_to_left_and_unspaced_scripts(self, tmp_path: Path) -> None:
        assert len(read_one(tmp_path / "a.txt", "القاهرة عاصمة مصر. هي مدينة كبيرة.").lines) == 2
        assert len(read_one(tmp_path / "b.txt", "東京は日本の首都です。人口は多い。").lines) == 2

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "empty"),
            (b" \n\t", "empty"),
            (b"\x00\x01\x02\x03" * 9, "binary"),
            (b"\xff\xfea", "utf-16"),
            (b"caf\xe9 \x81", "not UTF-8 or Windows-1252"),
            ("\u200b\u200b".encode(), "no text"),
        ],
    )
    def test_unreadable(self, tmp_path: Path, content: bytes, reason: str) -> None:
        assert reason in refused(tmp_path / "a.txt", content)

    def test_too_big(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(documents, "LARGEST_DOCUMENT", 10)
        assert "split it" in refused(tmp_path / "a.txt", b"eleven byte")


class TestMarkdown:
    def test_first_heading_is_title_and_markup_goes(self, tmp_path: Path) -> None:
        page = read_one(
            tmp_path / "a.md",
            "Intro line\nwrapped **bold**.\n\n# The *first* `heading`\n\n- one\n  more of one\n- two [link](http://x)\n\n"
            "> quoted\n> twice\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n# code\nx < 1\n```\n\n## Second\n\nEnd.",
        )
        assert page.title == "The first heading"
        assert page.text.split("\n") == [
            "Intro line wrapped bold.", "one more of one", "two link", "quoted twice",
            "| a | b |", "|---|---|", "| 1 | 2 |", "# code", "x < 1", "End.",
        ]  # fmt: skip

    def test_front_matter_gives_the_title_only(self, tmp_path: Path) -> None:
        page = read_one(
            tmp_path / "a.md", '---\r\ntitle: "In front"\r\ntags: [*a]\r\n---\r\n# Heading\r\n\r\nText.\r\n'
        )
        assert (page.title, page.text) == ("In front", "Text.")

    def test_hard_breaks_stay(self, tmp_path: Path) -> None:
        assert read_one(tmp_path / "a.md", "A line  \nof verse").text == "A line\nof verse"


class TestHtml:
    def test_title_and_text_without_scripts(self, tmp_path: Path) -> None:
        page = read_one(
            tmp_path / "a.html",
            "<!doctype html><html><head><title>Mills &amp;\n weirs</title><style>p{color:red}</style>"
            "<script>steal()</script></head><body><h1>Head</h1><p>A <b>bold</b> mill.</p><script>more()</script>"
            "<p>Shown: &lt;script&gt;alert(1)&lt;/script&gt;.</p><div>A plain <i>part</i>.</div></body></html>",
        )
        assert page.title == "Mills & weirs"
        assert [line for line in page.text.split("\n") if line != "Head"] == [
            "A bold mill.", "Shown: <script>alert(1)</script>.", "A plain part.",
        ]  # fmt: skip

    def test_fragment(self, tmp_path: Path) -> None:
        page = read_one(tmp_path / "note.htm", "<h1>Called so</h1><p>Only a fragment.</p><script>x()</script>")
        assert page.title == "Called so"
        assert "Only a fragment." in page.text
        assert "x()" not in page.text

    def test_declared_encoding(self, tmp_path: Path) -> None:
        source = '<html><head><meta charset="iso-8859-2"></head><body><p>Łódź leży w Polsce.</p></body></html>'
        assert read_one(tmp_path / "a.html", source.encode("iso-8859-2")).text == "Łódź leży w Polsce."

    def test_wrong_declaration_of_utf_8(self, tmp_path: Path) -> None:
        source = '<html><head><meta charset="shift_jis"></head><body><p>Łódź leży w Polsce.</p></body></html>'
        assert read_one(tmp_path / "a.html", source).text == "Łódź leży w Polsce."

    def test_hidden_parts_are_not_read(self, tmp_path: Path) -> None:
        hidden = "<p style='color: red; display : none'>A</p><div hidden><p>B</p></div><p aria-hidden='TRUE'>C</p>"
        source = f"<html><body><p>Shown one.</p>{hidden}<p style='opacity:0.5'>Shown two.</p></body></html>"
        assert read_one(tmp_path / "a.html", source).text == "Shown one.\nShown two."

    def test_only_scripts(self, tmp_path: Path) -> None:
        assert "no text" in refused(tmp_path / "a.html", b"<html><body><script>x()</script></body></html>")


class TestPdf:
    def test_pages_and_title(self, tmp_path: Path) -> None:
        page = read_one(tmp_path / "a.pdf", pdf(PROSE, "Second page here.", title="A river"))
        assert page.title == "A river"
        assert page.source == f"{tmp_path / 'a.pdf'}, pages 1-2"
        assert "set-" not in page.text
        assert page.sentences()[-1].text == "Second page here."
        assert "\f" not in page.text

    def test_sentence_across_pages_and_later_page_numbers(self, tmp_path: Path) -> None:
        path = tmp_path / "a.pdf"
        break_ = PROSE.index("\nflows")
        path.write_bytes(pdf("", f"{PROSE}\n" * 8 + PROSE[:break_], PROSE[break_ + 1 :] + f"\n{PROSE}" * 8))
        pages, errors = read(path)
        assert not errors
        assert any("northern hills and flows past" in page.text for page in pages)
        assert [page.source.rpartition(", ")[2] for page in pages] == ["page 2", "pages 2-3", "page 3"]
        assert pages[-1].source.endswith("page 3")

    def test_protected_against_printing_only(self, tmp_path: Path) -> None:
        assert read_one(tmp_path / "a.pdf", pdf("Open to all.", password="")).text == "Open to all."

    def test_aes_with_empty_password(self, tmp_path: Path) -> None:
        assert (
            read_one(tmp_path / "a.pdf", pdf("Open to all.", password="", algorithm="AES-256")).text == "Open to all."
        )

    def test_refusals(self, tmp_path: Path) -> None:
        assert "password" in refused(tmp_path / "a.pdf", pdf("Secret.", password="secret"))
        assert "OCR" in refused(tmp_path / "b.pdf", pdf("", ""))
        told = refused(tmp_path / "c.pdf", b"%PDF-1.4 rubbish")
        assert "not a complete PDF" in told
        assert ".;" not in told, "PDFium's sentence has no full stop of its own"
        assert "PDF" in refused(tmp_path / "d.pdf", pdf("Whole.")[:300])


class TestDocx:
    def test_paragraphs_and_title(self, tmp_path: Path) -> None:
        page = read_one(tmp_path / "a.docx", word("One here. Two here.", "", "Three.", title="Minutes"))
        assert (page.title, page.text) == ("Minutes", "One here. Two here.\nThree.")
        assert len(page.lines) == 3

    def test_meaningless_title(self, tmp_path: Path) -> None:
        assert read_one(tmp_path / "minutes.docx", word("Text.", title="Word Document")).title == "minutes"

    def test_refusals(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "password" in refused(tmp_path / "a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
        assert "not a complete .docx" in refused(tmp_path / "b.docx", word("Text.")[:-100])
        assert "no text" in refused(tmp_path / "c.docx", word())
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("other.txt", "not Word's")
        assert "damaged" in refused(tmp_path / "d.docx", file.getvalue())

    def test_zip_bomb(self, tmp_path: Path) -> None:
        file = io.BytesIO(word("Text."))
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("word/more.xml", "w") as member:
            for _ in range(51):
                member.write(b" " * 1_000_000)
        assert len(file.getvalue()) < 200_000
        assert "unpacks to more than" in refused(tmp_path / "a.docx", file.getvalue())

    def test_entity_bomb(self, tmp_path: Path) -> None:
        entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
        body = (
            f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "lol">{entities}]><w:document xmlns:w='
            '"http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&e9;</w:t></w:r>'
            "</w:p></w:body></w:document>"
        )
        old, file = zipfile.ZipFile(io.BytesIO(word("Text."))), io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name in old.namelist():
                archive.writestr(name, body if name == "word/document.xml" else old.read(name))
        assert refused(tmp_path / "a.docx", file.getvalue())


class TestFolders:
    def test_sorted_recursive_hidden_and_unknown_skipped(self, tmp_path: Path) -> None:
        folder = tmp_path / "papers"
        for name in ("b.txt", "a.MD", "sub/c.txt", ".hidden.txt", ".git/d.txt", "e.png", "~$lock.docx"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"Text of {name}.")
        pages, errors = read(folder)
        assert not errors
        assert [page.id for page in pages] == [
            "document:papers/a.MD#1", "document:papers/b.txt#1", "document:papers/sub/c.txt#1",
        ]  # fmt: skip
        again, _ = read(folder / "b.txt")
        assert again == [pages[1]]

    def test_each_fault_is_named_and_stops_nothing(self, tmp_path: Path) -> None:
        folder = tmp_path / "papers"
        folder.mkdir()
        (folder / "bad.pdf").write_bytes(b"no PDF at all")
        (folder / "good.txt").write_text("Good.")
        (folder / "broken.txt").symlink_to(tmp_path / "nowhere")
        (folder / "queue.txt").unlink(missing_ok=True)
        os.mkfifo(folder / "queue.txt")
        (tmp_path / "x.exe").write_bytes(b"MZ")
        (tmp_path / "none").mkdir()
        pages, errors = read(tmp_path / "missing.txt", tmp_path / "x.exe", tmp_path / "none", folder)
        assert [page.text for page in pages] == ["Good."]
        assert set(errors) == {"missing.txt", "x.exe", "none", "bad.pdf", "broken.txt", "queue.txt"}
        assert "convert it" in errors["x.exe"]
        assert "no .txt, .md" in errors["none"]

    def test_same_file_twice_and_same_name_twice(self, tmp_path: Path) -> None:
        for place in ("one/notes", "two/notes"):
            (tmp_path / place).mkdir(parents=True)
            (tmp_path / place / "a.txt").write_text(f"Text of {place}.")
        pages, errors = read(tmp_path / "one/notes", tmp_path / "one/notes/a.txt", tmp_path / "two/notes")
        assert [page.text for page in pages] == ["Text of one/notes."]
        assert "would replace" in errors["a.txt"]

    def test_names_are_nfc_and_utf_8(self, tmp_path: Path) -> None:
        (tmp_path / unicodedata.normalize("NFD", "café.txt")).write_text("Text.")
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff.txt")).write_text("Text.")
        pages, errors = read(tmp_path)
        assert not errors
        assert {page.title for page in pages} == {"café", "odd\ufffd"}
        for page in pages:
            page.source.encode()

    def test_parser_that_fails_unexpectedly(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def trip(content: bytes) -> converters.Converted:
            raise RecursionError("too deep")

        monkeypatch.setitem(converters.CONVERTERS, ".md", trip)
        (tmp_path / "a.md").write_text("x")
        (tmp_path / "b.txt").write_text("Good.")
        pages, errors = read(tmp_path)
        assert len(pages) == 1
        assert errors["a.md"] == "its content cannot be read: RecursionError: too deep"

    @pytest.mark.parametrize(
        ("name", "loaded"),
        [
            ("a.json", set()),
            ("a.txt", set()),
            ("a.PDF", {"pypdfium2"}),
            ("", set(LIBRARIES)),
        ],
    )
    def test_a_reader_loads_what_its_files_need(self, tmp_path: Path, name: str, loaded: set[str]) -> None:
        program = "import sys; from pathlib import Path; from indexing.converters import load_readers as load;"
        program += f"load([Path({str(tmp_path / name)!r})]); print(*sys.modules)"
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert {"haystack", *LIBRARIES} & set(ended.stdout.split()) == loaded


class TestParts:
    def test_pages_are_counted_through_blank_ones(self) -> None:
        assert documents._split("\f\n\f One.\fTwo.") == [("One.\fTwo.", ", pages 3-4")]

    def test_long_document(self, tmp_path: Path) -> None:
        path = tmp_path / "long.txt"
        path.write_text(
            "\n\n".join(f"Paragraph {n} says a thing. " + "It says another thing, too. " * 20 for n in range(12))
        )
        pages, _ = read(path)
        assert [page.title for page in pages] == [f"long (part {n} of {len(pages)})" for n in range(1, len(pages) + 1)]
        assert [page.id for page in pages] == [f"{document_of(pages[0].id)}#{n}" for n in range(1, len(pages) + 1)]
        assert all(150 <= len(page.text.split()) <= 400 for page in pages)
        assert all(page.text.startswith("Paragraph") for page in pages)


@given(st.binary(max_size=300), st.sampled_from(sorted(converters.CONVERTERS)))
def test_no_bytes_break_the_reader(tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str) -> None:
    path = tmp_path_factory.mktemp("any") / f"a{suffix}"
    path.write_bytes(content)
    pages, errors = read(path)
    assert bool(pages) != bool(errors)
    for page in pages:
        assert [page.text[start:end] for _, start, end in page.lines] == sentences(page.text)
