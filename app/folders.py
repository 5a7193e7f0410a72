"""The paths of the program and of workers' heartbeats, and locked files."""

from __future__ import annotations

import fcntl
import socket
from pathlib import Path
from typing import IO

from retrieval.settings import Settings

ROOT = Path(__file__).resolve().parent.parent  # of the checkout


def sign_of_worker(settings: Settings) -> Path:
    """The file that a worker on this host touches with every heartbeat."""
    return settings.data / "workers" / socket.gethostname()


def lock_file(path: Path) -> IO[str] | None:
    """The file, locked until it is closed; None if another process holds its lock. Raises OSError if it cannot be opened."""
    lock = open(path, "a", encoding="ascii")  # noqa: SIM115  # the caller closes it
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock
