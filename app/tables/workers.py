"""The table of workers and their heartbeats, by the clock of the database that they share."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from app.tables.database import LEFT_OUT, TAKEOVER_LOCK, Repository, metadata, one_at_a_time

FORGET = timedelta(days=1)

table = sa.Table(
    "workers",
    metadata,
    sa.Column("executor", sa.String(300), primary_key=True),
    sa.Column("host", sa.String(255), nullable=False),
    sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
    sa.Column("waits", sa.Text),  # why it takes no checks yet, in a sentence
    info=LEFT_OUT,  # heartbeats return within seconds
)
_NOW: Any = sa.func.current_timestamp(type_=sa.DateTime(timezone=True))


class Workers(Repository):
    """Reads and writes the table. silence: seconds without a heartbeat after which a process counts as dead."""

    def __init__(self, engine: sa.Engine, silence: float) -> None:
        super().__init__(engine)
        self.silence = timedelta(seconds=silence)

    def beat(self, executor: str, waits: str = "") -> None:
        """Write a heartbeat. waits: why the process takes no checks yet, in a sentence."""
        heartbeat = {"seen": _NOW, "waits": waits}
        with self.engine.begin() as connection:
            if connection.execute(sa.update(table).where(table.c.executor == executor).values(heartbeat)).rowcount == 0:
                row = {"executor": executor, "host": socket.gethostname(), **heartbeat}
                connection.execute(sa.insert(table).values(row))

    def leave(self, executor: str) -> None:
        """Remove a process that stops, so that others take over its checks at once."""
        self._write(sa.delete(table).where(table.c.executor == executor))

    def alive(self) -> set[str]:
        """The executors of processes with a recent heartbeat. Deletes those that have been silent for a day."""
        rows = self._rows(sa.select(table.c.executor, table.c.seen, _NOW.label("now")))
        silent = {row["executor"]: _between(row["seen"], row["now"]) for row in rows}
        if forgotten := [executor for executor, since in silent.items() if since > FORGET]:
            self._write(sa.delete(table).where(table.c.executor.in_(forgotten)))
        return {executor for executor, since in silent.items() if since <= self.silence}

    @contextmanager
    def one_takes_over(self) -> Iterator[None]:
        """Within this block, no other process takes over checks. With SQLite there is no other."""
        with self.engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                one_at_a_time(connection, TAKEOVER_LOCK)
            yield

    def obstacle(self) -> str | None:
        """Why no living process takes checks; empty if one does, None if none is alive."""
        rows = self._rows(sa.select(table.c.seen, table.c.waits, _NOW.label("now")))
        reasons = [row["waits"] or "" for row in rows if _between(row["seen"], row["now"]) <= self.silence]
        return min(reasons) if reasons else None


def _between(earlier: datetime, later: datetime) -> timedelta:
    return later.replace(tzinfo=None) - earlier.replace(tzinfo=None)
