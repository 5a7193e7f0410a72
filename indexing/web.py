"""HTTP requests for large files: how the program identifies itself, and when it may retry."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from retrieval.errors import CorpusError
from retrieval.settings import Settings

PROGRAM = "ESOTERIC-fact-checker"
TIMEOUT = httpx.Timeout(60.0, connect=15.0)
LONGEST_WAIT = 900.0  # seconds; if a server asks for a longer wait, the command stops and says so
_PUBLIC_ONLY = ContextVar("public_only", default=False)
LATER = frozenset({408, 425, 429})  # temporary errors, besides every 5xx


def client() -> httpx.Client:
    """An HTTP client that names the program and the setting CONTACT."""
    settings = Settings.from_environment()
    # Without transfer compression, a position in the response is a position in the file.
    headers = {"Accept-Encoding": "identity", "User-Agent": user_agent(settings.contact)}
    if _PUBLIC_ONLY.get():
        from indexing.watched.guarded import GuardedTransport
        from retrieval.web.guard import read_networks

        guarded = GuardedTransport(read_networks(settings.web_private))
        # A proxy from the environment would connect for us, to any address.
        return httpx.Client(follow_redirects=True, timeout=TIMEOUT, headers=headers, transport=guarded, trust_env=False)
    return httpx.Client(follow_redirects=True, timeout=TIMEOUT, headers=headers)


@contextmanager
def public_only(wanted: bool = True) -> Iterator[None]:
    """Within this block, new clients connect only to public addresses and those that WEB_PRIVATE lists. wanted: False
    for no effect.
    """
    token = _PUBLIC_ONLY.set(wanted)
    try:
        yield
    finally:
        _PUBLIC_ONLY.reset(token)


def user_agent(contact: str) -> str:
    """The program's name with the contact, as Wikimedia asks for, without characters that a header may not have."""
    plain = "".join(sign for sign in contact if sign.isprintable() and sign.isascii() and sign not in "()").strip()
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
    said = answer.headers.get("Retry-After", "").strip()
    if said.isdecimal():
        return float(said[:9])
    try:
        moment = parsedate_to_datetime(said)
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
    said = f"{shown(place)} answered {answer.status_code} {answer.reason_phrase}".strip()
    if answer.status_code == 403:
        return CorpusError(
            f"{said}: the server refuses this program. Set CONTACT to your mail address or home page, which "
            "Wikimedia asks for, and try again in an hour."
        )
    return CorpusError(f"{said}. Check the address.")


def asked_to_wait(place: httpx.URL, seconds: float) -> CorpusError:
    """The error for a server that asks for a wait longer than a command should make."""
    return CorpusError(
        f"{shown(place)} asks you to wait for {seconds / 60:,.0f} minutes. "
        "Run the same command again after that: it resumes where it stopped."
    )


def pause(seconds: float) -> None:
    """Wait."""
    time.sleep(seconds)
