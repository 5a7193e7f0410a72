"""Limits for a process that another program starts: memory, processor time, priority, and an end with that program."""

from __future__ import annotations

import os
import resource
import signal
import threading
from contextlib import suppress
from pathlib import Path

NICER = 10  # priority below the watching program's, because checks come first


def limit_memory(megabytes: int | None) -> None:
    """Limit this process's memory from now on, so that a hostile file ends only this process. None: no limit."""
    if not megabytes:
        return
    size = megabytes * 1_000_000
    for kind, most in ((resource.RLIMIT_DATA, size), (resource.RLIMIT_FSIZE, size), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    _end_first()


def limit_seconds(seconds: int | None) -> None:
    """Let SIGPROF end this process after this many processor seconds from now; 0 or None: never. The signal's default
    action is used, because a Python handler would wait for a call into C to return.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds or 0)


def end_with_parent() -> None:
    """End this process when its standard input closes, that is, when its parent has ended."""

    def watch() -> None:
        while os.read(0, 4096):  # not through sys.stdin, whose lock would abort an interpreter that is shutting down
            pass
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def give_way() -> None:
    """Put the program that started this process first: end with it, stop at SIGINT, and run at a lower priority."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores SIGINT for background jobs
    os.nice(NICER)
    _end_first()


def _end_first() -> None:
    """Let the kernel end this process first if memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
