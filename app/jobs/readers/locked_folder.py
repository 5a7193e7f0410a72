"""Folders for files that are being read, locked so that others can tell when their process has died."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import tempfile
from pathlib import Path

LOCK = "lock"


class LockedFolder:
    """A new folder, locked until it is removed. A context manager."""

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
        for left in parent.iterdir():
            with contextlib.suppress(OSError), open(left / LOCK, "a", encoding="ascii") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
