"""Credentials after signing in: a session's key in a cookie, a token for programs.

Both are 256 random bits, and only their SHA-256 is stored: reading the database or a backup does not reveal them.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.tables.checks import now
from app.tables.database import LEFT_OUT, Repository, belongs_to, metadata
from app.tables.ownership import Account
from app.tables.people import AccountError
from app.tables.people import table as people
from retrieval.settings import Settings

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(32), belongs_to("people"), nullable=False, index=True),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("seen", sa.String(32), nullable=False),
    info=LEFT_OUT,  # sessions end with a restore
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(32), belongs_to("people"), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("used", sa.String(32), nullable=False),
    sa.UniqueConstraint("person", "name"),
)
PREFIX = "esoteric_"  # by which secret scanners find a leaked token
LONGEST_NAME = 60
MOST_TOKENS = 20
USE_FRESH = 60.0  # seconds before a use is recorded again


@dataclass(frozen=True)
class Token:
    """What is shown of a token after its creation."""

    name: str
    created: str
    used: str


class Sessions(Repository):
    """Sessions of people who are signed in. A session ends after long idleness, and after some days at the latest."""

    def __init__(self, engine: sa.Engine, settings: Settings) -> None:
        super().__init__(engine)
        self._idle, self._longest = settings.session_idle_minutes * 60, settings.session_hours * 3600

    def begin(self, person: Account) -> str:
        """A new session's key, which opens nothing if the person is being removed; expired sessions are deleted."""
        key = secrets.token_urlsafe(32)
        row = {"digest": digest(key), "person": person.id, "created": now(), "seen": now()}
        with contextlib.suppress(sa.exc.IntegrityError), self.engine.begin() as connection:
            connection.execute(sa.delete(sessions).where(~self._alive()))
            connection.execute(sa.insert(sessions).values(**row))
        return key

    def find(self, key: str) -> Account | None:
        """Whose session it is; None if it has ended."""
        return _holder(self.engine, sessions, sessions.c.seen, key, self._alive())

    def end(self, key: str) -> None:
        """Sign out."""
        self._write(sa.delete(sessions).where(sessions.c.digest == digest(key)))

    def end_all(self, person: Account) -> None:
        """Sign out everywhere."""
        self._write(sa.delete(sessions).where(sessions.c.person == person.id))

    def _alive(self) -> sa.ColumnElement[bool]:
        return (sessions.c.seen > now(self._idle)) & (sessions.c.created > now(self._longest))


class Tokens(Repository):
    """For programs: `Authorization: Bearer TOKEN`."""

    def add(self, person: Account, name: str) -> str:
        """A new token, shown only this once. Raises AccountError."""
        name = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME]
        if not name:
            raise AccountError("Name the token, so that you know later what it is for.")
        known = self.of(person)
        if name in {token.name for token in known}:
            raise AccountError("You have a token of this name already. Choose another, or revoke that one.")
        if len(known) >= MOST_TOKENS:
            raise AccountError(f"You have {MOST_TOKENS} tokens, which is the limit. Revoke some of them.")
        token = PREFIX + secrets.token_urlsafe(32)
        row = {"digest": digest(token), "person": person.id, "name": name, "created": now(), "used": ""}
        self._write(sa.insert(tokens).values(**row))
        return token

    def find(self, token: str) -> Account | None:
        """Whose it is."""
        return _holder(self.engine, tokens, tokens.c.used, token)

    def of(self, person: Account) -> list[Token]:
        """Theirs, oldest first."""
        query = sa.select(tokens.c.name, tokens.c.created, tokens.c.used).where(tokens.c.person == person.id)
        return [Token(**row) for row in self._rows(query.order_by(tokens.c.created))]

    def counts(self) -> dict[str, int]:
        """How many tokens each person has, by id."""
        query = sa.select(tokens.c.person, sa.func.count().label("many")).group_by(tokens.c.person)
        return {row["person"]: row["many"] for row in self._rows(query)}

    def revoke(self, person: Account, name: str = "") -> bool:
        """Revoke the token of this name, or all of a person's; whether there was any."""
        theirs = sa.delete(tokens).where(tokens.c.person == person.id)
        return self._write(theirs.where(tokens.c.name == name) if name else theirs) > 0


def _holder(
    engine: sa.Engine, table: sa.Table, used: sa.Column[Any], key: str, *valid: sa.ColumnElement[bool]
) -> Account | None:
    """Whose key it is, if it is known and `valid`; notes in `used` that it was."""
    own = table.c.digest == digest(key)
    query = sa.select(people.c.id, people.c.name, people.c.role, used).join(people, people.c.id == table.c.person)
    with engine.connect() as connection:
        row = connection.execute(query.where(own, *valid)).first()
    if row is None:
        return None
    if row[3] < now(USE_FRESH):
        with engine.begin() as connection:
            connection.execute(sa.update(table).where(own).values({used: now()}))
    return Account(*row[:3])


def digest(key: str) -> str:
    """What is stored of a key. It is random and long, so no slow hash is needed."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
