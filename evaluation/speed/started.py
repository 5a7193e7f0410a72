"""Starts the application as a separate process for the duration of a measurement."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from evaluation.speed.load_test import END_STATES
from retrieval.errors import EsotericError

READY_S, CHECKED_S = 120.0, 1800.0
UNMAPPED = "RssAnon"  # resident memory without mapped files, which the system can take back
MEMORY_LINES = {"resident_mb": "VmRSS", "own_mb": UNMAPPED}


class Started(NamedTuple):
    """A running application: its address, its process, and the folder of its data."""

    address: str
    pid: int
    data: Path


@contextmanager
def application(
    store: str, threads: int = 0, database: str = "", folder: Path | None = None, page: str = "/readyz"
) -> Iterator[Started]:
    """The application, once it answers on this page; by default, once it can check claims.

    threads: checks at once, each on one thread, without a rate limit; 0 for the defaults. database: URL of a PostgreSQL
    database; SQLite if empty. folder: another checkout of the program to run. Raises EsotericError if it does not
    start.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="esoteric-load-") as data, tempfile.TemporaryFile() as errors:
        environment = {
            **os.environ,
            "DATA": data,
            "STORE": store,
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "DATABASE": database,
        }
        if threads:
            environment |= {"WORKERS": str(threads), "THREADS": "1", "RATE_LIMIT": "0", "QUEUE_LIMIT": "1000"}
        server = subprocess.Popen(
            [sys.executable, "-m", "app"], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        try:
            _wait(address + page, server)
            yield Started(address, server.pid, Path(data))
        except EsotericError as error:
            errors.seek(0)
            last = errors.read().decode("utf-8", "replace").strip()[-300:]
            raise EsotericError(f"{error} {last}".strip()) from None
        finally:
            server.terminate()
            server.wait(30)


def measured_while_loaded(
    store: str, threads: int, database: str, measure: Callable[[str], dict[str, Any]]
) -> dict[str, Any]:
    """The result of `measure` on an application started for it, with the server's memory before and after."""
    print(f"threads: {threads}", flush=True)
    with application(store, threads, database) as started:
        before = [round(largest(started.pid, kind)) for kind in MEMORY_LINES.values()]
        found = measure(started.address)
        after = [round(largest(started.pid, kind)) for kind in MEMORY_LINES.values()]
    memory = {name: {"begin": b, "end": e} for name, b, e in zip(MEMORY_LINES, before, after, strict=True)}
    return {**found, **memory}


def checked(client: httpx.Client, body: dict[str, Any], poll_s: float) -> dict[str, Any]:
    """The check of a claim, once it is done. Raises EsotericError if it is refused, fails or is cancelled."""
    sent = client.post("/api/checks", json={**body, "fresh": True})
    if sent.status_code != 202:
        raise EsotericError(f"The claim was refused: {sent.text[:200]}")
    check = ended(client, f"/api/checks/{sent.json()['id']}", END_STATES, poll_s)
    if check["state"] != "done":
        raise EsotericError(f"A claim could not be checked at {client.base_url}: {check['error']}")
    return check


def ended(client: httpx.Client, url: str, states: Sequence[str], poll_s: float) -> dict[str, Any]:
    """The JSON at an address, once its state is one of these. Raises EsotericError after too long a wait."""
    until = time.monotonic() + CHECKED_S
    while time.monotonic() < until:
        time.sleep(poll_s)
        if (found := dict(client.get(url).json()))["state"] in states:
            return found
    raise EsotericError(f"{url} did not end within {CHECKED_S:.0f} seconds. Try fewer or shorter documents.")


def largest(pid: int, kind: str = "VmRSS") -> float:
    """Resident memory of the server's largest process, in MB; kind UNMAPPED: without mapped files."""
    return max(memory(process, kind) for process in processes(pid))


def memory(pid: int, kind: str = "VmRSS") -> float:
    """The value of a line of /proc/PID/status, in MB; 0 if the process has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{kind}:")), 0.0)


def processes(pid: int) -> Iterator[int]:
    """The process and its living descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from processes(int(child))


def _wait(page: str, server: subprocess.Popen[bytes]) -> None:
    deadline, why = time.monotonic() + READY_S, "nothing answered"
    while time.monotonic() < deadline and server.poll() is None:
        try:
            reply = httpx.get(page, timeout=5)
        except httpx.TransportError:
            reply = None
        if reply is not None and reply.status_code == 200:
            return
        if reply is not None and "json" in reply.headers.get("Content-Type", ""):
            why = reply.json().get("detail", why)
        time.sleep(0.05)
    raise EsotericError(f"The application did not become ready: {why}.")
