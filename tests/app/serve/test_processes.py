"""The process that answers requests is replaced where it dies, and ends with the one that watches it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.process import Server, free_port
from tests.waiting import until

PATIENCE = 60  # seconds, on a busy machine


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    server = Server("-m", "app", port=port, PORT=str(port), DATA=str(tmp_path_factory.mktemp("data")), STORE="")
    server.start()
    yield server
    server.close()


@pytest.fixture
def server(started: Server) -> Server:
    """One for all tests, over one folder; started again where the test before stopped it."""
    assert started.process is not None
    if started.process.poll() is not None:
        started.start()
    return started


def until_it_answers(server: Server) -> None:
    began = time.monotonic()
    while True:
        try:
            if server.client.get("/api/checks").status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.05)


def until_gone(pid: int) -> None:
    def gone() -> bool:
        try:
            return " Z " in Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):  # also if it ends between opening and reading
            return True

    until(gone, PATIENCE)


def test_a_killed_process_is_replaced(server: Server) -> None:
    killed = server.serving()
    os.kill(killed, signal.SIGKILL)
    until_gone(killed)
    until_it_answers(server)
    assert server.serving() != killed


def test_it_ends_with_the_process_that_watches_it(server: Server) -> None:
    left = server.serving()
    assert server.process is not None
    assert left != server.process.pid
    server.process.kill()
    server.process.wait(10)
    until_gone(left)
    server.start()  # folder and port are free again


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_told_to_stop_both_end_in_order(server: Server, number: signal.Signals) -> None:
    answering = server.serving()
    assert server.process is not None
    server.process.send_signal(number)
    assert server.process.wait(PATIENCE) == 0
    until_gone(answering)


def test_no_signal_starts_a_second_one(server: Server) -> None:
    assert server.process is not None
    for number in (signal.SIGTTIN, signal.SIGUSR2):
        server.process.send_signal(number)
    answering = server.serving()
    os.kill(answering, signal.SIGKILL)  # which is seen after those
    until_gone(answering)
    until_it_answers(server)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    assert len(children) == 1
