"""A process of `python -m indexing` that loads a dump: its output, and the signals that stop it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from app.jobs.readers.process import plain_environment, start_indexing
from retrieval.settings import Settings

LONGEST_OUTPUT_LINE = 4_000  # bytes; longer lines are cut
LAST_LINES = 12  # of its errors, for the log
SECONDS_OF_RATE = 30.0  # over which the rate is measured
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")


class LoadProcess:
    """A load that runs until it ends, is interrupted, or this process ends. progress: {"step", "done", "total", "pages", "rate",
    "left"}, and the last sentence as "said". loaded: the complete corpus, from its last line. plan: the output of `--plan`."""

    def __init__(self, command: Sequence[str], folder: Path, settings: Settings, hold: Sequence[int] = ()) -> None:
        """folder: for its downloads. hold: file descriptors that it inherits, such as that of a lock."""
        self.progress: dict[str, Any] = {}
        self.loaded: dict[str, Any] = {}
        self.plan: dict[str, Any] = {}
        self._errors: deque[str] = deque(maxlen=LAST_LINES)
        self._seen: deque[tuple[float, int]] = deque()
        folder.mkdir(parents=True, exist_ok=True)
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "pass_fds": hold}
        self._process = start_indexing(command, _environment(os.environ, folder, settings), **streams)
        assert self._process.stdout
        assert self._process.stderr
        self._readers = [
            threading.Thread(target=_each_line, args=(stream, take), daemon=True)
            for stream, take in ((self._process.stdout, self._take), (self._process.stderr, self._errors.append))
        ]
        for reader in self._readers:
            reader.start()

    def wait(self, seconds: float) -> int | None:
        """Its exit code once it has ended and its output has been read; None if it still runs after this time."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        for reader in self._readers:
            reader.join(5)
        self._close()
        return code

    def interrupt(self) -> None:
        """Interrupt it as Ctrl-C does: it saves its place and ends."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End it at once, together with the processes that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._close()

    def _close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()

    @property
    def error(self) -> str:
        """Its last line of errors, if that is a sentence and not the end of a traceback; else empty."""
        last = next((line for line in reversed(self._errors) if line.strip()), "").strip()
        return last if last.endswith((".", ".)")) and "Traceback" not in " ".join(self._errors) else ""

    @property
    def errors(self) -> str:
        """Its last lines of errors, for the log."""
        return "\n".join(self._errors)

    def _take(self, line: str) -> None:
        try:
            event = json.loads(line)
            self.plan, self.loaded = event.get("plan", self.plan), event.get("loaded", self.loaded)
            if "said" in event:
                self.progress = {**self.progress, "said": event["said"]}
            if "step" in event:
                self._step(event["step"], event["done"], event["total"], event["pages"])
        except (ValueError, AttributeError, KeyError, TypeError):
            pass  # not printed by `indexing/watched/lines.py`

    def _step(self, step: str, done: int, total: int | None, pages: int) -> None:
        if step != self.progress.get("step"):
            self._seen.clear()
        moment = time.monotonic()
        self._seen.append((moment, done))
        while len(self._seen) > 2 and moment - self._seen[0][0] > SECONDS_OF_RATE:
            self._seen.popleft()
        began, before = self._seen[0]
        rate = (done - before) / (moment - began) if moment > began else 0.0
        left = (total - done) / rate if total is not None and rate > 0 else None
        known = {"step": step, "done": done, "total": total, "pages": pages}
        self.progress = {**self.progress, **known, "rate": rate, "left": left}


def _environment(environment: Mapping[str, str], folder: Path, settings: Settings) -> dict[str, str]:
    """Paths, locale and proxies, but no passwords and keys: a load into a folder needs none."""
    names = {*PROXIES, *(name.lower() for name in PROXIES)}
    return {
        **plain_environment(environment, folder),
        # Python's processes share a socket in TMPDIR, whose path may have 107 bytes; so only SQLite's files go to the folder.
        "TMPDIR": tempfile.gettempdir(),
        "SQLITE_TMPDIR": str(folder),
        **{name: environment[name] for name in names if name in environment},
        "DATA": str(folder),  # for downloads
        "CONTACT": settings.contact,
        "WEB_PRIVATE": settings.web_private,
        "TQDM_DISABLE": "1",
    }


def _each_line(stream: IO[bytes], take: Any) -> None:
    with stream:
        while raw := stream.readline(LONGEST_OUTPUT_LINE):
            take(raw.decode("utf-8", "replace").rstrip("\n"))
