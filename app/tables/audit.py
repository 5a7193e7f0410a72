"""The audit log: who signed in, checked, decided, shared, exported, deleted. It has ids of checks, but no claims.

The database refuses to change or delete a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from app.tables.database import Repository, metadata, now

table = sa.Table(
    "audit",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.String(32), nullable=False, index=True),
    sa.Column("who", sa.String(64), nullable=False),
    sa.Column("what", sa.String(64), nullable=False),
    sa.Column("about", sa.String(120), nullable=False),
    sqlite_autoincrement=True,
)
REFUSED = "the audit log is only added to"
SQLITE = f"CREATE TRIGGER IF NOT EXISTS audit_{{0}} BEFORE {{0}} ON audit BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
POSTGRESQL = (
    f"CREATE OR REPLACE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$",
    "CREATE OR REPLACE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses()",
)


@dataclass(frozen=True)
class Line:
    """A line. at: ISO 8601, UTC. who: a name, or 16 characters that stand for an address. about: id of the object."""

    at: str
    who: str
    what: str
    about: str


class Audit(Repository):
    """Adds lines and reads them."""

    def add(self, who: str, what: str, about: str = "") -> None:
        """Add a line."""
        row = {"at": now(), "who": who[:64], "what": what[:64], "about": about[:120]}
        self._write(sa.insert(table).values(**row))

    def since(self, moment: str) -> Iterator[Line]:
        """The lines since a moment, oldest first."""
        query = sa.select(table.c.at, table.c.who, table.c.what, table.c.about).where(table.c.at >= moment)
        with self.engine.connect() as connection:
            for row in connection.execution_options(yield_per=500).execute(query.order_by(table.c.number)):
                yield Line(*row)


def refuse_changes(connection: sa.Connection) -> None:
    """Make the database refuse to change or delete lines."""
    sqlite = [SQLITE.format(change) for change in ("UPDATE", "DELETE")]
    for statement in sqlite if connection.dialect.name == "sqlite" else POSTGRESQL:
        connection.exec_driver_sql(statement)
