"""The tables of sessions, whose keys are in cookies, and of tokens for programs.

Keys and tokens are 256 random bits. Only their SHA-256 is stored, so the database and its backups do not reveal them.
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
PREFIX = "esoteric_"  # by which scanners find a leaked token
LONGEST_NAME = 60
MOST_TOKENS = 20
USE_FRESH = 60.0  # seconds until another use is recorded


@dataclass(frozen=True)
class Token:
    """What people see of a token once it is made."""

    name: str
    created: str
    used: str


class Sessions(Repository):
    """Sessions of people. A session ends when it is idle for long, or after some days."""

    def __init__(self, engine: sa.Engine, settings: Settings) -> None:
        super().__init__(engine)
        self._idle, self._longest = settings.session_idle_minutes * 60, settings.session_hours * 3600

    def begin(self, person: Account) -> str:
        """Start a session and delete expired ones; returns its key, which is useless if the person is being removed."""
        key = secrets.token_urlsafe(32)
        row = {"digest": digest(key), "person": person.id, "created": now(), "seen": now()}
        with contextlib.suppress(sa.exc.IntegrityError), self.engine.begin() as connection:
            connection.execute(sa.delete(sessions).where(~self._alive()))
            connection.execute(sa.insert(sessions).values(**row))
        return key

    def find(self, key: str) -> Account | None:
        """The person whose session this is; None if it has ended."""
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
    """Tokens for programs: `Authorization: Bearer TOKEN`."""

    def add(self, person: Account, name: str) -> str:
        """Make a token; returns it, for it cannot be shown again. Raises AccountError."""
        name = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME]
        if not name:
            raise AccountError("The token has no name. Type one that says what it is for.")
        known = self.of(person)
        if name in {token.name for token in known}:
            raise AccountError("You already have a token of this name. Choose another name, or revoke that one.")
        if len(known) >= MOST_TOKENS:
            raise AccountError(f"You have {MOST_TOKENS} tokens, which is the limit. Revoke some of them.")
        token = PREFIX + secrets.token_urlsafe(32)
        row = {"digest": digest(token), "person": person.id, "name": name, "created": now(), "used": ""}
        self._write(sa.insert(tokens).values(**row))
        return token

    def find(self, token: str) -> Account | None:
        """The person whose token this is; None if it is unknown."""
        return _holder(self.engine, tokens, tokens.c.used, token)

    def of(self, person: Account) -> list[Token]:
        """The tokens of a person, oldest first."""
        query = sa.select(tokens.c.name, tokens.c.created, tokens.c.used).where(tokens.c.person == person.id)
        return [Token(**row) for row in self._rows(query.order_by(tokens.c.created))]

    def counts(self) -> dict[str, int]:
        """Id of a person -> number of tokens."""
        query = sa.select(tokens.c.person, sa.func.count().label("many")).group_by(tokens.c.person)
        return {row["person"]: row["many"] for row in self._rows(query)}

    def revoke(self, person: Account, name: str = "") -> bool:
        """Revoke a person's token of this name, or all of them; returns whether there were any."""
        theirs = sa.delete(tokens).where(tokens.c.person == person.id)
        return self._write(theirs.where(tokens.c.name == name) if name else theirs) > 0


def _holder(
    engine: sa.Engine, table: sa.Table, used: sa.Column[Any], key: str, *valid: sa.ColumnElement[bool]
) -> Account | None:
    """The person whose key this is, if it is known and `valid`. Its use is noted in the column `used`."""
    same = table.c.digest == digest(key)
    query = sa.select(people.c.id, people.c.name, people.c.role, used).join(people, people.c.id == table.c.person)
    with engine.connect() as connection:
        row = connection.execute(query.where(same, *valid)).first()
    if row is None:
        return None
    if row[3] < now(USE_FRESH):
        with engine.begin() as connection:
            connection.execute(sa.update(table).where(same).values({used: now()}))
    return Account(*row[:3])


def digest(key: str) -> str:
    """The stored form of a key, which is long and random, so that no slow hash is needed."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
