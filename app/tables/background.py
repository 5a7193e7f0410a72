"""What the tables of texts and of uploads share: a process reads the content of a row in the background."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

import sqlalchemy as sa

from app.tables.database import Repository, now

READING, READY, FAILED = "reading", "ready", "failed"


class BackgroundRepository(Repository):
    """Reads and writes a table whose rows have a state, READING at first, and the time `changed`."""

    table: ClassVar[sa.Table]

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(engine)
        self._readings: dict[str, Callable[[], None]] = {}  # rows that this process reads -> how to stop

    def hold(self, row_id: str, stop: Callable[[], None] = lambda: None) -> None:
        """Note that this process reads a row. stop: called, from any thread, if it is deleted."""
        self._readings[row_id] = stop

    def release(self, row_id: str) -> None:
        """Note that this process no longer reads a row."""
        self._readings.pop(row_id, None)

    def delete(self, row_id: str) -> bool:
        """Delete a row. Its reader stops, at once if it is in this process."""
        self._readings.get(row_id, lambda: None)()
        return self._write(sa.delete(self.table).where(self.table.c.id == row_id)) > 0

    def _change(self, row_id: str, **values: Any) -> bool:
        """Change a row that is being read. False if it was deleted: stop."""
        row = sa.update(self.table).where(self.table.c.id == row_id, self.table.c.state == READING)
        return self._write(row.values(**values, changed=now())) > 0


class Silence:
    """Detects that the process that read a row has died: the row no longer changes, by a clock that nobody can set."""

    def __init__(self, engine: sa.Engine) -> None:
        self._alone = engine.dialect.name == "sqlite"  # no other process uses it
        self._seen: dict[str, tuple[str, float]] = {}  # id -> its latest sign, and when this process saw it

    def exceeds(self, seconds: float, row_id: str, sign: str) -> bool:
        """Whether a row of another process has not changed for this many seconds. sign: its time `changed`."""
        if self._alone:
            return True
        seen, since = self._seen.get(row_id, ("", 0.0))
        if seen != sign:
            since = time.monotonic()
            self._seen = {**self._seen, row_id: (sign, since)}
        return time.monotonic() - since > seconds
