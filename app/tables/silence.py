"""Detects that a process that reads something for a row has died: the row no longer changes."""

from __future__ import annotations

import time

import sqlalchemy as sa


class Silence:
    """Remembers when this process first saw the latest sign of each row, by a clock that cannot be set."""

    def __init__(self, engine: sa.Engine) -> None:
        self._alone = engine.dialect.name == "sqlite"  # no other process uses it
        self._seen: dict[str, tuple[str, float]] = {}  # id -> its latest sign, and when it was first seen

    def exceeds(self, seconds: float, row_id: str, sign: str) -> bool:
        """Whether a row of another process has given no new sign for so many seconds. sign: the current one."""
        if self._alone:
            return True
        seen, since = self._seen.get(row_id, ("", 0.0))
        if seen != sign:
            since = time.monotonic()
            self._seen = {**self._seen, row_id: (sign, since)}
        return time.monotonic() - since > seconds
