"""Loads that are broken off at a moment given, through the real command line, each in a process of its own.

Moments:
  page:N   kill -9 before page N is added           file:N   kill -9 before the N-th renaming of a file or folder
  ctrl-c:N SIGINT before page N is added            slow     0.05 s a page, for a parent that kills
  deaf:N   the same, where SIGINT was ignored from the start
  bytes:N  no file may grow beyond N bytes          whole    to the end
  flush:N  the same, with no checkpoint             nobody   as a user without rights, to the end
  held:N   says so and waits before page N is added
  beside M moment M, with another process that reads the dump
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.process
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import indexing.fever_rows
import indexing.load
from indexing.__main__ import main
from retrieval.stores.embedded import generations
from retrieval.stores.embedded import writer as embedded_writer

ROWS_BETWEEN_CHECKPOINTS = 5
WAITING = "waiting"


def at_call(number: int, function: Callable[..., Any], strike: Callable[[], object]) -> Callable[..., Any]:
    """The function, struck before its call of this number, counted from 1."""
    calls = 0

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == number:
            strike()
        return function(*arguments, **options)

    return counted


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def arrange(moment: str) -> None:
    """Prepare the break, with frequent checkpoints."""
    indexing.load.ROWS_A_LOOK = ROWS_BETWEEN_CHECKPOINTS
    indexing.load.SECONDS_BETWEEN_CHECKPOINTS = 0.0
    embedded_writer.HEAP_BYTES = 15_000_001
    if moment.startswith("beside "):
        indexing.fever_rows.WORTH_A_PROCESS = 0
        os.sched_getaffinity = lambda _: {0, 1}
        moment = moment.removeprefix("beside ")
    what, _, value = moment.partition(":")
    add = embedded_writer.EmbeddedWriter.add
    if what == "page":
        embedded_writer.EmbeddedWriter.add = at_call(int(value), add, kill)  # type: ignore[method-assign]
    elif what in ("ctrl-c", "deaf"):
        embedded_writer.EmbeddedWriter.add = at_call(int(value), add, interrupt)  # type: ignore[method-assign]
    elif what == "held":  # until it is killed or interrupted
        embedded_writer.EmbeddedWriter.add = at_call(int(value), add, wait)  # type: ignore[method-assign]
    elif what == "slow":
        embedded_writer.EmbeddedWriter.add = lambda *given: (time.sleep(0.05), add(*given))[1]  # type: ignore[method-assign]
    elif what == "file":
        counted = at_call(int(value), lambda rename, *paths: rename(*paths), kill)
        rename, replace = os.rename, os.replace
        generations.os.rename = lambda *paths: counted(rename, *paths)
        generations.os.replace = lambda *paths: counted(replace, *paths)
    elif what == "nobody" and os.geteuid() == 0:
        os.setuid(65534)
    elif what in ("bytes", "flush"):
        indexing.load.ROWS_A_LOOK = ROWS_BETWEEN_CHECKPOINTS if what == "bytes" else 10**9
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(value), resource.RLIM_INFINITY))


def wait() -> None:
    """Longer than any test, after saying so."""
    print(WAITING, flush=True)
    time.sleep(600)


def run(moment: str, arguments: list[str], output: str, errors: str) -> None:
    """The body of a child: one command with its output in two files."""
    for stream, path in ((1, output), (2, errors)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), stream)
    # Tests that a script runs in the background inherit that SIGINT is ignored; a load at a terminal does not.
    signal.signal(signal.SIGINT, signal.SIG_IGN if moment.startswith("deaf") else signal.default_int_handler)
    arrange(moment)
    sys.exit(main(arguments))


# A process of its own for each command, forked from one that has imported everything.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.indexing.breaking_load"])


@dataclass(frozen=True)
class Child:
    """A command that runs, or ran, in a process of its own."""

    process: multiprocessing.process.BaseProcess
    folder: Path

    @property
    def returncode(self) -> int | None:
        self.process.join(60)
        return self.process.exitcode

    @property
    def stdout(self) -> str:
        written = self.folder / "stdout"  # made by the child
        return written.read_text() if written.exists() else ""

    @property
    def stderr(self) -> str:
        return (self.folder / "stderr").read_text()


def start(moment: str, *arguments: str | Path) -> Child:
    """`python -m indexing` with these arguments, to be broken off at the moment given."""
    given = list(map(str, arguments))
    folder = Path(given[given.index("--store") + 1]).parent
    outputs = (str(folder / "stdout"), str(folder / "stderr"))
    process = PROCESSES.Process(target=run, args=(moment, given, *outputs))
    process.start()
    return Child(process, folder)


def broken(moment: str, *arguments: str | Path) -> Child:
    """The same, run to its end."""
    child = start(moment, *arguments)
    child.process.join(60)
    return child


def unbroken(*arguments: str | Path) -> Child:
    """The command, not broken off."""
    return broken("whole", *arguments)
