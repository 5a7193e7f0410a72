"""Pages in every packing and encoding, behind a cookie, and PDFs are fetched and read as uploads are."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator

import pytest

from retrieval.errors import WebError
from retrieval.settings import Settings
from retrieval.web.extracting import Extractor
from retrieval.web.pages import WebPage, fetch_page
from tests.indexing.test_documents import PROSE, pdf
from tests.retrieval.web.hostile_web import HostileWeb, article, hostile_web

CAFE = article("The Café Müller of Łódź has served coffee to its guests since 1932.").replace("Łódź", "Köln")


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    with hostile_web() as found:
        yield found


@pytest.fixture(scope="module")
def extractor() -> Iterator[Extractor]:
    with Extractor() as found:
        yield found


def fetched(web: HostileWeb, extractor: Extractor, kind: str, content: bytes, encoding: str = "") -> WebPage:
    web.files["/file"] = (kind, encoding, content)
    return fetch_page(f"{web.url}/file", Settings(web_private="127.0.0.1"), extractor)


@pytest.mark.parametrize(
    ("kind", "content", "note"),
    [
        ("text/html; charset=ISO-8859-1", CAFE.encode("cp1252"), ""),
        ('text/html; Charset="windows-1252"', CAFE.replace("<head>", "<head><meta charset=utf-8>").encode("cp1252"), "the server says"),
        ("text/html; charset=UTF-16LE", CAFE.encode("utf-16-le"), ""),
        ("text/html", CAFE.replace("<head>", "<head><meta charset=latin1>").encode("cp1252"), ""),
        ("text/html; charset=iso-8859-1", CAFE.encode(), "it was read as UTF-8"),
        ("application/xhtml+xml", b'<?xml version="1.0" encoding="windows-1250"?>' + CAFE.encode("cp1250"), ""),
        ("text/html; charset=x-unknown", CAFE.encode(), ""),
        ("text/html", CAFE.encode("utf-16"), ""),
    ],
)  # fmt: skip
def test_the_encoding_that_the_server_names_counts(
    web: HostileWeb, extractor: Extractor, kind: str, content: bytes, note: str
) -> None:
    page = fetched(web, extractor, kind, content)
    assert "The Café Müller of Köln has" in page.text
    assert note in page.note
    assert bool(note) == bool(page.note)


def test_plain_text_has_its_encoding_too(web: HostileWeb, extractor: Extractor) -> None:
    text = "The Café Müller of Köln has served coffee to its guests since 1932."
    assert fetched(web, extractor, "text/plain; charset=windows-1252", text.encode("cp1252")).text == text


@pytest.mark.parametrize("encoding", ["GZIP", "x-gzip", " Gzip ", "gzip, identity", '"gzip"'])
def test_a_page_packed_in_several_members_is_read_whole(web: HostileWeb, extractor: Extractor, encoding: str) -> None:
    whole = article("It was packed in two members on the way and is read all the same.").encode()
    page = fetched(web, extractor, "text/html", gzip.compress(whole[:200]) + gzip.compress(whole[200:]), encoding)
    assert "packed in two members" in page.text
    assert "two reporters" in page.text


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip, GZIP", lambda page: gzip.compress(gzip.compress(page))),
        ("utf-8", bytes),
        ("gzip", bytes),
        ("gzip", lambda page: gzip.compress(page) + b"\0\0junk"),
        ("gzip", lambda page: gzip.compress(page)[:-8]),
    ],
)
def test_what_a_server_says_of_its_packing_may_be_wrong(
    web: HostileWeb, extractor: Extractor, encoding: str, packed: Callable[[bytes], bytes]
) -> None:
    whole = article("It is packed twice, or not at all, whatever its server says of it.").encode()
    assert "packed twice" in fetched(web, extractor, "text/html", packed(whole), encoding).text


@pytest.mark.parametrize(
    "order",
    ["content='0; URL=/there?a=1&amp;b=2' http-equiv=refresh", "http-equiv='Refresh' content=\"0;url='there'\""],
)
def test_a_page_that_only_leads_to_another_is_left_for_that(web: HostileWeb, extractor: Extractor, order: str) -> None:
    web.files["/there"] = ("text/html", "", article("The page that was meant is read behind the first one.").encode())
    page = fetched(web, extractor, "text/html", f"<html><head><meta {order}></head></html>".encode())
    assert "that was meant is read" in page.text
    assert page.address.startswith(f"{web.url}/there")


@pytest.mark.parametrize("around", ["<!-- {} -->", "<noscript>{}</noscript>"])
def test_a_page_that_merely_could_lead_elsewhere_is_read(web: HostileWeb, extractor: Extractor, around: str) -> None:
    order = around.format("<meta http-equiv=refresh content='0; url=/nowhere'>")
    whole = article("The page that was asked for is read, since it has a text.").replace("<head>", f"<head>{order}")
    assert "asked for is read" in fetched(web, extractor, "text/html", whole.encode()).text


def test_a_header_leads_to_another_page_too_and_accents_arrive_as_they_were_sent(
    web: HostileWeb, extractor: Extractor
) -> None:
    web.refreshes["/old"] = "0; url=/redirect?to=/caf%C3%A9"
    web.files["/old"] = ("text/html", "", b"<html><body>It has moved.</body></html>")
    web.files["/caf%E9"] = ("text/html", "", article("The page that was meant is read behind two others.").encode())
    page = fetch_page(f"{web.url}/old", Settings(web_private="127.0.0.1"), extractor)
    assert "that was meant is read" in page.text


def test_members_that_unpack_to_too_much_are_refused(web: HostileWeb, extractor: Extractor) -> None:
    with pytest.raises(WebError, match="larger than 3 MB"):
        fetched(web, extractor, "text/html", gzip.compress(b"<p>a</p>" * 200_000) * 5, "gzip")


def test_a_redirect_that_needs_a_cookie_is_followed_and_the_cookie_forgotten(web: HostileWeb) -> None:
    for _ in range(2):
        web.asked.clear()
        page = fetch_page(f"{web.url}/gate", Settings(web_private="127.0.0.1"))
        assert "is let in" in page.text
        assert [headers.get("Cookie") for _, headers in web.asked] == [None, "pass=yes"]


@pytest.mark.parametrize("kind", ["application/pdf", "Application/PDF; version=1.7"])
def test_a_pdf_is_read(web: HostileWeb, extractor: Extractor, kind: str) -> None:
    page = fetched(web, extractor, kind, pdf(PROSE, "It ends on a second page.", title="A river"))
    assert page.title == "A river"
    assert page.text.startswith("The river rises in the northern hills and flows past three market towns")
    assert page.text.endswith("It ends on a second page.")


@pytest.mark.parametrize("kind", ["application/octet-stream", "application/force-download", "text/html", ""])
def test_a_pdf_is_one_whatever_its_server_calls_it(web: HostileWeb, extractor: Extractor, kind: str) -> None:
    assert fetched(web, extractor, kind, pdf(PROSE)).text.startswith("The river rises")


def test_another_file_is_refused_before_it_is_read_whole(web: HostileWeb, extractor: Extractor) -> None:
    with pytest.raises(WebError, match="sent application/octet-stream, which is not a page of text"):
        fetched(web, extractor, "application/octet-stream", b"\0" * 30_000_000)


@pytest.mark.parametrize(
    ("content", "told"), [(b"%PDF-1.4 rubbish", "not a complete PDF"), (pdf("Secret.", password="secret"), "password")]
)
def test_a_pdf_that_cannot_be_read_says_why(web: HostileWeb, extractor: Extractor, content: bytes, told: str) -> None:
    with pytest.raises(WebError, match=told):
        fetched(web, extractor, "application/pdf", content)


def test_raised_marks_and_struck_out_words_are_read_as_in_files(web: HostileWeb, extractor: Extractor) -> None:
    text = "The port was opened in 1970<sup>12</sup> and is <del>500</del><ins>503</ins> metres long, says <time>2020</time>."
    page = fetched(web, extractor, "text/html", article(text).encode())
    assert "opened in 1970 and is 503 metres long, says 2020." in page.text
    assert page.note == "1 word that the page strikes out was left out"
