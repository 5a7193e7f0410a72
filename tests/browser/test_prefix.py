"""Behind a proxy that serves the application under a prefix: everything that a browser asks for lies under it."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.app.process import Server, free_port
from tests.browser.opening import open_options

PREFIX = "/facts"
ARTICLE = (
    "Casablanca was directed by Michael Curtiz. It was first shown in 1942. Marie Curie won two Nobel Prizes. "
    "She was born in Warsaw in 1867."
)
PAGES = ("/", "/history", "/reports", "/documents", "/corpora", "/collections", "/compare", "/about", "/about/api")
# Of every link, form, image and script of a page, where it leads.
ADDRESSES = """() => [...document.querySelectorAll("[href], [src], [action]")]
  .map((one) => one.getAttribute("href") || one.getAttribute("src") || one.getAttribute("action"))
  .filter((address) => address.startsWith("/"))"""

Open = Callable[..., Any]


class Proxy(ThreadingHTTPServer):
    """Takes PREFIX away and says so in headers. outside: what it was asked for that lies elsewhere; asked: the rest."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, server: str) -> None:
        super().__init__(("127.0.0.1", 0), Forwarding)
        self.behind = server.removeprefix("http://")
        self.outside, self.asked = list[str](), list[str]()

    def handle_error(self, *_: object) -> None:
        """A browser that went away."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{PREFIX}"


class Forwarding(BaseHTTPRequestHandler):
    server: Proxy

    def forward(self) -> None:
        if not self.path.startswith(f"{PREFIX}/"):
            self.server.outside.append(f"{self.command} {self.path}")
            self.send_error(404)
            return
        self.server.asked.append(f"{self.command} {self.path}")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        given = {
            "X-Forwarded-Host": self.headers["Host"],
            "X-Forwarded-Prefix": PREFIX,
            "X-Forwarded-Proto": "http",
            "X-Forwarded-For": self.client_address[0],
        }
        headers = {name: value for name, value in self.headers.items() if name not in ("Host", "Connection")}
        with closing(http.client.HTTPConnection(self.server.behind, timeout=60)) as behind:
            behind.request(self.command, self.path.removeprefix(PREFIX), body, {**headers, **given})
            answer = behind.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection", "date", "server"):
                    self.send_header(name, value)
            self.end_headers()
            while part := answer.read1(65_536):
                self.wfile.write(part)
                self.wfile.flush()

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = forward

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def proxy(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    port = free_port()
    data = str(tmp_path_factory.mktemp("data"))
    server = Server("-m", "app", port=port, PORT=str(port), STORE=str(sample), DATA=data, TRUSTED_PROXIES="127.0.0.1")
    server.start("/readyz", limit=60)
    proxy = Proxy(server.address)
    threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield proxy
    proxy.shutdown()
    proxy.server_close()
    server.close()


@pytest.mark.parametrize("path", PAGES)
def test_every_address_of_a_page_lies_under_the_prefix(proxy: Proxy, open_page: Open, path: str) -> None:
    page = open_page(proxy.address + path)
    addresses = page.evaluate(ADDRESSES)
    assert addresses
    assert [address for address in addresses if not address.startswith(f"{PREFIX}/")] == []
    page.wait_for_load_state("networkidle")
    assert proxy.outside == []


def test_a_check_and_a_report_behind_a_prefix(proxy: Proxy, open_page: Open) -> None:
    """Started, watched as they run, signed and exported."""
    page = open_page(f"{proxy.address}/")
    refused = list[str]()
    page.on("response", lambda answer: answer.status >= 400 and refused.append(f"{answer.status} {answer.url}"))
    for year in range(1901, 1909):  # what came before keeps the check waiting: even a fast one is watched as it runs
        started = {"claim": f"Casablanca was first shown in {year}.", "recipe": "esoteric"}
        assert page.request.post(f"{proxy.address}/api/checks", data=started).status == 202
    open_options(page)
    page.locator("#recipe-esoteric").check()
    page.fill("textarea", "Casablanca was directed by Steven Spielberg.")
    page.click("button.primary")
    page.wait_for_selector("body.result")
    check = page.url.partition("?")[0]
    page.locator("details.sign > summary").click()
    page.locator("[name=label]").first.check()
    page.fill("#author", "Ada")
    page.click(".signing button")
    page.wait_for_selector(".signed")
    assert page.url.startswith(f"{proxy.address}/checks/")
    for ending in ("json", "md", "csv", "jsonld", "bib"):
        assert page.request.get(f"{check}.{ending}").status == 200
    assert page.request.get(f"{proxy.address}/api/openapi.json").json()["servers"] == [{"url": PREFIX}]
    assert {cookie["path"] for cookie in page.context.cookies()} == {PREFIX}
    page.goto(f"{proxy.address}/")
    page.fill("textarea", ARTICLE)
    page.click("button.primary")
    page.wait_for_selector("body.review")
    page.locator("main button.primary").last.click()
    page.wait_for_url(f"{proxy.address}/reports/**")
    page.wait_for_selector("a[href$='.csv']", state="attached")
    assert page.request.get(f"{page.url.partition('#')[0]}.json").status == 200
    assert (proxy.outside, refused) == ([], [])
    assert any(f"GET {PREFIX}/api/checks/" in path and "?wait=" in path for path in proxy.asked), "watched as it ran"
