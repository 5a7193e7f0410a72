"""Addresses of pages and quotations: right for what is honest, harmless for what is not."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.addresses import opens, page_address, quotation_address, text_fragment, web_address
from retrieval.types import Page

WIKI = Page("enwiki/7", "Mercury (planet)", "It is small. It is hot.", (), site="en.wikipedia.org", revision=12)
SCRIPTS = ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,<script>", "vbscript:x", "//evil.example/", "\x01javascript:x"]  # fmt: skip


def document(source: str) -> Page:
    return Page("document:a/b#1", "B", "Text.", (), source=source)


def test_a_wiki_page_is_opened_at_its_revision() -> None:
    assert page_address(WIKI) == "https://en.wikipedia.org/w/index.php?title=Mercury_%28planet%29&oldid=12"


def test_without_a_revision_by_its_title() -> None:
    assert page_address(replace(WIKI, revision=None)) == "https://en.wikipedia.org/wiki/Mercury_(planet)"


@given(st.text(min_size=1, max_size=300), st.none() | st.integers(1, 2**53))
def test_no_title_leads_to_another_server_or_adds_a_parameter(title: str, revision: int | None) -> None:
    address = urlsplit(page_address(replace(WIKI, title=title, revision=revision)))
    assert (address.scheme, address.netloc, address.fragment) == ("https", "en.wikipedia.org", "")
    if revision:
        assert set(parse_qs(address.query, keep_blank_values=True)) == {"title", "oldid"}
    else:
        assert (address.query, address.path[:6]) == ("", "/wiki/")


@pytest.mark.parametrize(
    "site", ["evil.example/", "en.wikipedia.org@evil.example", "a b.org", "localhost", "javascript:x", "a.org:80"]
)
def test_a_site_that_is_no_host_gives_no_address(site: str) -> None:
    assert page_address(replace(WIKI, site=site)) == ""


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("/mine/texts/annual report.pdf, page 3", "annual%20report.pdf#page=3"),
        ("notes/a.md", "a.md"),
        ("report.pdf, pages 3-4", "report.pdf#page=3"),
        ("C:\\docs\\a.docx", "a.docx"),
        ("", ""),
        ("https://site.example/a?b=c#d", "https://site.example/a?b=c#d"),
        ("http://me:secret@site.example:8080/ä", "http://site.example:8080/%C3%A4"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ],
)  # fmt: skip
def test_documents_and_the_web(source: str, address: str) -> None:
    assert page_address(document(source)) == address


@pytest.mark.parametrize("source", SCRIPTS)
def test_what_could_run_does_not_open(source: str) -> None:
    address = page_address(document(source))
    assert not opens(address)
    assert ":" not in address


@given(st.text() | st.text().map(lambda text: f"https://{text}"))
def test_an_address_of_the_web_is_one_whatever_it_was_made_of(text: str) -> None:
    if address := web_address(text):
        parts = urlsplit(address)
        assert parts.scheme in ("http", "https")
        assert parts.hostname
        assert "@" not in parts.netloc
        assert not set(address) & set(" \t\r\n<>\"'\\\x00")


def test_a_short_quotation_is_looked_for_whole() -> None:
    assert quotation_address(WIKI, 13, 23).endswith("&oldid=12#:~:text=It%20is%20hot.")


def test_a_long_one_by_its_ends() -> None:
    first, last = "One, two-three and four five six", "of all that was ever said here."
    text = f"Before. {first} {'middle ' * 20}{last} After."
    start, end = text.index(first), text.index(last) + len(last)
    fragment = text_fragment(text, start, end)
    assert [unquote(part) for part in fragment.split(",")] == [
        "One, two-three and four five six",
        "all that was ever said here.",
    ]
    assert "-" not in fragment


def test_none_where_another_place_would_be_found() -> None:
    assert text_fragment("It is so. And: It is so.", 15, 24) == ""
    assert text_fragment("It is so. And: It is so.", 0, 9) == "It%20is%20so."


def test_none_for_a_page_that_may_read_otherwise_today() -> None:
    old = replace(WIKI, revision=None)
    assert quotation_address(old, 0, 12) == page_address(old)


def test_an_address_with_a_fragment_keeps_it() -> None:
    assert quotation_address(document("https://a.example/#top"), 0, 5) == "https://a.example/#top:~:text=Text."


@given(st.text(), st.integers(0, 50), st.integers(0, 50))
def test_fragments_hold_no_sign_that_means_something(text: str, start: int, length: int) -> None:
    assert not set(text_fragment(text, start, start + length).replace(",", "", 1)) & set("&-,#\"'<> \n")
