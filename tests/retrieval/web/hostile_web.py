"""A SearXNG-shaped server and a web of hostile pages, on this machine."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ARTICLE = (
    "<html><head><title>{title}</title><meta property='article:published_time' content='{date}'></head><body><nav>Home Shop"
    "</nav><article><h1>{title}</h1><p>{text}</p><p>{more}</p></article><footer>All rights reserved.</footer></body></html>"
)
MORE = (
    "The report goes on to describe how the town prepared for the day, who paid for the works, and what the people who live "
    "along the line expect of it. It was written by two reporters who spoke to the mayor, to shop owners and to passengers."
)


def article(text: str, title: str = "A report", date: str = "2020-05-03") -> str:
    return ARTICLE.format(title=title, date=date, text=text, more=MORE)


@dataclass
class HostileWeb:
    """pages: path -> HTML. files: path -> (type, how it is packed, content). found: what the search engine finds for every query. status: of the search engine. refreshes: path -> the header
    `Refresh`."""

    url: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, str, bytes]] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)
    status: int = 200
    body: bytes | None = None
    queries: list[str] = field(default_factory=list)
    refreshes: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    sent: int = 0  # bytes of endless pages
    stop: threading.Event = field(default_factory=threading.Event)


class _Handler(BaseHTTPRequestHandler):
    web: HostileWeb

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.web.asked.append((self.path, dict(self.headers)))
        try:
            if parts.path == "/search" or parts.path == "/brave":
                return self._search(parse_qs(parts.query))
            name = parts.path.strip("/").partition("/")[0]
            act = getattr(self, f"_{name}", None)
            if act:
                act(parts)
            elif parts.path in self.web.files:
                kind, encoding, content = self.web.files[parts.path]
                self._answer(content, kind, encoding=encoding)
            elif parts.path in self.web.pages:
                self._answer(self.web.pages[parts.path].encode())
            else:
                self._answer(b"not here", status=404)
        except OSError:
            pass  # whoever asked has gone

    def _search(self, query: dict[str, list[str]]) -> None:
        self.web.queries.append(query["q"][0])
        if self.path.startswith("/brave"):
            body = {"web": {"results": [{"url": url} for url in self.web.found]}}
        else:
            assert query["format"] == ["json"]
            body = {"results": [{"url": url, "title": "t"} for url in self.web.found] + [{"url": 7}, "x"]}
        raw = json.dumps(body).encode() if self.web.body is None else self.web.body
        self._answer(raw, "application/json", status=self.web.status)

    def _redirect(self, parts: object) -> None:
        self.send_response(302)
        self.send_header("Location", parse_qs(urlsplit(self.path).query)["to"][0])
        self.end_headers()

    def _gate(self, _: object) -> None:
        """Sends back whoever brings no cookie, with one."""
        if "pass=yes" in self.headers.get("Cookie", ""):
            return self._answer(article("Whoever brings a cookie is let in and reads this.").encode())
        self.send_response(302)
        self.send_header("Set-Cookie", "pass=yes; Path=/gate")
        self.send_header("Location", "/gate")
        self.end_headers()

    def _loop(self, _: object) -> None:
        self.send_response(302)
        self.send_header("Location", "/loop")
        self.end_headers()

    def _endless(self, _: object) -> None:
        self._begin()
        while not self.web.stop.is_set():
            self.wfile.write(b"<p>more and more</p>" * 3_000)
            self.web.sent += 60_000

    def _declared(self, _: object) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "200000000")
        self.end_headers()
        while not self.web.stop.is_set():
            self.wfile.write(b"x" * 1_000_000)
            self.web.sent += 1_000_000

    def _bomb(self, _: object) -> None:
        self._answer(gzip.compress(b"<p>zeros</p>" * 800_000, 9), encoding="gzip")

    def _packed(self, _: object) -> None:
        self._answer(
            gzip.compress(article("It was packed on the way and is read all the same.").encode()), encoding="gzip"
        )

    def _drip(self, _: object) -> None:
        self._begin()
        while not self.web.stop.wait(0.05):
            self.wfile.write(b"<")
            self.wfile.flush()

    def _header(self, _: object) -> None:
        self.wfile.write(b"HTTP/1.0 200 OK\r\n")
        while not self.web.stop.wait(0.05):
            self.wfile.write(b"X")
            self.wfile.flush()

    def _program(self, _: object) -> None:
        self._answer(b"MZ\x90", "application/octet-stream")

    def _image(self, _: object) -> None:
        self._answer(b"\x89PNG", "image/png")

    def _deep(self, _: object) -> None:
        self._answer(b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000)

    def _begin(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()

    def _answer(
        self, body: bytes, kind: str = "text/html; charset=utf-8", status: int = 200, encoding: str = ""
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        if self.path in self.web.refreshes:
            self.send_header("Refresh", self.web.refreshes[self.path])
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hostile_web() -> Iterator[HostileWeb]:
    web = HostileWeb()
    handler = type("Handler", (_Handler,), {"web": web})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        web.url = f"http://127.0.0.1:{server.server_port}"
        yield web
        web.stop.set()
        server.shutdown()


def soon(limit: float) -> float:
    """The moment by which something must have ended."""
    return time.monotonic() + limit
