"""Fetches one web page, within limits of address, size, redirects, time and type."""

from __future__ import annotations

import functools
import html
import re
import ssl
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import CookieJar
from types import SimpleNamespace
from urllib.parse import urljoin, urlsplit
from urllib.request import Request

import httpcore

from retrieval.errors import WebError
from retrieval.text.addresses import web_address
from retrieval.text.files.charsets import without_parts
from retrieval.version import PROGRAM
from retrieval.web.extracting import HTML, PDF, TEXT, XHTML
from retrieval.web.guard import GuardedBackend, Networks

REDIRECTS = 5
MOST_PAGE_BYTES, MOST_PDF_BYTES = 3_000_000, 20_000_000  # decompressed
PAGE_SECONDS = 12.0  # for a page, including redirects
MOST_COOKIES, LONGEST_COOKIE = 20, 4_096  # cookies sent back during one fetch; bytes of each
# Codings that no request offers; unknown ones are ignored, as browsers do.
_OTHER_CODINGS = frozenset("br deflate compress x-compress zstd dcb dcz aes128gcm exi pack200-gzip".split())
TYPES = (HTML, XHTML, TEXT, PDF)
# Types under which servers send PDFs too; the first bytes decide.
_FILES = {f"application/{name}" for name in "octet-stream x-pdf download x-download force-download unknown".split()} | {
    "binary/octet-stream",
    "",
}
PDF_HEAD = 1_024  # first bytes, in which a PDF has its signature
MOST_LAYERS = 2  # of nested gzip
_REFRESH = re.compile(
    rb"""(?i)<meta(?=[^<>]{0,2000}\shttp-equiv\s{0,3}=\s{0,3}["']?refresh\b)[^<>]{0,300}?\scontent\s{0,3}=\s{0,3}["']?\s{0,3}[0-5]\s{0,3}[;,]\s{0,3}"""
    rb"""url\s{0,3}=\s{0,3}["']?([^"'<>\s]{1,1500})"""
)
_REFRESH_HEADER = re.compile(r"(?i)\s{0,9}[0-5]\s{0,9}[;,]\s{0,9}url\s{0,9}=\s{0,9}[\"']?([^\"'\s]{1,1500})")
_NOT_ASCII = re.compile(r"[\x80-\xff]")
LARGEST_REFRESH = 8_000  # bytes of a page that only sends its readers to another
READ = (200, 203)  # statuses to read; 203: a proxy changed the page
REDIRECTING = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Answer:
    """A server's answer. address: the final one, after redirects. type: in lower case, without parameters. charset: the
    one that the server names; may be empty.
    """

    address: str
    type: str
    content: bytes
    status: int = 200
    charset: str = ""


def fetch(address: str, allowed: Networks = (), contact: str = "", seconds: float = PAGE_SECONDS) -> Answer:
    """Fetch the page at a public address. allowed: private networks that the operator allows. Raises WebError."""
    deadline, jar = time.monotonic() + seconds, CookieJar()  # cookies live only as long as this fetch
    for _ in range(REDIRECTS + 1):
        url = web_address(address)
        if not url:
            raise WebError(f"{address[:200]!r} is not a web address. Give one that begins with https://.")
        jar.add_cookie_header(request := Request(url))
        cookies = {"Cookie": value} if (value := request.get_header("Cookie")) else {}
        answer, redirect = _ask(url, _headers(contact) | cookies, GuardedBackend(deadline, allowed), jar)
        if redirect is None and not (redirect := _refresh_target(answer)):
            return answer
        address = urljoin(url, redirect)
    raise WebError(f"{address[:200]} redirects more than {REDIRECTS} times, so it was not fetched.")


def _refresh_target(answer: Answer) -> str:
    """The address to which a page sends its readers within seconds; empty if it is a page to read."""
    if "html" not in answer.type or len(answer.content) > LARGEST_REFRESH:
        return ""
    found = _REFRESH.search(without_parts(without_parts(answer.content), b"<noscript", b"</noscript"))
    return html.unescape(found[1].decode("latin-1")) if found else ""


def ask_engine(address: str, headers: Mapping[str, str]) -> Answer:
    """The answer of the operator's search engine, at any address, with any status and type. Follows no redirects. Raises
    WebError.
    """
    answer, redirect = _ask(address, headers, GuardedBackend(time.monotonic() + PAGE_SECONDS, anywhere=True))
    if redirect is not None:
        raise WebError(f"The search engine at {host_of(address)} redirects. Set WEB_URL to the final address.")
    return answer


def host_of(address: str) -> str:
    """Host and port of an address, for display."""
    return urlsplit(address).netloc.rpartition("@")[2] or address


def _headers(contact: str) -> dict[str, str]:
    plain = "".join(sign for sign in contact if sign.isprintable() and sign.isascii() and sign not in "()").strip()
    agent = f"{PROGRAM.replace(' ', '/')} (fact checking{'; ' + plain if plain else ''})"
    return {
        "User-Agent": agent,
        "Accept": "text/html, text/plain;q=0.8, application/pdf;q=0.8",
        "Accept-Encoding": "gzip",
    }


