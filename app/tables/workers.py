"""Signs of life: which processes work on checks, or what they wait for, by the clock of the database they share."""

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
    sa.Column("waits", sa.Text),  # why it takes no check yet, in a sentence
    info=LEFT_OUT,  # they sign anew within seconds
)
_NOW: Any = sa.func.current_timestamp(type_=sa.DateTime(timezone=True))


class Workers(Repository):
    """All reading and writing of the table. silence: seconds without a sign after which a process counts as dead."""

    def __init__(self, engine: sa.Engine, silence: float) -> None:
        super().__init__(engine)
        self.silence = timedelta(seconds=silence)

    def sign(self, executor: str, waits: str = "") -> None:
        """This process lives. waits: why it takes no checks yet, in a sentence."""
        own, told = table.c.executor == executor, {"seen": _NOW, "waits": waits}
        with self.engine.begin() as connection:
            if connection.execute(sa.update(table).where(own).values(told)).rowcount == 0:
                new = sa.insert(table).values(executor=executor, host=socket.gethostname(), **told)
                connection.execute(new)

    def leave(self, executor: str) -> None:
        """This process stops: others may take over its checks at once."""
        self._write(sa.delete(table).where(table.c.executor == executor))

    def alive(self) -> set[str]:
        """The processes that gave a sign recently. Forgets those silent for a day."""
        silent = self._silent()
        forgotten = [executor for executor, (_, since) in silent.items() if since > FORGET]
        if forgotten:
            self._write(sa.delete(table).where(table.c.executor.in_(forgotten)))
        return {executor for executor, (_, since) in silent.items() if since <= self.silence}

    @contextmanager
    def one_takes_over(self) -> Iterator[None]:
        """Let one process at a time queue again what dead ones left: the second finds that nothing is left. SQLite has one."""
        with self.engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                one_at_a_time(connection, TAKEOVER_LOCK)
            yield

    def obstacle(self) -> str | None:
        """Why none of the living processes takes checks; empty if one does, None if none lives."""
        rows = self._rows(sa.select(table.c.seen, table.c.waits, _NOW.label("now")))
        told = [row["waits"] or "" for row in rows if _between(row["seen"], row["now"]) <= self.silence]
        return min(told) if told else None

    def _silent(self) -> dict[str, tuple[str, timedelta]]:
        """Executor -> its host, the time since its last sign."""
        rows = self._rows(sa.select(table, _NOW.label("now")))
        return {row["executor"]: (row["host"], _between(row["seen"], row["now"])) for row in rows}


def _between(earlier: datetime, later: datetime) -> timedelta:
    return later.replace(tzinfo=None) - earlier.replace(tzinfo=None)
