"""HTTP requests for large files: how the program identifies itself, when it may retry, and where it may connect.

For an address that somebody typed into a page, the program connects to public addresses only. `retrieval/web/guard.py` has
that rule, which rebinding and redirects cannot get around.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpcore
import httpx

from retrieval.errors import CorpusError
from retrieval.settings import Settings
from retrieval.web.guard import GuardedBackend, Networks, read_networks

PROGRAM = "ESOTERIC-fact-checker"
TIMEOUT = httpx.Timeout(60.0, connect=15.0)
LONGEST_SERVER_WAIT = 900.0  # seconds; if a server asks for a longer wait, the command stops and says so
_PUBLIC_ONLY = ContextVar("public_only", default=False)
# httpcore's errors; those of httpx have the same names.
_ERRORS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
    httpcore.ProxyError,
)
LATER = frozenset({408, 425, 429})  # temporary errors, besides every 5xx


def reason(error: Exception) -> str:
    """Why a request failed, in words: without the number that the system gives the error."""
    return re.sub(r"^\[Errno -?\d+\] ", "", str(error)) or type(error).__name__


def client() -> httpx.Client:
    """An HTTP client that names the program and the setting CONTACT."""
    settings = Settings.from_environment()
    # Without transfer compression, a position in the response is a position in the file.
    headers = {"Accept-Encoding": "identity", "User-Agent": _user_agent(settings.contact)}
    guarded: dict[str, Any] = {}
    if _PUBLIC_ONLY.get():
        # A proxy from the environment would connect for us, to any address.
        guarded = {"transport": GuardedTransport(read_networks(settings.web_private)), "trust_env": False}
    return httpx.Client(follow_redirects=True, timeout=TIMEOUT, headers=headers, **guarded)


@contextmanager
def public_only(wanted: bool) -> Iterator[None]:
    """If wanted, new clients within this block connect only to public addresses and those that WEB_PRIVATE lists."""
    token = _PUBLIC_ONLY.set(wanted)
    try:
        yield
    finally:
        _PUBLIC_ONLY.reset(token)


def _user_agent(contact: str) -> str:
    """The program's name with the contact, as Wikimedia asks for, without characters that a header may not have."""
    plain = "".join(char for char in contact if char.isprintable() and char.isascii() and char not in "()").strip()
    return f"{PROGRAM} ({plain or 'no contact set'}) httpx/{httpx.__version__}"


def address(url: str) -> httpx.URL:
    """The address of a web server. Raises CorpusError."""
    try:
        place = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise CorpusError(f"{url!r} is not an address: {error}. Give one that begins with https://.") from error
    if place.scheme not in ("http", "https") or not place.host:
        raise CorpusError(f"{url!r} is not the address of a web server. Give one that begins with https://.")
    return place


def shown(place: httpx.URL) -> str:
    """The address without any password."""
    return str(place.copy_with(username=None, password=None, query=None))


def pause_asked(answer: httpx.Response) -> float | None:
    """Seconds after which the server allows another request (RFC 9110, section 10.2.3); None if it does not say."""
    retry_after = answer.headers.get("Retry-After", "").strip()
    if retry_after.isdecimal():
        return float(retry_after[:9])
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def may_pass(answer: httpx.Response) -> bool:
    """Whether the same request may succeed later."""
    later = answer.status_code in LATER or answer.status_code >= 500
    return later or (answer.status_code == 403 and pause_asked(answer) is not None)


def refusal(answer: httpx.Response, place: httpx.URL) -> CorpusError:
    """The error for a server's refusal: why, and what to do."""
    sentence = f"{shown(place)} answered {answer.status_code} {answer.reason_phrase}".strip()
    if answer.status_code == 403:
        return CorpusError(
            f"{sentence}: the server refuses this program. Set CONTACT to your mail address or home page, which "
            "Wikimedia asks for, and try again in an hour."
        )
    return CorpusError(f"{sentence}. Check the address.")


def asked_to_wait(place: httpx.URL, seconds: float) -> CorpusError:
    """The error for a server that asks for a wait longer than a command should make."""
    return CorpusError(
        f"{shown(place)} asks you to wait for {seconds / 60:,.0f} minutes. "
        "Run the same command again after that: it resumes where it stopped."
    )


def pause(seconds: float) -> None:
    """Wait."""
    time.sleep(seconds)


class GuardedTransport(httpx.BaseTransport):
    """Connects to public servers, and to those in networks that the operator lists. Raises WebError for all others."""

    def __init__(self, listed: Networks) -> None:
        self._pool = httpcore.ConnectionPool(network_backend=GuardedBackend(math.inf, listed))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See httpx."""
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        sent = httpcore.Request(
            request.method, target, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        with _as_httpx():
            answer = self._pool.handle_request(sent)
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Stream(answer), extensions=dict(answer.extensions)
        )

    def close(self) -> None:
        """See httpx."""
        self._pool.close()


class _Stream(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx():
            yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


@contextmanager
def _as_httpx() -> Iterator[None]:
    try:
        yield
    except _ERRORS as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error
