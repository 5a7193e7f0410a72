"""Reads documents in a separate process with limits for each. A document that exceeds them is left out, with a reason.

The process has no secrets in its environment, and ends when this process does, however that ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from app.folders import ROOT, lock_file
from retrieval.output.record import Json

LONGEST_CONTENT = 2_000_000  # characters of all documents together
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV")
LOCK = "lock"  # the file that is locked in a folder

NO_TIME = "reading all documents together took longer than {:.0f} seconds, so this one was left out; upload it alone"
SLOW = "reading it took longer than {} seconds, so it was left out; split it, or save it in another format"
BROKE = "reading it stopped, as it does if it needs more than {:,} MB of memory; split it, or save it in another format"
KILLED = (
    "reading it was killed, as happens when a machine or a container runs out of memory; the file may be in order, so upload "
    "it again when less is being read"
)


class LockedFolder:
    """A new folder for files that are read, locked until it is removed, so that other processes see whether its own is alive."""

    def __init__(self, parent: Path, prefix: str = "") -> None:
        parent.mkdir(parents=True, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(dir=parent, prefix=prefix))
        self._lock = open(self.path / LOCK, "a", encoding="ascii")  # noqa: SIM115  # open until the files are gone
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def __enter__(self) -> LockedFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Delete the folder, then unlock it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def remove_abandoned(parent: Path) -> None:
    """Delete the folders that no process has locked."""
    if parent.is_dir():
        for folder in parent.iterdir():
            with contextlib.suppress(OSError):
                if lock := lock_file(folder / LOCK):
                    with lock:
                        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Bounds:
    """Limits for a document: seconds of processor time, megabytes of memory. together: seconds for a whole upload."""

    seconds: int
    megabytes: int
    together: float = 150.0


class Reading:
    """Reads files into lines of a knowledge file. A document that ends the process is left out; a new process continues."""

    def __init__(
        self, paths: Sequence[Path], folder: Path, bounds: Bounds, language: str = "", headings: bool = False
    ) -> None:
        """language: code for all files; empty to detect that of each. headings: whether they stay in the text."""
        self._unread, self._folder, self._bounds = list(paths), folder, bounds
        self._options = [*(["--language", language] if language else []), *(["--headings"] if headings else [])]
        self._deadline = time.monotonic() + bounds.together
        self._process: subprocess.Popen[str] | None = None
        self._ended: int | None = None  # exit code of the last process
        self._stopped = threading.Event()
        self.content = b""

    def stop(self) -> None:
        """Stop reading, from any thread."""
        self._stopped.set()
        if self._process is not None:
            self._process.kill()

    def run(self) -> Iterator[Json]:
        """Yield {"file", "pages", "faults", "language"} of each file, in order; `content` grows by its lines."""
        while self._unread and not self._stopped.is_set():
            if time.monotonic() > self._deadline:
                yield self._leave_out(NO_TIME.format(self._bounds.together))
                continue
            target, pages = self._folder / "knowledge.jsonl", 0
            for result in self._in_one_process(target):
                pages += result["pages"]
                del self._unread[0]
                yield result
            self.content += _first_lines(target, pages)
            if self._unread and not self._stopped.is_set() and time.monotonic() <= self._deadline:
                yield self._leave_out(self._fault())

    def _leave_out(self, fault: str) -> Json:
        return {"file": self._unread.pop(0).name, "pages": 0, "faults": [fault], "language": ""}

    def _fault(self) -> str:
        if self._ended in (-signal.SIGPROF, -signal.SIGXCPU):
            return SLOW.format(self._bounds.seconds)
        return KILLED if self._ended == -signal.SIGKILL else BROKE.format(self._bounds.megabytes)

    def _in_one_process(self, target: Path) -> Iterator[Json]:
        bounds = ["--megabytes", str(self._bounds.megabytes), "--seconds", str(self._bounds.seconds)]
        room = ["--characters", str(max(1, LONGEST_CONTENT - len(self.content)))]
        options = ["--json", "--with-parent", *bounds, *room, *self._options, "--out", str(target), "--"]
        command = ["knowledge", *options, *map(str, self._unread)]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        with reader_process(command, self._folder, **streams) as reader:
            self._process = reader
            timer = threading.Timer(max(0.0, self._deadline - time.monotonic()), reader.kill)
            timer.daemon = True
            timer.start()
            try:
                if self._stopped.is_set():
                    reader.kill()
                assert reader.stdout is not None
                with reader.stdout:
                    yield from _lines(reader.stdout)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    reader.wait(self._bounds.seconds)  # it has written everything, or was killed
            finally:
                timer.cancel()
                self._ended = reader.poll()


@contextlib.contextmanager
def reader_process(command: Sequence[str], folder: Path, **streams: Any) -> Iterator[subprocess.Popen[Any]]:
    """A command of `python -m indexing` in a process without secrets, which ends with this block or with this process.
    folder: its home. streams: its output, as for `subprocess.Popen`."""
    reader = start_indexing(command, plain_environment(os.environ, folder), **streams)
    try:
        yield reader
    finally:
        reader.kill()
        reader.wait()
        assert reader.stdin is not None
        reader.stdin.close()


def start_indexing(command: Sequence[str], environment: dict[str, str], **streams: Any) -> subprocess.Popen[Any]:
    """Start a command of `python -m indexing`, which ends when its input is closed, as it is when this process ends."""
    module = [sys.executable, "-m", "indexing"]
    streams |= {"stdin": subprocess.PIPE}
    return subprocess.Popen([*module, *command], cwd=ROOT, env=environment, start_new_session=True, **streams)


def plain_environment(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Paths and locale, but no passwords and keys."""
    passed = {name: environment[name] for name in PASSED_ON if name in environment}
    return {
        **passed,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _first_lines(file: Path, count: int) -> bytes:
    """The first lines of a file, without those of a document that was not read to its end."""
    if not file.exists():
        return b""
    with file.open("rb") as stream:
        return b"".join(line for _, line in zip(range(count), stream, strict=False))


def _lines(stream: IO[str]) -> Iterator[Json]:
    for line in stream:
        try:
            result = json.loads(line)
        except ValueError:
            continue
        if isinstance(result, dict) and isinstance(result.get("pages"), int):
            yield result
