"""Writes the row of a running check, so that a page can show it and another process can resume it.

A write costs about as much as a short stage, so changes within a tenth of a second are written together; a timer writes
them if no further change comes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import TracebackType

from app.tables.checks import Checks
from app.tables.database import DATABASE_AWAY, DATABASE_TRY_EVERY, patiently
from retrieval.output.record import Json
from retrieval.types import FactCheck

WRITE_EVERY = 0.1  # seconds between two writes: how much a crash loses, and how late a cancellation is noticed


class Stopped(Exception):
    """The check was cancelled, deleted or taken over."""


class RowWriter:
    """Writes one attempt at a check, as a context manager. On an error, it writes what is left; after its end, nothing."""

    def __init__(self, checks: Checks, check_id: str, attempt: int) -> None:
        self._checks, self._check_id, self._attempt = checks, check_id, attempt
        self._lock = threading.Lock()
        self._unwritten: tuple[FactCheck, FactCheck, list[Json]] | None = None
        self._complete: FactCheck | None = None  # as in the row
        self._written = time.monotonic()
        self._timer: threading.Timer | None = None
        self._stopped = False

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, Stopped):
            self.flush()
        self.close()

    def tell(self, complete: FactCheck, latest: FactCheck, stages: Sequence[Json], at_once: bool = False) -> None:
        """Write this within `WRITE_EVERY` seconds, or `at_once`, before this returns.

        complete: the record after the last complete stage, with all replies since. latest: the record within the stage.
        stages: progress of each. Raises Stopped.
        """
        with self._lock:
            self._unwritten = complete, latest, [dict(stage) for stage in stages]
            late = time.monotonic() - self._written
            if at_once or late >= WRITE_EVERY:
                patiently(self._write)
            elif self._timer is None:
                self._arm(WRITE_EVERY - late)
            if self._stopped:
                raise Stopped

    def flush(self) -> None:
        """Write what is not written yet."""
        with self._lock:
            patiently(self._write)

    def close(self) -> None:
        """Write no more."""
        with self._lock:
            self._unwritten = None
            if self._timer is not None:
                self._timer.cancel()

    def _arm(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._write_late)
        self._timer.daemon = True
        self._timer.start()

    def _write_late(self) -> None:
        with self._lock:
            self._timer = None
            try:
                self._write()
            except DATABASE_AWAY:
                self._arm(DATABASE_TRY_EVERY)

    def _write(self) -> None:
        if self._unwritten is None:
            return
        complete, latest, stages = self._unwritten
        changed = None if complete is self._complete else complete
        within = None if latest is complete else latest
        self._stopped = not self._checks.write(self._check_id, self._attempt, changed, within, stages)
        self._unwritten, self._complete, self._written = None, complete, time.monotonic()
