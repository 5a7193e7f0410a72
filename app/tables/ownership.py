"""Ownership of rows, and who may see or change them. Shared by every table whose rows have an owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import sqlalchemy as sa

from app.tables.database import Repository
from app.tables.roles import ADMIN, READER


@dataclass(frozen=True)
class Account:
    """A person who has signed in. A reader only reads, a checker checks, an admin may see and do everything."""

    id: str
    name: str
    role: str

    @property
    def may_check(self) -> bool:
        """Whether they may start checks."""
        return self.role != READER

    @property
    def is_admin(self) -> bool:
        """Whether they may do everything."""
        return self.role == ADMIN


class Owned(Protocol):
    """A row that has an owner. Without an owner it belongs to everybody, as without accounts."""

    @property
    def owner(self) -> str | None: ...
    @property
    def shared(self) -> bool | None: ...


def owner_columns() -> tuple[sa.Column[str], sa.Column[bool]]:
    """For a table whose rows belong to people."""
    return sa.Column("owner", sa.String(32), index=True), sa.Column("shared", sa.Boolean)


def deleted_column(table: str) -> tuple[sa.Column[str], sa.Index]:
    """When a person deleted the row, which can be undone for some minutes (`app/tables/deletions.py`). Its index holds
    deleted rows only, so that nothing else is looked up by it."""
    some = sa.text("deleted IS NOT NULL")
    index = sa.Index(f"ix_{table}_deleted", "deleted", sqlite_where=some, postgresql_where=some)
    return sa.Column("deleted", sa.String(32)), index


def visible(table: sa.Table, viewer: Account | None) -> sa.ColumnElement[bool]:
    """The rows that the viewer may see, without deleted ones. viewer: None without accounts."""
    there = table.c.deleted.is_(None) if "deleted" in table.c else sa.true()
    if viewer is None or viewer.is_admin:
        return there
    owner = sa.func.coalesce(table.c.owner, "")
    return there & (owner.in_(("", viewer.id)) | (sa.func.coalesce(table.c.shared, sa.false()) == sa.true()))


def may_see(row: Owned, viewer: Account | None) -> bool:
    """The same of one row."""
    return viewer is None or viewer.is_admin or bool(row.shared) or (row.owner or "") in ("", viewer.id)


def open_to_all(row: Owned) -> bool:
    """Whether everybody may see it who has an account."""
    return bool(row.shared) or row.owner is None


def may_change(row: Owned, viewer: Account | None) -> bool:
    """Whether the viewer may cancel, share or delete it: its owner and admins may."""
    return viewer is None or viewer.is_admin or (row.owner is not None and row.owner == viewer.id)


class OwnedRepository(Repository):
    """Reads and writes a table whose rows have an owner."""

    table: ClassVar[sa.Table]

    def share(self, row_id: str, shared: bool) -> None:
        """Share a row with everybody who has an account, or with nobody but its owner."""
        self._write(sa.update(self.table).where(self.table.c.id == row_id).values(shared=shared))
