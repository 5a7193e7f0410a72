"""Starts and kills server processes; only those that it started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.waiting import waits

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server on a port, in a process group of its own."""

    def __init__(self, *command: str, port: int, **environment: str) -> None:
        self.command = [sys.executable, *command]
        self.environment = {**os.environ, **environment}
        self.address = f"http://127.0.0.1:{port}"
        self.client = httpx.Client(base_url=self.address, timeout=30)
        self.process: subprocess.Popen[bytes] | None = None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # a pipe that nobody reads fills up, and the server waits

    def start(self, path: str = "/healthz", limit: float = 60) -> float:
        """Start and wait for an answer; returns the seconds it took."""
        began = time.monotonic()
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL, stderr=self._said,
            start_new_session=True,
        )  # fmt: skip
        said = ""
        try:
            for late in waits(limit):
                try:
                    answer = self.client.get(path)
                    if answer.status_code == 200:
                        return time.monotonic() - began
                    said = answer.text
                except httpx.TransportError:
                    pass
                assert self.process.poll() is None, self.errors()
                assert not late, f"the server is not ready: {said}"
        except AssertionError:
            self.close()
            raise

    def spent(self) -> float:
        """Seconds that a processor was its own so far: what a busy machine does not lengthen."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def serving(self) -> int:
        """The process that answers requests: the one that the started process watches, or that one itself."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0]) if children else self.process.pid

    def kill(self) -> None:
        """kill -9, all of it."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As Ctrl-C or a supervisor would."""
        self._end(signal.SIGTERM)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()
        self._said.close()
        self.client.close()

    def errors(self) -> str:
        """What it has written so far."""
        return os.pread(self._said.fileno(), 1_000_000, 0).decode()  # leaves the place alone at which it writes

    def submit(self, claim: str, **body: Any) -> str:
        created = self.client.post("/api/checks", json={"claim": claim, **body})
        assert created.status_code == 202, created.text
        return str(created.json()["id"])

    def wait(self, check_id: str, until: Any, limit: float = 60) -> dict[str, Any]:
        """Poll the check until `until(check)`."""
        for late in waits(limit):
            check: dict[str, Any] = self.client.get(f"/api/checks/{check_id}").json()
            if until(check):
                return check
            assert not late, check

    def wait_report(self, report_id: str, limit: float = 60) -> dict[str, Any]:
        """Poll the report until it does not run any more."""
        for late in waits(limit):
            report: dict[str, Any] = self.client.get(f"/api/reports/{report_id}").json()
            if report["state"] != "running":
                return report
            assert not late, report

    def _end(self, number: int) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, number)
        self.process.wait(10)
