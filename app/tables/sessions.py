"""The table of sessions, whose keys are in cookies."""

from __future__ import annotations

import contextlib
import secrets

import sqlalchemy as sa

from app.tables.database import LEFT_OUT, Repository, belongs_to, metadata, now
from app.tables.ownership import Account
from app.tables.people import digest, holder
from retrieval.settings import Settings

table = sa.Table(
    "sessions",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(32), belongs_to("people"), nullable=False, index=True),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("seen", sa.String(32), nullable=False),
    info=LEFT_OUT,  # a restore ends all sessions
)


class Sessions(Repository):
    """Sessions of people. A session ends SESSION_IDLE_MINUTES after its last use, or SESSION_HOURS after its start."""

    def __init__(self, engine: sa.Engine, settings: Settings) -> None:
        super().__init__(engine)
        self._idle, self._longest = settings.session_idle_minutes * 60, settings.session_hours * 3600

    def begin(self, person: Account) -> str:
        """Start a session and delete expired ones; returns its key, which is useless if the person is being removed."""
        key = secrets.token_urlsafe(32)
        row = {"digest": digest(key), "person": person.id, "created": now(), "seen": now()}
        with contextlib.suppress(sa.exc.IntegrityError), self.engine.begin() as connection:
            connection.execute(sa.delete(table).where(~self._alive()))
            connection.execute(sa.insert(table).values(**row))
        return key

    def find(self, key: str) -> Account | None:
        """The person whose session this is; None if it has ended."""
        return holder(self.engine, table, table.c.seen, key, self._alive())

    def end(self, key: str) -> None:
        """Sign out."""
        self._write(sa.delete(table).where(table.c.digest == digest(key)))

    def end_all(self, person: Account) -> None:
        """Sign out everywhere."""
        self._write(sa.delete(table).where(table.c.person == person.id))

    def _alive(self) -> sa.ColumnElement[bool]:
        return (table.c.seen > now(self._idle)) & (table.c.created > now(self._longest))
