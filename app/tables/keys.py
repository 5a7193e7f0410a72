"""The keys of sessions and the tokens for programs: whose they are.

Keys and tokens are 256 random bits. Only their SHA-256 is stored, so the database and its backups do not reveal them.
"""

from __future__ import annotations

import hashlib
from typing import Any

import sqlalchemy as sa

from app.tables.database import now
from app.tables.ownership import Account
from app.tables.people import table as people

USE_FRESH = 60.0  # seconds until another use is recorded


def holder(
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
