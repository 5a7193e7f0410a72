"""Encodings: as the server, the byte order mark or the file names them, and a note where they disagree."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.jobs.readers.texts import plain_text
from retrieval.errors import CorpusError
from retrieval.output.tables.reading import read_table
from retrieval.text.files.charsets import declared_charset, decode

CAFE = "The Café Müller of Köln."
MOSCOW = "Москва стоит на реке, которая течёт на восток, и город вырос по обе её стороны."


@pytest.mark.parametrize(
    ("content", "header", "declared", "read", "noted"),
    [
        (CAFE.encode("cp1252"), "ISO-8859-1", "", CAFE, ""),
        (CAFE.encode("cp1252"), "windows-1252", "utf-8", CAFE, "the server says"),
        (CAFE.encode("cp1252"), "", "latin1", CAFE, ""),
        (CAFE.encode(), "iso-8859-1", "", CAFE, "read as UTF-8"),
        (CAFE.encode("utf-8-sig"), "windows-1252", "", CAFE, "byte order mark"),
        (CAFE.encode("utf-16"), "", "", CAFE, ""),
        (CAFE.encode("cp1252"), "", "", CAFE, "1 of its 1 lines"),
        (MOSCOW.encode("koi8-r"), "KOI8-R", "", MOSCOW, ""),
        (MOSCOW.encode("cp1251"), "", "", MOSCOW, "which it resembles most"),
        ("东京 镕 喆".encode("gb18030"), "", "gb2312", "东京 镕 喆", ""),
        ("東京は首都①".encode("cp932"), "Shift_JIS", "", "東京は首都①", ""),
        ("東京".encode("iso2022_jp"), "", "iso-2022-jp", "東京", ""),
        (CAFE.encode("utf-16-be"), "utf-16", "", CAFE, ""),
        (CAFE.encode("utf-16-le"), "utf-16", "", CAFE, ""),
        (CAFE.encode("utf-16"), "utf-16", "", CAFE, ""),
        (CAFE.encode("utf-16-be"), "utf-16be", "", CAFE, ""),
        (MOSCOW.encode("utf-16-be"), "utf-16", "", MOSCOW, ""),
        ("东京是首都。\n".encode("utf-16-be"), "utf-16", "", "东京是首都。\n", ""),
        ("东京是首都。".encode("utf-16-be"), "utf-16be", "", "东京是首都。", ""),
        ((CAFE + " “’”").encode("utf-16-be"), "", "", CAFE + " “’”", ""),
        (MOSCOW.encode("utf-16-le"), "", "", MOSCOW, ""),
        (CAFE.encode("utf-16-be"), "utf-8", "", CAFE, "read as UTF-16"),
        (b"plain\0text", "", "", "plain\0text", ""),
        (b"plain", "no-such-encoding", "utf-16", "plain", ""),
        (CAFE.encode("cp1252") * 100 + b"\x81", "windows-1252", "", CAFE * 100 + "\ufffd", ""),
    ],
)
def test_names_of_encodings(content: bytes, header: str, declared: str, read: str, noted: str) -> None:
    found = decode(content, header, declared)
    assert found.text == read
    assert noted in found.note()
    assert bool(noted) == bool(found.note())


MILLS = {
    "ru": "Завод был построен в 1811 году. Гостиница была закрыта в 1940 году, а мост открыли в 1932 году.",
    "pl": "Młyn został zbudowany w 1811 roku. Gospodę zamknięto w 1940 roku, a most otwarto później. Żółć to słowo.",
    "cs": "Mlýn byl postaven v roce 1811. Příliš žluťoučký kůň úpěl ďábelské ódy u řeky.",
    "ja": "水車小屋は1811年に建てられました。宿屋は1940年に閉鎖されました。",
    "zh": "磨坊建于1811年。客栈于1940年关闭。大桥于1932年通车。",
    "ko": "방앗간은 1811년에 지어졌다. 여관은 1940년에 문을 닫았다.",
    "el": "Ο μύλος χτίστηκε το 1811. Το πανδοχείο έκλεισε το 1940.",
    "de": "Die Mühle wurde 1811 gebaut, das Gasthaus schloß 1940. Fläche: 5 m², 3½ Stunden, 20 °C.",
    "fr": "L’hôtel a été fermé en 1940, où l’œuvre « Noël » coûtait 5 €.",
}


@pytest.mark.parametrize(
    ("language", "codec"),
    [("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "cp866"), ("pl", "cp1250"), ("pl", "iso8859-2"), ("cs", "cp1250"), ("ja", "iso2022_jp"),
     ("ja", "shift_jis"), ("ja", "euc_jp"), ("zh", "gb18030"), ("ko", "euc_kr"), ("el", "cp1253"), ("de", "cp1252"), ("fr", "cp1252")],
)  # fmt: skip
def test_what_no_one_names_is_told_by_its_letters(language: str, codec: str, tmp_path: Path) -> None:
    text = MILLS[language]
    found = decode(text.encode(codec))
    assert found.text == text
    assert ("resembles" in found.note()) == (codec != "cp1252")
    (tmp_path / "claims.csv").write_bytes(f"id;claim\n1;{text}\n".encode(codec))
    table = read_table(tmp_path / "claims.csv")
    assert table.column(1) == [text]
    assert len(table.notes) == 1
    uploaded = plain_text(text.encode(codec), "a.txt")
    assert uploaded is not None
    assert uploaded.text == text


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"<html><head><meta charset=gb2312>", "gb2312"),
        (b"""<META http-equiv="Content-Type" content="text/html; charset=Shift_JIS">""", "Shift_JIS"),
        (b"""<?xml version='1.0' encoding='windows-1251'?><html>""", "windows-1251"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=utf-8>", "utf-8"),
        (b"<p>charset=koi8-r</p>", ""),
    ],
)
def test_a_file_declares_its_encoding(start: bytes, name: str) -> None:
    assert declared_charset(start) == name


@given(st.binary(max_size=200), st.sampled_from(["", "utf-8", "gbk", "utf-16", "iso-2022-jp", "x"]))
def test_any_bytes_are_text_or_refused(content: bytes, name: str) -> None:
    with contextlib.suppress(CorpusError):
        assert isinstance(decode(content, name, name).text, str)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_text_in_utf_8_stays_what_it_is(text: str) -> None:
    assert decode(text.encode(), "utf-8").text == text.removeprefix("\ufeff")


@pytest.mark.parametrize("codec", ["utf-16-be", "utf-16-le"])
def test_a_table_in_utf_16_needs_no_mark(codec: str, tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_bytes(f"id;claim\n1;It’s {CAFE}\n2;{MOSCOW}\n".encode(codec))
    assert read_table(tmp_path / "claims.csv").column(1) == [f"It’s {CAFE}", MOSCOW]


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("The café wasn’t opened in 1932 – it cost €5 million.", "mac_roman"),
        ("Le café était fermé, et l'hôtel a été vendu.", "cp850"),
        ("Köprü 1932'de açılmadı, çünkü şehir ona karşıydı.", "cp1254"),
    ],
)
def test_texts_of_old_programs_and_in_turkish_are_recognised(text: str, codec: str) -> None:
    found = decode(text.encode(codec))
    assert found.text == text
    assert codec in found.note()


@pytest.mark.parametrize(
    "text",
    [
        "The café wasn’t “open” – it cost €5…",
        "Brúin var ekki opnuð þá, sagði maðurinn.",
        "Die Brücke in Łódź",
        "São Paulo, ÉCOLE McÉwan",
    ],
)
def test_western_texts_stay_as_they_are(text: str) -> None:
    assert decode(text.encode("cp1252", "ignore")).text == text.encode("cp1252", "ignore").decode("cp1252")


def test_what_was_once_decoded_wrongly_is_put_right() -> None:
    text = "The café wasn’t opened – it cost €5."
    found = decode(text.encode().decode("cp1252").encode())
    assert found.text == text
    assert "garbled" in found.note()
    assert decode("Â alone, and Ã too.".encode()).text == "Â alone, and Ã too."


def test_a_file_that_was_cut_off_within_a_character_is_read() -> None:
    found = decode("The café is in Łódź".encode()[:-1])
    assert found.text == "The café is in Łód"
    assert "cut off" in found.note()
