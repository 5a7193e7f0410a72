"""Writes the row of a running check, so that pages can show it and another process can resume it.

A write costs about as much as a short stage, so changes within a tenth of a second are written together: with the next
change, or else by a thread.
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
    """Writes one attempt at a check, as a context manager. On an error, it writes the rest; after its end, nothing."""

    def __init__(self, checks: Checks, check_id: str, attempt: int) -> None:
        self._checks, self._check_id, self._attempt = checks, check_id, attempt
        self._news = threading.Condition()  # held only for moments
        self._writing = threading.Lock()  # one write after another
        self._unwritten: tuple[FactCheck, FactCheck, list[Json]] | None = None
        self._complete: FactCheck | None = None  # as in the row
        self._due = time.monotonic() + WRITE_EVERY  # the next write
        self._ended = self._stopped = False

    def __enter__(self) -> RowWriter:
        # One thread for all writes: to start one holds up the stages for a millisecond, on busy cores for several.
        threading.Thread(target=self._write_late, name=f"row of {self._check_id}", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, Stopped):
            self.flush()
        self.close()

    def tell(self, complete: FactCheck, latest: FactCheck, stages: Sequence[Json], at_once: bool = False) -> None:
        """Write this within `WRITE_EVERY` seconds; if `at_once`, before returning. Does not wait for a write that has just begun.
        complete: the record after the last complete stage, with all replies since. latest: the record within the stage.
        stages: the progress of each. Raises Stopped."""
        with self._news:
            late = at_once or time.monotonic() >= self._due
            if self._unwritten is None and not late:
                self._news.notify()
            self._unwritten = complete, latest, [dict(stage) for stage in stages]
        if late:
            self.flush()
        if self._stopped:
            raise Stopped

    def flush(self) -> None:
        """Write what is not written yet."""
        with self._writing:
            patiently(self._write)

    def close(self) -> None:
        """Write no more."""
        with self._writing, self._news:
            self._unwritten, self._ended = None, True
            self._news.notify()

    def _write_late(self) -> None:
        """Write what is due, until the end."""
        while self._await_due():
            with self._writing:
                try:
                    if time.monotonic() >= self._due:
                        self._write()
                except DATABASE_AWAY:
                    self._due = time.monotonic() + DATABASE_TRY_EVERY

    def _await_due(self) -> bool:
        """Wait until something is due; False at the end."""
        with self._news:
            while not self._ended:
                left = self._due - time.monotonic()
                if self._unwritten is not None and left <= 0:
                    return True
                self._news.wait(None if self._unwritten is None else left)
            return False

    def _write(self) -> None:
        """Write what is not written yet. If that fails, it stays unwritten, unless a newer state is."""
        with self._news:
            unwritten, self._unwritten = self._unwritten, None
            if unwritten is None:
                return
            self._due = time.monotonic() + WRITE_EVERY
        complete, latest, stages = unwritten
        changed = None if complete is self._complete else complete
        within = None if latest is complete else latest
        try:
            self._stopped = not self._checks.write(self._check_id, self._attempt, changed, within, stages)
        except Exception:
            with self._news:
                self._unwritten = self._unwritten or unwritten
            raise
        self._complete = complete
