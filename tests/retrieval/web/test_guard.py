"""Where the program connects to: public addresses, those that the operator lists, and nowhere else however it is asked."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import SettingError, WebError
from retrieval.web import guard
from retrieval.web.fetching import MOST_PAGE_BYTES, fetch
from retrieval.web.guard import may_connect, read_networks
from tests.retrieval.web.hostile_web import HostileWeb, article, hostile_web

HERE = read_networks("127.0.0.1/32")
PRIVATE = (
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "172.17.2.3", "172.16.0.1", "169.254.169.254", "100.64.0.1",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:172.16.0.9", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "not an address", "",
)  # fmt: skip


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    with hostile_web() as found:
        yield found


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_refused(address: str) -> None:
    assert not may_connect(address, 80)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_not_but_for_odd_ports(address: str) -> None:
    assert may_connect(address, 443)
    assert not may_connect(address, 25)


@given(st.ip_addresses())
def test_nothing_that_is_not_global_gets_through(address: Any) -> None:
    if not address.is_global and not getattr(address, "ipv4_mapped", None):
        assert not may_connect(str(address), 443)


def test_what_the_operator_lists() -> None:
    assert may_connect("172.18.3.4", 8080, read_networks("172.16.0.0/12, fd00::/8"))
    assert may_connect("::ffff:172.18.3.4", 8080, read_networks("172.16.0.0/12"))
    assert not may_connect("11.2.3.4", 8080, read_networks("172.16.0.0/12"))
    with pytest.raises(SettingError, match="WEB_PRIVATE"):
        read_networks("172.16.0.0/12, home")


def test_a_page_is_fetched_where_the_operator_lists_its_address(web: HostileWeb) -> None:
    web.pages["/report"] = article("Twelve stops.")
    answer = fetch(f"{web.url}/report", HERE, contact="me@example.org")
    assert (answer.type, answer.address) == ("text/html", f"{web.url}/report")
    assert b"Twelve stops." in answer.content
    headers = web.asked[-1][1]
    assert headers["User-Agent"].startswith("ESOTERIC/")
    assert "me@example.org" in headers["User-Agent"]
    assert not {"Cookie", "Referer", "Authorization"} & set(headers)
    assert b"packed on the way" in fetch(f"{web.url}/packed", HERE).content


def test_loopback_is_refused_by_number_by_name_and_in_disguise(web: HostileWeb) -> None:
    port, before = web.url.rpartition(":")[2], len(web.asked)
    for host in (
        "127.0.0.1",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
    ):
        with pytest.raises(WebError, match=r"not public|not known|not a web address"):
            fetch(f"http://{host}:{port}/report")
    assert len(web.asked) == before


def test_each_redirect_is_looked_at_anew(web: HostileWeb) -> None:
    """127.0.0.1 is listed, as if it were public; what it redirects to is another loopback address."""
    port = web.url.rpartition(":")[2]
    for target in (f"http://127.0.0.2:{port}/report", "http://169.254.169.254/latest/meta-data", "http://[::1]/"):
        with pytest.raises(WebError, match=r"not public|not known"):
            fetch(f"{web.url}/redirect?to={target}", HERE)
    for target in ("file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)"):
        with pytest.raises(WebError, match="not a web address"):
            fetch(f"{web.url}/redirect?to={target}", HERE)
    with pytest.raises(WebError, match="more than 5 times"):
        fetch(f"{web.url}/loop", HERE)


def test_a_name_that_changes_its_answer_gains_nothing(web: HostileWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer is public, the second one is not; the one that was looked at is the one that is connected to."""
    port = int(web.url.rpartition(":")[2])
    answers = [["93.184.215.14"], ["127.0.0.1"]]
    connected: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    def connect_tcp(self: Any, host: str, port: int, *_: Any) -> Any:
        connected.append(host)
        raise OSError("no route")

    monkeypatch.setattr(guard.socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(guard.httpcore.SyncBackend, "connect_tcp", connect_tcp)
    with pytest.raises(WebError, match="could not be read"):
        fetch("http://rebinding.example/")
    with pytest.raises(WebError, match="not public"):
        fetch(f"http://rebinding.example:{port}/")
    assert connected == ["93.184.215.14"]


def test_a_name_with_one_private_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    both = ["93.184.215.14", "172.16.0.9"]
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in both]
    monkeypatch.setattr(guard.socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(WebError, match="not public"):
        fetch("http://both.example/")


@pytest.mark.parametrize("name", ["endless", "declared", "bomb"])
def test_pages_without_end_and_of_200_mb(web: HostileWeb, name: str) -> None:
    web.sent = 0
    with pytest.raises(WebError, match="larger than 3 MB"):
        fetch(f"{web.url}/{name}", HERE)
    assert web.sent < MOST_PAGE_BYTES + 20_000_000  # what the system's buffers took


@pytest.mark.parametrize("name", ["drip", "header"])
def test_slow_drips_end_in_time(web: HostileWeb, name: str) -> None:
    began = time.monotonic()
    with pytest.raises(WebError, match="took too long"):
        fetch(f"{web.url}/{name}", HERE, seconds=0.5)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("name", ["program", "image"])
def test_wrong_types(web: HostileWeb, name: str) -> None:
    with pytest.raises(WebError, match="not a page of text"):
        fetch(f"{web.url}/{name}", HERE)


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        with pytest.raises(WebError, match="could not be read"):
            fetch(f"http://127.0.0.1:{held.getsockname()[1]}/", HERE)


def test_a_page_that_is_missing(web: HostileWeb) -> None:
    with pytest.raises(WebError, match="answered 404"):
        fetch(f"{web.url}/nowhere", HERE)


def test_networks_are_addresses() -> None:
    assert read_networks("") == []
    assert read_networks("172.17.2.3/12") == [ipaddress.ip_network("172.16.0.0/12")]
    assert threading.active_count() < 50