def _ask(
    url: str, headers: Mapping[str, str], backend: GuardedBackend, jar: CookieJar | None = None
) -> tuple[Answer, str | None]:
    """One request: the answer, and the address to which it redirects. jar: the cookies of a page's
    fetch, whose answer must have a status of `READ` and one of the `TYPES`; None for a search engine.
    """
    host = host_of(url)
    try:
        trusted = _trusted() if url.startswith("https:") else None
        with (
            httpcore.ConnectionPool(trusted, network_backend=backend, max_connections=1) as pool,
            pool.stream("GET", url, headers=list(headers.items())) as response,
        ):
            sent = _read_headers(response.headers)
            redirect = (response.status in REDIRECTING and sent.get("location")) or None
            if jar is not None:
                _take_cookies(jar, url, response.headers)
                if not redirect and (refresh := _REFRESH_HEADER.match(sent.get("refresh", ""))):
                    redirect = refresh[1]
            if redirect is not None:
                # Servers send UTF-8 in headers, and browsers send the same bytes back.
                redirect = _NOT_ASCII.sub(lambda sign: f"%{ord(sign[0]):02X}", redirect)
                return Answer(url, "", b"", response.status), redirect
            kind, charset = _type(sent.get("content-type", ""))
            if jar is not None and response.status not in READ:
                raise WebError(f"{host} answered {response.status}, so the page was not read.")
            is_file = kind in _FILES
            if jar is not None and not is_file and kind not in TYPES:
                raise WebError(f"{host} sent {kind[:60]}, which is not a page of text.")
            most = MOST_PDF_BYTES if kind == PDF or is_file else MOST_PAGE_BYTES
            pieces = _bounded(response.iter_stream(), sent.get("content-encoding", ""), host, most)
            content = b"".join(_pdf_only(pieces) if jar is not None and is_file else pieces)
    except httpcore.TimeoutException:
        raise WebError(f"{host} took too long, so the page was not read.") from None
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, zlib.error, ValueError) as error:
        raise WebError(f"{host} could not be read ({type(error).__name__}).") from None
    if b"%PDF-" in content[:PDF_HEAD] and not content[:PDF_HEAD].lstrip().startswith(b"<"):
        kind = PDF  # no matter what the server calls it
    if jar is not None and kind not in TYPES:
        raise WebError(f"{host} sent {kind[:60] or 'a file of no type'}, which is not a page of text.")
    return Answer(url, kind, content, response.status, charset), None


@functools.cache
def _trusted() -> ssl.SSLContext:
    """The certificate authorities that connections trust. Read once per process, because that takes .05 s."""
    return httpcore.default_ssl_context()


def _read_headers(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """Header name, in lower case -> value: of a repeated header the last, but all codings of the content."""
    found: dict[str, str] = {}
    for name, value in headers:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1").strip()
        found[key] = f"{found[key]}, {text}" if key == "content-encoding" and found.get(key) else text
    return found


def _type(header: str) -> tuple[str, str]:
    """(media type, encoding) that a header names, the type in lower case."""
    message = Message()
    message["content-type"] = header
    charset = message.get_param("charset", "")
    kind = header.partition(";")[0].strip().lower()
    return kind, charset.strip().strip("'\"") if isinstance(charset, str) else ""


def _take_cookies(jar: CookieJar, url: str, headers: Sequence[tuple[bytes, bytes]]) -> None:
    """Store the cookies that a server sets, if it may set them (RFC 6265)."""
    set_here = Message()
    for name, value in headers:
        if name.lower() == b"set-cookie" and len(value) <= LONGEST_COOKIE:
            set_here["Set-Cookie"] = value.decode("latin-1")
    response = SimpleNamespace(info=lambda: set_here)  # the part of a response that a jar reads
    jar.extract_cookies(response, Request(url))  # type: ignore[arg-type]
    for cookie in list(jar)[MOST_COOKIES:]:
        jar.clear(cookie.domain, cookie.path, cookie.name)


def _bounded(pieces: Iterator[bytes], encoding: str, host: str, most: int) -> Iterator[bytes]:
    """The decompressed pieces. Raises WebError as soon as they are too large together."""
    layers = [name.strip().strip("\"'").lower() for name in encoding.split(",")]
    if not _OTHER_CODINGS.isdisjoint(layers):
        raise WebError(f"{host} sent a page in a compression that was not requested.")
    gzips = sum(name in ("gzip", "x-gzip") for name in layers)
    for _ in range(min(gzips, MOST_LAYERS)):
        pieces = _unpacked(pieces, most)
    size = 0
    for plain in pieces:
        size += len(plain)
        if size > most:
            raise WebError(f"The page at {host} is larger than {most // 1_000_000} MB, so it was not read.")
        yield plain


def _pdf_only(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces of a file; stops if it turns out not to be a PDF."""
    head = b""
    for piece in pieces:
        head += piece[: PDF_HEAD - len(head)]
        yield piece
        if len(head) >= PDF_HEAD and b"%PDF-" not in head:
            return


def _unpacked(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    """The decompressed bytes of gzip, in one or several members (RFC 1952, section 2.2); data that is not gzip is
    passed on.
    """
    unpacker, first = zlib.decompressobj(wbits=31), True
    for piece in pieces:
        if first and piece and not piece.startswith(b"\x1f"):
            yield piece
            yield from pieces
            return
        first, left = first and not piece, piece
        while left:
            if unpacker.eof:
                if not left.startswith(b"\x1f"):
                    return  # padding after the last member
                unpacker = zlib.decompressobj(wbits=31)
            yield unpacker.decompress(left, most + 1)
            left = unpacker.unused_data
