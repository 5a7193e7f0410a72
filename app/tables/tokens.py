"""The table of tokens for programs."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from app.tables.database import Repository, belongs_to, metadata, now
from app.tables.ownership import Account
from app.tables.people import AccountError, digest, holder

table = sa.Table(
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
LONGEST_TOKEN_NAME = 60
MOST_TOKENS = 20


@dataclass(frozen=True)
class Token:
    """What people see of a token once it is made."""

    name: str
    created: str
    used: str


class Tokens(Repository):
    """Tokens for programs: `Authorization: Bearer TOKEN`."""

    def add(self, person: Account, name: str) -> str:
        """Make a token; returns it, because it cannot be shown again. Raises AccountError."""
        name = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_TOKEN_NAME]
        if not name:
            raise AccountError("The token has no name. Type one that says what it is for.")
        known = self.of(person)
        if name in {token.name for token in known}:
            raise AccountError("You already have a token with this name. Choose another name, or revoke that one.")
        if len(known) >= MOST_TOKENS:
            raise AccountError(f"You have {MOST_TOKENS} tokens, which is the limit. Revoke some of them.")
        token = PREFIX + secrets.token_urlsafe(32)
        row = {"digest": digest(token), "person": person.id, "name": name, "created": now(), "used": ""}
        self._write(sa.insert(table).values(**row))
        return token

    def find(self, token: str) -> Account | None:
        """The person whose token this is; None if it is unknown."""
        return holder(self.engine, table, table.c.used, token)

    def of(self, person: Account) -> list[Token]:
        """The tokens of a person, oldest first."""
        query = sa.select(table.c.name, table.c.created, table.c.used).where(table.c.person == person.id)
        return [Token(**row) for row in self._rows(query.order_by(table.c.created))]

    def counts(self) -> dict[str, int]:
        """Id of a person -> number of tokens."""
        query = sa.select(table.c.person, sa.func.count().label("many")).group_by(table.c.person)
        return {row["person"]: row["many"] for row in self._rows(query)}

    def revoke(self, person: Account, name: str = "") -> bool:
        """Revoke a person's token of this name, or all of them; returns whether there were any."""
        theirs = sa.delete(table).where(table.c.person == person.id)
        return self._write(theirs.where(table.c.name == name) if name else theirs) > 0
