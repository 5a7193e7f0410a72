"""Whether a process that reads something for a row has died: its signs of life in the row no longer change."""

from __future__ import annotations

import time

import sqlalchemy as sa


class Silence:
    """Remembers when this process first saw each row's last sign. Monotonic clock: wall clocks may be set."""

    def __init__(self, engine: sa.Engine) -> None:
        self._alone = engine.dialect.name == "sqlite"  # which no other process uses
        self._seen: dict[str, tuple[str, float]] = {}  # id -> its last sign of life, when this process first saw it

    def exceeds(self, seconds: float, row_id: str, sign: str) -> bool:
        """Whether a row that this process does not read has given no new sign for so long. sign: its current one."""
        if self._alone:
            return True
        seen, since = self._seen.get(row_id, ("", 0.0))
        if seen != sign:
            since = time.monotonic()
            self._seen = {**self._seen, row_id: (sign, since)}
        return time.monotonic() - since > seconds
