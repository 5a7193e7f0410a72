"""The application as a separate process, for the duration of a measurement."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from evaluation.speed.benchmark import OWN, resident
from retrieval.errors import EsotericError

READY_S = 120.0
MEMORY = {"resident_mb": "VmRSS", "own_mb": OWN}


class Started(NamedTuple):
    """A running application: its address, its process, and the folder of its data."""

    address: str
    pid: int
    data: Path


@contextmanager
def application(store: str, threads: int, database: str = "", folder: Path | None = None) -> Iterator[Started]:
    """The application, once it can check claims: a number of checks at once, each on one thread, without a rate limit.

    database: URL of a PostgreSQL database, SQLite without it. folder: another checkout of the program to run.
    Raises EsotericError if it does not come up.
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
        environment |= {"WORKERS": str(threads), "THREADS": "1", "RATE_LIMIT": "0", "QUEUE_LIMIT": "1000"}
        server = subprocess.Popen(
            [sys.executable, "-m", "app"], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        try:
            _wait(address, server)
            yield Started(address, server.pid, Path(data))
        except EsotericError as error:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip()[-300:]
            raise EsotericError(f"{error} {said}".strip()) from None
        finally:
            server.terminate()
            server.wait(30)


def measured_while_loaded(
    store: str, threads: int, database: str, measure: Callable[[str], dict[str, Any]]
) -> dict[str, Any]:
    """The result of `measure` on an application started for it, with the server's memory before and after."""
    print(f"threads: {threads}", flush=True)
    with application(store, threads, database) as started:
        before = [round(resident(started.pid, kind)) for kind in MEMORY.values()]
        found = measure(started.address)
        after = [round(resident(started.pid, kind)) for kind in MEMORY.values()]
    memory = {name: {"begin": b, "end": e} for name, b, e in zip(MEMORY, before, after, strict=True)}
    return {**found, **memory}


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline, why = time.monotonic() + READY_S, "nothing answered"
    while time.monotonic() < deadline and server.poll() is None:
        try:
            reply = httpx.get(f"{address}/readyz", timeout=5)
        except httpx.TransportError:
            reply = None
        if reply is not None and reply.status_code == 200:
            return
        why = reply.json().get("detail", why) if reply is not None else why
        time.sleep(0.1)
    raise EsotericError(f"The application did not become ready: {why}.")
