"""The application as a process of its own, for as long as something is measured on it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from retrieval.errors import EsotericError

READY_S = 120.0


class Started(NamedTuple):
    """Where it answers, and its process."""

    address: str
    pid: int


@contextmanager
def application(store: str, threads: int, database: str = "", folder: Path | None = None) -> Iterator[Started]:
    """It, once it can check claims: so many checks at once, each on one thread, nobody refused for asking often.

    database: URL of a PostgreSQL database, SQLite without it. folder: another checkout of the program to run.
    Raises EsotericError where it does not come up.
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
            yield Started(address, server.pid)
        except EsotericError as error:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip()[-300:]
            raise EsotericError(f"{error} {said}".strip()) from None
        finally:
            server.terminate()
            server.wait(30)


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


def resident_megabytes(pid: int) -> int:
    """Memory in use by a process and all that it started (Linux: VmRSS, so that shared pages count in each)."""
    parents = {int(stat.name): _parent(stat) for stat in Path("/proc").iterdir() if stat.name.isdigit()}
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return round(sum(_resident_kilobytes(member) for member in family) / 1000)


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0  # it has ended


def _resident_kilobytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
