"""Encodings: as the server, the byte order mark or the file names them, and a note where they disagree."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import CorpusError
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
        (b"plain", "no-such-encoding", "utf-16", "plain", ""),
        (CAFE.encode("cp1252") * 100 + b"\x81", "windows-1252", "", CAFE * 100 + "\ufffd", ""),
    ],
)
def test_names_of_encodings(content: bytes, header: str, declared: str, read: str, noted: str) -> None:
    found = decode(content, header, declared)
    assert found.text == read
    assert noted in found.note()
    assert bool(noted) == bool(found.note())


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
