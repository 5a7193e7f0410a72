"""Who owns a row, and who may see or change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import sqlalchemy as sa

from app.tables.database import Repository
from app.tables.roles import ADMIN, READER
from app.tables.stored_check import UNFINISHED
from retrieval.stores.named import parts_of


@dataclass(frozen=True)
class Account:
    """A person who has signed in."""

    id: str
    name: str
    role: str

    @property
    def may_check(self) -> bool:
        """Whether they may start checks."""
        return self.role != READER

    @property
    def is_admin(self) -> bool:
        """Whether they may see and do everything."""
        return self.role == ADMIN


class Owned(Protocol):
    """A row with an owner. Without one, it belongs to everybody, as rows do without accounts."""

    @property
    def owner(self) -> str | None: ...
    @property
    def shared(self) -> bool | None: ...


def owner_columns() -> tuple[sa.Column[str], sa.Column[bool]]:
    """The columns of a table whose rows have an owner."""
    return sa.Column("owner", sa.String(32), index=True), sa.Column("shared", sa.Boolean)


def deleted_column(table: str) -> tuple[sa.Column[str], sa.Index]:
    """The column that says when a row was deleted (see `app/tables/deletions.py`), and an index of deleted rows only."""
    some = sa.text("deleted IS NOT NULL")
    index = sa.Index(f"ix_{table}_deleted", "deleted", sqlite_where=some, postgresql_where=some)
    return sa.Column("deleted", sa.String(32)), index


def visible(table: sa.Table, viewer: Account | None) -> sa.ColumnElement[bool]:
    """The rows that the viewer (None without accounts) may see, without deleted ones."""
    undeleted = table.c.deleted.is_(None) if "deleted" in table.c else sa.true()
    if viewer is None or viewer.is_admin:
        return undeleted
    owner = sa.func.coalesce(table.c.owner, "")
    return undeleted & (owner.in_(("", viewer.id)) | (sa.func.coalesce(table.c.shared, sa.false()) == sa.true()))


def may_see(row: Owned, viewer: Account | None) -> bool:
    """Whether the viewer may see this row."""
    return viewer is None or viewer.is_admin or bool(row.shared) or (row.owner or "") in ("", viewer.id)


def open_to_all(row: Owned) -> bool:
    """Whether everybody with an account may see the row."""
    return bool(row.shared) or row.owner is None


def may_change(row: Owned, viewer: Account | None) -> bool:
    """Whether the viewer may change or delete the row, as its owner and admins may."""
    return viewer is None or viewer.is_admin or (row.owner is not None and row.owner == viewer.id)


class OwnedRepository(Repository):
    """Reads and writes a table whose rows have an owner."""

    table: ClassVar[sa.Table]

    def share(self, row_id: str, shared: bool) -> None:
        """Share a row with everybody who has an account, or make it private."""
        self._write(sa.update(self.table).where(self.table.c.id == row_id).values(shared=shared))


class ReadingRepository(OwnedRepository):
    """Reads and writes the table of checks or of reports, which may read documents. Their numbers grow with time."""

    def reading(self, against: str) -> list[str]:
        """Ids of the rows against these documents, alone or with others."""
        named = self.table.c.against.contains(against, autoescape=True)
        rows = self._rows(sa.select(self.table.c.id, self.table.c.against).where(named))
        return [row["id"] for row in rows if against in parts_of(row["against"])]

    def _newest(self, query: sa.Select[Any], limit: int, before: str | None) -> Sequence[sa.RowMapping]:
        """The newest rows of a query. before: id of a newer row."""
        number = self.table.c.number
        if before is not None:
            query = query.where(number < sa.select(number).where(self.table.c.id == before).scalar_subquery())
        return self._rows(query.order_by(number.desc()).limit(limit))

    def some(self, limit: int, ended_before: str = "", but: sa.Select[Any] | None = None) -> list[str]:
        """Ids of up to `limit` rows, oldest first. ended_before: only those that ended before this, and no checks of reports.
        but: ids to leave out."""
        columns = self.table.c
        query = sa.select(columns.id).order_by(columns.number).limit(limit)
        if ended_before:
            query = query.where(columns.state.not_in(UNFINISHED), columns.finished < ended_before)
            query = query.where(columns.report.is_(None)) if "report" in columns else query
        return self._values(query if but is None else query.where(columns.id.not_in(but)))
