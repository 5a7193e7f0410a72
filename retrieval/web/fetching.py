"""Fetches one web page within limits of address, bytes, redirects, time and type."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpcore

from retrieval.errors import WebError
from retrieval.text.addresses import web_address
from retrieval.version import PROGRAM
from retrieval.web.guard import GuardedBackend, Networks

REDIRECTS = 5
MOST_BYTES = 3_000_000  # of a page, unpacked
SECONDS = 12.0  # for a page, with its redirects
TYPES = ("text/html", "application/xhtml+xml", "text/plain")
REDIRECTING = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Answer:
    """What a server sent. address: the last one, after redirects. type: without its parameters, in lower case."""

    address: str
    type: str
    content: bytes
    status: int = 200


def fetch(address: str, listed: Networks = (), contact: str = "", seconds: float = SECONDS) -> Answer:
    """The page at a public address. listed: private networks that the operator allows. Raises WebError."""
    until = time.monotonic() + seconds
    for _ in range(REDIRECTS + 1):
        place = web_address(address)
        if not place:
            raise WebError(f"{address[:200]!r} is not an address of the web. Give one that begins with https://.")
        answer, further = _ask(place, until, _headers(contact), GuardedBackend(until, listed), TYPES)
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
    return {"User-Agent": agent, "Accept": "text/html, text/plain;q=0.8", "Accept-Encoding": "gzip"}


def _ask(
    place: str,
    until: float,
    headers: Mapping[str, str],
    backend: GuardedBackend,
    types: tuple[str, ...],
    strict: bool = True,
) -> tuple[Answer, str | None]:
    """One request: the answer, and where it redirects to."""
    host = host_of(place)
    try:
        with (
            httpcore.ConnectionPool(network_backend=backend, max_connections=1) as pool,
            pool.stream("GET", place, headers=list(headers.items())) as response,
        ):
            said = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            if response.status in REDIRECTING and "location" in said:
                return Answer(place, "", b"", response.status), said["location"]
            kind = said.get("content-type", "").partition(";")[0].strip().lower()
            if strict and response.status != 200:
                raise WebError(f"{host} answered {response.status}, so the page was not read.")
            if types and kind not in types:
                raise WebError(f"{host} sent {kind[:60] or 'a file of no type'}, which is not a page of text.")
            content = b"".join(_bounded(response.iter_stream(), said.get("content-encoding", ""), host))
    except httpcore.TimeoutException:
        raise WebError(f"{host} took too long, so the page was not read.") from None
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, zlib.error, ValueError) as error:
        raise WebError(f"{host} could not be read ({type(error).__name__}).") from None
    return Answer(place, kind, content, response.status), None


def _bounded(pieces: Iterator[bytes], encoding: str, host: str) -> Iterator[bytes]:
    """The unpacked pieces. Raises WebError as soon as there are too many bytes."""
    if encoding not in ("", "identity", "gzip"):
        raise WebError(f"{host} sent a page that is packed in a way nobody asked for.")
    unpacker, size = zlib.decompressobj(wbits=31) if encoding == "gzip" else None, 0
    for piece in pieces:
        plain = unpacker.decompress(piece, MOST_BYTES + 1) if unpacker else piece
        size += len(plain)
        if size > MOST_BYTES:
            raise WebError(f"The page at {host} is larger than {MOST_BYTES // 1_000_000} MB, so it was not read.")
        yield plain
