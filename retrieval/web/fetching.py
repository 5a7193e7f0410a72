"""Fetches one web page within limits of address, bytes, redirects, time and type."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import CookieJar
from urllib.parse import urljoin, urlsplit
from urllib.request import Request

import httpcore

from retrieval.errors import WebError
from retrieval.text.addresses import web_address
from retrieval.version import PROGRAM
from retrieval.web.guard import GuardedBackend, Networks

REDIRECTS = 5
MOST_BYTES = 3_000_000  # of a page, unpacked
MOST_BYTES_OF_FILE = 20_000_000  # of a PDF
SECONDS = 12.0  # for a page, with its redirects
MOST_COOKIES, LONGEST_COOKIE = 20, 4_096  # that a page is given back on its way; bytes of each
PDF = "application/pdf"
TYPES = ("text/html", "application/xhtml+xml", "text/plain", PDF)
REDIRECTING = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Answer:
    """A server's answer. address: the last one, after redirects. type: without its parameters, in lower case. charset:
    as the server names it; empty if it does not.
    """

    address: str
    type: str
    content: bytes
    status: int = 200
    charset: str = ""


def fetch(address: str, listed: Networks = (), contact: str = "", seconds: float = SECONDS) -> Answer:
    """The page at a public address. listed: private networks that the operator allows. Raises WebError."""
    until, jar = time.monotonic() + seconds, CookieJar()  # cookies live as long as this fetch
    for _ in range(REDIRECTS + 1):
        place = web_address(address)
        if not place:
            raise WebError(f"{address[:200]!r} is not an address of the web. Give one that begins with https://.")
        headers = {**_headers(contact), **_cookies(jar, place)}
        answer, further = _ask(place, until, headers, GuardedBackend(until, listed), TYPES, jar=jar)
        if further is None:
            return answer
        address = urljoin(place, further)
    raise WebError(f"{address[:200]} redirects more than {REDIRECTS} times, so it was not fetched.")


def ask_engine(address: str, headers: Mapping[str, str], seconds: float = SECONDS) -> Answer:
    """The answer of the operator's search engine, at any address; any status, no redirects. Raises WebError."""
    until = time.monotonic() + seconds
    answer, further = _ask(address, until, headers, GuardedBackend(until, anywhere=True), (), strict=False)
    if further is not None:
        raise WebError(f"The search engine at {host_of(address)} redirects. Set WEB_URL to where it really is.")
    return answer


def host_of(address: str) -> str:
    """Host and port of an address, for people."""
    parts = urlsplit(address)
    return parts.netloc.rpartition("@")[2] or address


def _headers(contact: str) -> dict[str, str]:
    plain = "".join(sign for sign in contact if sign.isprintable() and sign.isascii() and sign not in "()").strip()
    agent = f"{PROGRAM.replace(' ', '/')} (fact checking{'; ' + plain if plain else ''})"
    return {
        "User-Agent": agent,
        "Accept": "text/html, text/plain;q=0.8, application/pdf;q=0.8",
        "Accept-Encoding": "gzip",
    }


def _ask(
    place: str,
    until: float,
    headers: Mapping[str, str],
    backend: GuardedBackend,
    types: tuple[str, ...],
    strict: bool = True,
    jar: CookieJar | None = None,
) -> tuple[Answer, str | None]:
    """One request: the answer, and where it redirects to."""
    host = host_of(place)
    try:
        with (
            httpcore.ConnectionPool(network_backend=backend, max_connections=1) as pool,
            pool.stream("GET", place, headers=list(headers.items())) as response,
        ):
            said = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            if jar is not None:
                _take_cookies(jar, place, response.headers)
            if response.status in REDIRECTING and "location" in said:
                return Answer(place, "", b"", response.status), said["location"]
            kind, charset = _type(said.get("content-type", ""), place)
            if strict and response.status != 200:
                raise WebError(f"{host} answered {response.status}, so the page was not read.")
            if types and kind not in types:
                raise WebError(f"{host} sent {kind[:60] or 'a file of no type'}, which is not a page of text.")
            most = MOST_BYTES_OF_FILE if kind == PDF else MOST_BYTES
            content = b"".join(_bounded(response.iter_stream(), said.get("content-encoding", ""), host, most))
    except httpcore.TimeoutException:
        raise WebError(f"{host} took too long, so the page was not read.") from None
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, zlib.error, ValueError) as error:
        raise WebError(f"{host} could not be read ({type(error).__name__}).") from None
    return Answer(place, kind, content, response.status, charset), None


def _type(header: str, place: str) -> tuple[str, str]:
    """(media type, encoding) that a header names, in lower case. A file that is only called a file has its name's type."""
    said = Message()
    said["content-type"] = header
    kind = header.partition(";")[0].strip().lower()
    if kind in ("application/octet-stream", "application/x-pdf", "binary/octet-stream") and _is_pdf(place, kind):
        kind = PDF
    charset = said.get_param("charset", "")
    return kind, charset.strip().strip("'\"") if isinstance(charset, str) else ""


def _is_pdf(place: str, kind: str) -> bool:
    return kind == "application/x-pdf" or urlsplit(place).path.lower().endswith(".pdf")


def _cookies(jar: CookieJar, place: str) -> dict[str, str]:
    """The header with the cookies that were set for this place on the way to it."""
    request = Request(place)
    jar.add_cookie_header(request)
    found = request.get_header("Cookie")
    return {"Cookie": found} if found else {}


def _take_cookies(jar: CookieJar, place: str, headers: Sequence[tuple[bytes, bytes]]) -> None:
    """Keep the cookies that a server sets, as far as it may set them (RFC 6265)."""
    set_here = Message()
    for name, value in headers:
        if name.lower() == b"set-cookie" and len(value) <= LONGEST_COOKIE:
            set_here["Set-Cookie"] = value.decode("latin-1")
    jar.extract_cookies(_Response(set_here), Request(place))  # type: ignore[arg-type]
    for cookie in list(jar)[MOST_COOKIES:]:
        jar.clear(cookie.domain, cookie.path, cookie.name)


@dataclass(frozen=True)
class _Response:
    """The part of an answer that `CookieJar` reads."""

    headers: Message

    def info(self) -> Message:
        return self.headers


def _bounded(pieces: Iterator[bytes], encoding: str, host: str, most: int) -> Iterator[bytes]:
    """The unpacked pieces. Raises WebError as soon as there are too many bytes."""
    packed = encoding.strip().lower()
    if packed not in ("", "identity", "gzip", "x-gzip"):
        raise WebError(f"{host} sent a page that is packed in a way nobody asked for.")
    size = 0
    for plain in _unpacked(pieces, most) if packed.endswith("gzip") else pieces:
        size += len(plain)
        if size > most:
            raise WebError(f"The page at {host} is larger than {most // 1_000_000} MB, so it was not read.")
        yield plain


def _unpacked(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    """The unpacked bytes of gzip, in one member or several (RFC 1952, section 2.2)."""
    unpacker = zlib.decompressobj(wbits=31)
    for piece in pieces:
        left = piece
        while left:
            if unpacker.eof:
                if not left.startswith(b"\x1f"):
                    return  # padding after the last member
                unpacker = zlib.decompressobj(wbits=31)
            yield unpacker.decompress(left, most + 1)
            left = unpacker.unused_data
