"""Requests that are sent slowly, or never whole, take nothing from anybody else."""

from __future__ import annotations

import contextlib
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.home.pages import MOST_SELECTED
from app.serve import connections
from tests.app.process import Server, free_port

HALF = {
    "nothing": b"",
    "headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "body": b"POST /api/checks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
    "chunks": b'POST /api/checks HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"c',
    "unread": b"GET /static/parts/style.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2,
}

PATIENCE = 60  # seconds for an answer on a busy machine; before, there was none at all


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    data = tmp_path_factory.mktemp("data")
    server = Server("-m", "app", port=port, PORT=str(port), DATA=str(data), STORE="", UPLOAD_MEGABYTES="1")
    server.start()
    yield server
    server.close()


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", httpx.URL(server.address).port or 0), timeout=60)


@pytest.mark.parametrize("half", HALF.values(), ids=HALF)
def test_three_hundred_half_sent_requests(server: Server, half: bytes) -> None:
    with contextlib.ExitStack() as open_:
        for _ in range(300):
            slow = open_.enter_context(connect(server))
            slow.sendall(half)
        for path in ("/", "/healthz", "/api/checks"):
            assert httpx.get(server.address + path, timeout=PATIENCE).status_code == 200


def test_more_connections_than_there_are_places(server: Server) -> None:
    with contextlib.ExitStack() as open_:
        for _ in range(connections.MOST_CONNECTIONS + 30):
            open_.enter_context(connect(server)).sendall(HALF["headers"])
        for _ in range(5):  # each with a connection of its own
            assert httpx.get(f"{server.address}/api/checks", timeout=PATIENCE).status_code == 200


@pytest.mark.slow
def test_the_deadline_holds_though_bytes_come(server: Server) -> None:
    with connect(server) as slow:
        slow.sendall(HALF["headers"])
        began = time.monotonic()
        slow.settimeout(0.5)
        while still_open(slow):
            assert time.monotonic() - began < connections.HEADER_SECONDS + PATIENCE
        assert time.monotonic() - began > connections.HEADER_SECONDS / 2


def still_open(slow: socket.socket) -> bool:
    """Whether one more byte is taken."""
    try:
        slow.sendall(b"x")
        return bool(slow.recv(10))
    except TimeoutError:
        return True
    except OSError:
        return False


def test_a_body_that_is_too_large_is_refused_in_words(server: Server) -> None:
    answer = server.client.post("/api/checks", json={"claim": "x" * 3_000_000})
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")
    files = {"files": ("a.txt", b"x" * 4_000_000)}
    assert server.client.post("/api/documents", files=files).status_code == 413
    assert server.client.get("/healthz").status_code == 200
    with connect(server) as huge:
        huge.sendall(b"POST /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n")
        assert b" 413 " in huge.recv(100)


def test_bodies_in_chunks_are_bounded_too(server: Server) -> None:
    with connect(server) as chunked:
        chunked.sendall(b"POST /api/checks HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(OSError):  # it is cut off before all is sent
            for _ in range(300):
                chunked.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        assert server.client.get("/healthz").status_code == 200


def test_headers_that_are_too_large(server: Server) -> None:
    assert server.client.get("/", headers={"X-Long": "x" * 40_000}).status_code == 431


def test_it_stops_when_told_though_requests_hang(tmp_path: Path) -> None:
    port = free_port()
    own = Server("-m", "app", port=port, PORT=str(port), DATA=str(tmp_path), STORE="")
    own.start()
    with connect(own) as slow:
        slow.sendall(HALF["body"])
        own.stop()
    assert own.process is not None
    assert own.process.returncode == 0
    own.close()


def test_health_is_told_though_every_post_waits(server: Server) -> None:
    """Writes wait for a database that somebody holds; health does not wait for them."""
    other = sqlite3.connect(Path(server.environment["DATA"]) / "checks.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    body = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nA document.\r\n--x--\r\n'
    head = (
        "POST /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    try:
        with contextlib.ExitStack() as open_:
            for _ in range(20):  # more than there are threads
                open_.enter_context(connect(server)).sendall(head.encode() + body)
            assert httpx.get(f"{server.address}/healthz", timeout=20).status_code == 200
            assert httpx.get(f"{server.address}/readyz", timeout=20).status_code == 503
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_an_address_that_is_too_long_is_told_by_a_page(server: Server) -> None:
    fits = httpx.get(f"{server.address}/?text={'a' * MOST_SELECTED}", timeout=PATIENCE)
    assert (fits.status_code, "a" * MOST_SELECTED in fits.text) == (200, True)
    refused = httpx.get(f"{server.address}/?text={'a' * 60_000}", timeout=PATIENCE)
    assert refused.status_code == 431
    assert refused.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "may have 32,768 characters together" in refused.text
    assert 'href="?"' in refused.text
    assert "generated by" not in refused.text
    assert httpx.get(f"{server.address}/healthz", timeout=PATIENCE).status_code == 200
