"""The FEVER dump with all its oddities becomes pages whose sentences stand where their offsets say."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.fever import Source, find_sources, parse_row, readable, readable_title
from retrieval.errors import CorpusError
from retrieval.types import Page
from tests.making import dump_row, write_dump

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample" / "wiki-001.jsonl"


def row(lines: str, id: str = "Page") -> bytes:
    return json.dumps({"id": id, "text": "", "lines": lines}).encode()


def page(lines: str, id: str = "Page") -> Page:
    found = parse_row(row(lines, id))
    assert found is not None
    return found


def numbered(found: Page) -> list[tuple[int, str]]:
    return [(sentence.line, sentence.text) for sentence in found.sentences()]


# Rows.


@pytest.mark.parametrize(
    "raw", [b'{"id": "", "text": "", "lines": ""}', b"", b"\n", b" \r\n", b'{"id": "", "lines": "0\\tx"}']
)
def test_empty_rows_hold_no_page(raw: bytes) -> None:
    assert parse_row(raw) is None


def test_a_page_as_the_dump_writes_it() -> None:
    lines = "0\tSavages is a film -LRB- 2012 -RRB- .\tfilm\tFilm\tOliver Stone\tOliver_Stone\n1\t\n2\tIt stars Blake Lively .\n3\t"
    assert page(lines, "Savages_-LRB-2012_film-RRB-") == Page(
        id="Savages_-LRB-2012_film-RRB-",
        title="Savages (2012 film)",
        text="Savages is a film (2012). It stars Blake Lively.",
        lines=((0, 0, 25), (2, 26, 48)),
        links=("Film", "Oliver Stone"),
        site="en.wikipedia.org",
        retrieved="2017-06",
    )


def test_own_texts_in_the_form_of_the_dump_get_no_address() -> None:
    found = parse_row(row("0\tOne ."), addresses=False)
    assert found == Page("Page", "Page", "One.", ((0, 0, 4),))


def test_a_page_without_sentences_is_kept_for_its_title() -> None:
    for lines in ("", "0\t", "0\t\n1\t \n"):
        assert replace(page(lines), site="", retrieved="") == Page("Page", "Page", "", ())


def test_a_line_without_number_goes_on_with_the_sentence_before_it() -> None:
    assert numbered(page("lost\n0\tOne\nand more\n\n1\tTwo\n\tthree")) == [(0, "One and more"), (1, "Two  three")]


def test_numbers_need_not_follow_each_other() -> None:
    assert numbered(page("7\tSeven .\n3\tThree .\n12\tTwelve .")) == [(7, "Seven."), (3, "Three."), (12, "Twelve.")]


def test_links_are_read_once_each_in_order() -> None:
    found = page("0\tA b .\tA\tX_y\tb\tZ-COLON-_1\n1\tc .\tc\tX_y\td\n2\te .\tE\t\tf\tCafe\u0301")
    assert found.links == ("X y", "Z: 1", "Café")


def test_carriage_returns_and_other_blanks_do_not_shift_offsets() -> None:
    found = page("0\t One . \r\n1\t\u00a0Two.\u2003\r\n2\tThree\rfour\u2028five .")
    assert numbered(found) == [(0, "One."), (1, "Two."), (2, "Three\rfour\u2028five.")]


def test_ids_stay_as_they_are_and_titles_are_composed() -> None:
    found = page("0\tCafe\u0301 .", "Cafe\u0301-COLON-_a_-LSB-b-RSB-")
    assert (found.id, found.title, found.text) == ("Cafe\u0301-COLON-_a_-LSB-b-RSB-", "Café: a [b]", "Café.")


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"{", "Expecting"),
        (b'{"id": "A", "lines": "0\\tb"', "delimiter"),
        (b'{"id": "A", "lines": "0\\tb"} x', "Extra data"),
        (b"\xff\xfe\xfd", "codec"),
        (b'{"id": "A\xff", "lines": ""}', "codec"),
        (b"[1]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b"{}", "lacks the text fields"),
        (b'{"id": "A"}', "lacks the text fields"),
        (b'{"id": 7, "lines": ""}', "lacks the text fields"),
        (b'{"id": "A", "lines": ["0\\tb"]}', "lacks the text fields"),
        (b'{"id": null, "lines": null}', "lacks the text fields"),
        (b'{"id": "A\\u0000", "lines": ""}', "a NUL or half a character"),
        (b'{"id": "A", "lines": "0\\tb\\u0000"}', "a NUL or half a character"),
        (b'{"id": "A\\ud800", "lines": ""}', "a NUL or half a character"),
        (b'{"id": "A", "lines": "0\\t\\udfff"}', "a NUL or half a character"),
        (b'{"id": "A", "lines": "0\\tb\\tb\\t\\ud83d"}', "a NUL or half a character"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"id": "A", "lines": "' + b"1" * 5_000 + b'\\tb"}', "integer string conversion"),
    ],
)
def test_broken_rows_say_why(raw: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_row(raw)


def test_whole_surrogate_pairs_are_one_character() -> None:
    found = parse_row(b'{"id": "A", "lines": "0\\t\\ud83c\\udfac ."}')
    assert found is not None
    assert found.sentences()[0].text == "🎬."


TOKENS = st.sampled_from(
    "-LRB- -RRB- -LSB- -RSB- -LCB- -RCB- -COLON- `` '' , . ; : ! ? ( ) [ ] 's n't % $ -- ( ) -LRB-; a film e\u0301 "
    "\u0301 É 東京 🎬 \u2028 \x85 \x1c ﬁ 1\t2 x\ty_z\tw".split(" ")
)
LINES = st.lists(
    st.tuples(
        st.integers(0, 400),
        st.lists(
            TOKENS | st.text(st.characters(codec="utf-8", exclude_characters="\n\0"), max_size=8), max_size=12
        ).map(" ".join),
    ),
    max_size=8,
)


@given(lines=LINES)
def test_every_offset_holds_and_line_numbers_are_kept(lines: list[tuple[int, str]]) -> None:
    found = page("\n".join(f"{number}\t{sentence}" for number, sentence in lines))
    rest = iter(number for number, _ in lines)
    assert all(number in rest for number, _, _ in found.lines), "numbers are kept in their order"
    ends = 0
    for _, start, end in found.lines:
        sentence = found.text[start:end]
        assert sentence
        assert sentence == sentence.strip()
        assert "\n" not in sentence
        assert start == (ends + 1 if ends else 0), "sentences are joined by one space"
        ends = end
    assert ends == len(found.text)
    assert unicodedata.is_normalized("NFC", found.text)


@given(raw=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: row(text, "A")))
def test_no_row_raises_anything_but_value_error(raw: bytes) -> None:
    try:
        found = parse_row(raw)
    except ValueError:
        return
    assert found is None or found.id


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("He said `` no '' , then left .\n", "He said “no”, then left.\n"),
        ("It -LRB- 1997 -RRB- was 's and did n't .\n", "It (1997) was's and didn't.\n"),
        ("A -LSB- b -RSB- -LCB- c -RCB-", "A [b] { c }"),
        ("Really ? Yes ! 5 % of $ 3 ; ok : good .\n", "Really? Yes! 5% of $3; ok: good.\n"),
        ("Born -LRB- ; 1 May -RRB-", "Born (1 May)"),
        ("nothing to do", "nothing to do"),
        ("", ""),
    ],
)
def test_readable(tokens: str, text: str) -> None:
    assert readable(tokens) == text


@pytest.mark.parametrize(
    ("page_id", "title"),
    [
        ("Savages_-LRB-2012_film-RRB-", "Savages (2012 film)"),
        ("Star_Wars-COLON-_A_New_Hope", "Star Wars: A New Hope"),
        ("Emil_Za\u0301topek", "Emil Zátopek"),
        ("Rock_''n''_Roll", "Rock ''n'' Roll"),
        ("Jean-Luc_Godard", "Jean-Luc Godard"),
    ],
)
def test_readable_title(page_id: str, title: str) -> None:
    assert readable_title(page_id) == title


def test_the_sample_reads_whole() -> None:
    pages = [parse_row(found) for source in find_sources([SAMPLE]) for found in source.rows()]
    assert pages[0] is None
    assert all(found is not None and found.lines for found in pages[1:])


# Files.

ROWS = [[dump_row(f"Page_{file}_{number}", "One .", "Two .") for number in range(5)] for file in range(3)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, rows in enumerate(ROWS, 1):
        write_dump(tmp_path / "wiki-pages" / f"wiki-{number:03}.jsonl", rows)
    return tmp_path / "wiki-pages"


def pages_of(*paths: Path) -> list[Page]:
    rows = [found for source in find_sources(paths) for found in source.rows()]
    return [found for found in (parse_row(found) for found in rows) if found]


def packed(folder: Path, place: Path) -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir(), reverse=True):
            archive.write(file, f"wiki-pages/{file.name}")
            archive.writestr(f"__MACOSX/wiki-pages/._{file.name}", b"\0\1 shadow")
        archive.writestr("wiki-pages/license.html", "<p>")
    return place


def test_folder_zip_single_gz_and_bz2_give_the_same_pages(folder: Path, tmp_path: Path) -> None:
    expected = pages_of(folder)
    assert len(expected) == 15
    assert pages_of(packed(folder, tmp_path / "wiki-pages.zip")) == expected
    assert pages_of(*sorted(folder.iterdir())) == expected
    for suffix, compress in ((".gz", gzip.compress), (".bz2", bz2.compress)):
        other = tmp_path / suffix
        other.mkdir()
        for file in folder.iterdir():
            (other / f"{file.name}{suffix}").write_bytes(compress(file.read_bytes()))
        assert pages_of(other) == expected


def test_a_folder_is_searched_through_and_other_files_are_left_alone(folder: Path, tmp_path: Path) -> None:
    for name in ("._wiki-001.jsonl", "notes.txt", "wiki-001.jsonl~", "claims.jsonl"):
        (folder / name).write_text("not JSON")
    assert len(pages_of(tmp_path)) == 15


def test_a_source_is_named_with_its_archive(folder: Path, tmp_path: Path) -> None:
    archive = packed(folder, tmp_path / "a.zip")
    assert find_sources([archive])[1].name == f"{archive}:wiki-pages/wiki-002.jsonl"


def test_the_last_line_needs_no_line_break(tmp_path: Path) -> None:
    (tmp_path / "wiki-1.jsonl").write_text(dump_row("A", "One .") + "\r\n" + dump_row("B", "Two ."))
    assert [found.id for found in pages_of(tmp_path)] == ["A", "B"]


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"nowhere does not exist\. Name the folder or archive"):
        find_sources([tmp_path / "nowhere"])
    with pytest.raises(CorpusError, match=r"holds no file named wiki-NNN\.jsonl"):
        find_sources([tmp_path])
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(CorpusError, match=r"other.zip holds no file"):
        find_sources([tmp_path / "other.zip"])
    (tmp_path / "wiki-001.jsonl").symlink_to(tmp_path / "gone.jsonl")
    with pytest.raises(CorpusError, match="is not a file, or a link to one that is gone"):
        find_sources([tmp_path])


def test_the_same_file_named_twice(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    for twice in ([folder, folder], [folder, folder / "wiki-001.jsonl"], [folder, tmp_path / "link"]):
        with pytest.raises(CorpusError, match="named twice"):
            find_sources(twice)


@pytest.mark.parametrize("kept", [0, 10, 100, 400, -30, -5])
def test_an_archive_cut_short(folder: Path, tmp_path: Path, kept: int) -> None:
    whole = packed(folder, tmp_path / "whole.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:kept])
    with pytest.raises(CorpusError, match=r"cut.zip is not a complete zip archive: .*Fetch it again"):
        find_sources([tmp_path / "cut.zip"])


@pytest.mark.parametrize("suffix", [".zip", ".gz", ".bz2"])
def test_a_damaged_byte_is_never_a_traceback(folder: Path, tmp_path: Path, suffix: str) -> None:
    damaged = tmp_path / f"wiki-001.jsonl{suffix}" if suffix != ".zip" else tmp_path / "wiki.zip"
    file = folder / "wiki-001.jsonl"
    whole = {
        ".zip": lambda: packed(folder, tmp_path / "whole.zip").read_bytes(),
        ".gz": lambda: gzip.compress(file.read_bytes(), mtime=0),
        ".bz2": lambda: bz2.compress(file.read_bytes()),
    }[suffix]()
    reported = 0
    for place in range(0, len(whole), max(1, len(whole) // 300)):
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            pages_of(damaged)
        except CorpusError:
            reported += 1
        except ValueError:
            pass  # A row that came out garbled: reported with file and line by the loader.
    assert reported > 50


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_a_packed_file_cut_short(tmp_path: Path, suffix: str, compress: object) -> None:
    file = tmp_path / f"wiki-001.jsonl{suffix}"
    whole = compress("\n".join(ROWS[0]).encode())  # type: ignore[operator]
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorpusError, match=r"cannot be read completely: .*Fetch or copy the file again"):
        list(Source(str(file), file).rows())


@pytest.fixture
def as_somebody() -> Iterator[None]:
    """As a user who may not read what others keep to themselves; root may read everything."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_that_may_not_be_read(as_somebody: None, mode: int) -> None:
    """A clone that was made under umask 077, say. Its files are not passed over."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        inner = Path(place) / "wiki-pages"
        inner.mkdir()
        (inner / "wiki-001.jsonl").touch()
        inner.chmod(mode)
        with pytest.raises(CorpusError, match=r"cannot be read: Permission denied\. Check its permissions"):
            find_sources([Path(place)])
        inner.chmod(0o700)


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".zip"])
def test_a_file_that_may_not_be_read(as_somebody: None, suffix: str) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        file = Path(place) / f"wiki-001{suffix}"
        file.touch(0o000)
        with pytest.raises(CorpusError, match="may not be read by the user that this program runs as"):
            [row for source in find_sources([file]) for row in source.rows()]


def test_a_zip_with_a_password(tmp_path: Path, folder: Path) -> None:
    whole = bytearray(packed(folder, tmp_path / "locked.zip").read_bytes())
    for sign, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        place = -1
        while (place := whole.find(sign, place + 1)) >= 0:
            whole[place + flags] |= 1
    (tmp_path / "locked.zip").write_bytes(whole)
    with pytest.raises(CorpusError, match="encrypted, password required"):
        pages_of(tmp_path / "locked.zip")


def test_a_folder_or_file_that_goes_while_it_is_read(folder: Path, tmp_path: Path) -> None:
    sources = find_sources([folder])
    (folder / "wiki-002.jsonl").unlink()
    with pytest.raises(CorpusError, match=r"wiki-002\.jsonl cannot be read"):
        [found for source in sources for found in source.rows()]
