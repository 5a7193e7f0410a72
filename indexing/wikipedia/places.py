"""One interface to folders and files on a web server or on disk."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import quote, unquote

import httpx

from indexing import web
from retrieval.errors import CorpusError
from retrieval.stores.locations import on_server

LISTING_ATTEMPTS = 5
LISTING_PAUSE = 1.0  # seconds before the second attempt; doubled before each further one
LONGEST_LISTING = 5_000_000  # bytes
_PLAIN_HEADERS = ("content-type", "content-length", "retry-after")
_LINK = re.compile(r"""<a\s[^>]*?href\s*=\s*["']([^"']{1,500})["']""", re.I)


@contextmanager
def open_place(address: str) -> Iterator[Place]:
    """Open an address that begins with http:// or https://, or a path on disk. Raises CorpusError."""
    if on_server(address):
        with web.client() as client:
            yield WebPlace(client, str(web.address(address)).rstrip("/"))
    elif "://" in address:
        raise CorpusError(f"{address!r} is not a readable address. Give one that begins with https://, or a folder.")
    elif not Path(address).exists():
        raise CorpusError(
            f"{address} does not exist. Name a folder with dumps, or an address that begins with https://."
        )
    else:
        yield DiskPlace(Path(address))


class DiskPlace:
    """A folder or a file on disk. key: its path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name, self.key = path.resolve().name, str(path)

    def __str__(self) -> str:
        return self.key

    def __truediv__(self, name: str) -> Self:
        return type(self)(self._path / name)

    def names(self) -> list[str]:
        """The folder's contents; empty if it does not exist."""
        try:
            return sorted(entry.name for entry in self._path.iterdir()) if self._path.is_dir() else []
        except OSError as error:
            raise CorpusError(f"{self} cannot be listed: {error.strerror}. Check its permissions.") from error

    def holds(self, name: str) -> bool:
        """Whether the folder has a file of this name."""
        return (self._path / name).is_file()

    def size(self) -> int | None:
        """Bytes of the file."""
        return self._path.stat().st_size


class WebPlace:
    """A folder or a file on a web server, which is asked again if it is busy. key: its address; `str` hides passwords."""

    def __init__(self, client: httpx.Client, key: str) -> None:
        self._client = client
        self._looks = "HEAD"  # or GET, without reading the body, if the server does not support HEAD
        self.key = key
        self.name = unquote(httpx.URL(key).path.rpartition("/")[2])

    def __str__(self) -> str:
        return web.shown(httpx.URL(self.key))

    def __truediv__(self, name: str) -> Self:
        return type(self)(self._client, f"{self.key}/{quote(name, safe='=')}")

    def names(self) -> list[str]:
        """The links on the folder's page that lead into the folder; empty if the server does not list it."""
        answer = self._ask(f"{self.key}/", read=True)
        if answer is None or "html" not in answer.headers.get("Content-Type", ""):
            return []
        links = (unquote(html.unescape(link)).rstrip("/") for link in _LINK.findall(answer.text))
        path = f"{unquote(httpx.URL(self.key).path)}/"
        names = {link.removeprefix(str(self.key) + "/").removeprefix(path).removeprefix("./") for link in links}
        return sorted(name for name in names if name and "/" not in name and name not in (".", ".."))

    def holds(self, name: str) -> bool:
        """Whether the folder has a file of this name."""
        return self._ask((self / name).key) is not None

    def size(self) -> int | None:
        """Bytes of the file; None if the server does not say."""
        answer = self._ask(self.key)
        length = answer.headers.get("Content-Length", "") if answer is not None else ""
        return int(length) if length.isdecimal() else None

    def _ask(self, url: str, read: bool = False) -> httpx.Response | None:
        """The response, with its body if `read`; None if not found. Raises CorpusError if the server refuses or is silent."""
        place, problem = httpx.URL(url), ""
        for attempt in range(LISTING_ATTEMPTS):
            seconds = LISTING_PAUSE * 2**attempt
            try:
                answer = self._answer(url, read)
            except (httpx.UnsupportedProtocol, httpx.TooManyRedirects, httpx.InvalidURL) as error:
                raise CorpusError(f"{web.shown(place)} leads nowhere: {error}. Check the address.") from error
            except httpx.TransportError as error:
                problem = web.reason(error)
            else:
                if not web.may_pass(answer):
                    return _found(answer, place)
                problem = f"it answered {answer.status_code} {answer.reason_phrase}".strip()
                seconds = web.pause_asked(answer) or seconds
            if seconds > web.LONGEST_SERVER_WAIT:
                raise web.asked_to_wait(place, seconds)
            if attempt < LISTING_ATTEMPTS - 1:
                web.pause(seconds)
        raise CorpusError(
            f"{web.shown(place)} cannot be reached now: {problem}. Try again later, or check the address."
        )

    def _answer(self, url: str, read: bool) -> httpx.Response:
        with self._client.stream("GET" if read else self._looks, url) as answer:
            if answer.status_code in (405, 501) and self._looks == "HEAD" and not read:
                self._looks = "GET"
                return self._answer(url, read)
            body = b""
            for chunk in answer.iter_raw() if read else ():
                body += chunk
                if len(body) > LONGEST_LISTING:
                    raise CorpusError(f"{web.shown(httpx.URL(url))} sends no list of dumps. Check the address.")
            plain = {name: answer.headers[name] for name in _PLAIN_HEADERS if name in answer.headers}
            return httpx.Response(answer.status_code, headers=plain, content=body)


Place = DiskPlace | WebPlace


def _found(answer: httpx.Response, place: httpx.URL) -> httpx.Response | None:
    if answer.status_code in (404, 410):
        return None
    if answer.is_success:
        return answer
    raise web.refusal(answer, place)
