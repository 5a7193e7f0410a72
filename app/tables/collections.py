"""The tables of collections and of their items: checks and reports, each at most once in a collection.

Filing a check or report does not change who may see it, or when it expires. Deleting it removes it from all collections. A
collection shows people only the items that they may see.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from app.tables import reports
from app.tables.checks import fold, holds
from app.tables.checks import table as checks
from app.tables.database import QUEUE_LOCK, belongs_to, locked, metadata, now
from app.tables.ownership import Account, OwnedRepository, deleted_column, owner_columns, visible
from app.tables.stored_check import VERDICT, VerdictColumns

CHECK, REPORT = "check", "report"
KINDS = (CHECK, REPORT)


def _item(kind: str) -> sa.Computed:
    """The id of an item of this kind; NULL for the other kind."""
    return sa.Computed(f"CASE WHEN kind = '{kind}' THEN item_id END", persisted=True)


table = sa.Table(
    "collections",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("folded", sa.Text, nullable=False),
    *owner_columns(),
    sa.Column("created", sa.String(32), nullable=False),
    *deleted_column("collections"),
)
filed = sa.Table(
    "filed",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("collection_id", sa.String(32), belongs_to("collections"), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("item_id", sa.String(32), nullable=False, index=True),
    *(sa.Column(f"{kind}_id", sa.String(32), _item(kind), belongs_to(f"{kind}s"), index=True) for kind in KINDS),
    sa.Column("added", sa.String(32), nullable=False),
    sa.UniqueConstraint("collection_id", "kind", "item_id"),
    sqlite_autoincrement=True,
)


class NameTaken(Exception):
    """The owner already has a collection with this name."""


@dataclass(frozen=True)
class Collection:
    """A collection. checks, reports: number of its items that the viewer may see."""

    id: str
    name: str
    owner: str | None
    shared: bool | None
    created: str
    checks: int = 0
    reports: int = 0


@dataclass(frozen=True)
class Filed(VerdictColumns):
    """An item of a collection. number: grows with time. title: of a check, its claim. name: of a check, if it has one. total: of
    a report, its number of claims."""

    number: int
    kind: str
    id: str
    title: str
    name: str | None
    state: str
    total: int | None
    created: str
    added: str


class Collections(OwnedRepository):
    """Reads and writes both tables."""

    table = table

    def add(self, name: str, owner: Account | None = None, shared: bool = False) -> str:
        """Make a collection; returns its id. Raises NameTaken."""
        owner_id = owner.id if owner else None
        row = {"id": secrets.token_hex(8), "name": name, "folded": fold(name), "owner": owner_id}
        with locked(self.engine, QUEUE_LOCK) as connection:  # so that two requests do not both make it
            if connection.execute(with_name(name, owner_id)).first():
                raise NameTaken
            connection.execute(sa.insert(table).values(**row, shared=shared, created=now()))
        return str(row["id"])

    def get(self, collection_id: str, viewer: Account | None = None) -> Collection | None:
        """The collection with this id, whoever owns it; the counts are the viewer's."""
        found = self._counted(self._collections(table.c.id == collection_id), viewer)
        return found[0] if found else None

    def named(self, name: str, owner: Account | None = None) -> str | None:
        """The id of the owner's collection with this name, ignoring case."""
        return self._value(with_name(name, owner.id if owner else None))

    def all(self, viewer: Account | None = None) -> list[Collection]:
        """The collections that the viewer may see, by name; the counts are theirs."""
        return self._counted(self._collections(visible(table, viewer)), viewer)

    def around(
        self, kind: str, item_id: str, viewer: Account | None = None
    ) -> tuple[list[Collection], list[Collection]]:
        """The collections that contain this check or report, and the others, without counts."""
        holding = table.c.id.in_(sa.select(filed.c.collection_id).filter_by(kind=kind, item_id=item_id))
        seen = visible(table, viewer)
        return self._collections(seen & holding), self._collections(seen & ~holding)

    def items(
        self,
        collection_id: str,
        limit: int,
        before: int | None = None,
        search: str = "",
        label: str = "",
        viewer: Account | None = None,
    ) -> list[Filed]:
        """Items that the viewer may see, newest first. before: number of a newer item. search, label: as in `Checks.latest`
        and `Reports.latest`."""
        query = _items().where(filed.c.collection_id == collection_id, _seen(viewer))
        if before is not None:
            query = query.where(filed.c.number < before)
        if search or label:
            query = query.where(holds(search, label) | reports.holds_claim(search, label))
        return [Filed(**row) for row in self._rows(query.order_by(filed.c.number.desc()).limit(limit))]

    def file(self, collection_id: str, kind: str, item_id: str) -> bool:
        """Add a check or report to a collection. False if it is there already, or if either is deleted."""
        row = {"collection_id": collection_id, "kind": kind, "item_id": item_id}
        exists = sa.select(table.c.id).where(table.c.id == collection_id, visible(table, None))
        try:
            with self.engine.begin() as connection:
                if connection.execute(exists).first() is None:
                    return False
                connection.execute(sa.insert(filed).values(**row, added=now()))
        except sa.exc.IntegrityError:
            return False
        return True

    def take_out(self, collection_id: str, kind: str, item_id: str) -> bool:
        """Remove an item. False if the collection does not contain it."""
        row = {"collection_id": collection_id, "kind": kind, "item_id": item_id}
        return self._write(sa.delete(filed).filter_by(**row)) > 0

    def rename(self, collection: Collection, name: str) -> None:
        """Rename a collection. Raises NameTaken."""
        with locked(self.engine, QUEUE_LOCK) as connection:
            if connection.execute(with_name(name, collection.owner).where(table.c.id != collection.id)).first():
                raise NameTaken
            renamed = sa.update(table).where(table.c.id == collection.id)
            connection.execute(renamed.values(name=name, folded=fold(name)))

    def delete(self, collection_id: str) -> None:
        """Delete a collection. Its checks and reports stay."""
        self._write(sa.delete(table).where(table.c.id == collection_id))

    def _collections(self, condition: sa.ColumnElement[bool]) -> list[Collection]:
        columns = [c for c in table.c if c.name not in ("folded", "deleted")]
        query = sa.select(*columns).where(condition, visible(table, None)).order_by(table.c.folded, table.c.created)
        return [Collection(**row) for row in self._rows(query)]

    def _counted(self, found: Sequence[Collection], viewer: Account | None) -> list[Collection]:
        query = sa.select(filed.c.collection_id, filed.c.kind, sa.func.count().label("many")).select_from(_joined())
        query = query.where(_seen(viewer), filed.c.collection_id.in_([collection.id for collection in found]))
        rows = self._rows(query.group_by(filed.c.collection_id, filed.c.kind))
        counts: dict[str, dict[str, Any]] = {}
        for row in rows:
            counts.setdefault(row["collection_id"], {})[f"{row['kind']}s"] = row["many"]
        return [replace(collection, **counts.get(collection.id, {})) for collection in found]


def with_name(name: str, owner: str | None) -> sa.Select[Any]:
    """The id of the owner's collection with this name, ignoring case."""
    theirs = sa.func.coalesce(table.c.owner, "") == (owner or "")
    return sa.select(table.c.id).where(table.c.folded == fold(name), theirs, visible(table, None))


def _joined() -> sa.FromClause:
    """Items joined with their check or report."""
    with_checks = filed.outerjoin(checks, checks.c.id == filed.c.check_id)
    return with_checks.outerjoin(reports.table, reports.table.c.id == filed.c.report_id)


def _seen(viewer: Account | None) -> sa.ColumnElement[bool]:
    """Whether the viewer may see the item."""
    return sa.or_(*(item.c.id.is_not(None) & visible(item, viewer) for item in (checks, reports.table)))


def _items() -> sa.Select[Any]:
    both = ((checks.c.claim, "title"), (checks.c.state, "state"), (checks.c.created, "created"))
    either = [sa.func.coalesce(of_check, reports.table.c[name]).label(name) for of_check, name in both]
    of_item = [filed.c.number, filed.c.kind, filed.c.item_id.label("id"), filed.c.added, reports.table.c.total]
    of_checks = [checks.c[name] for name in ("name", *VERDICT)]
    return sa.select(*of_item, *either, *of_checks).select_from(_joined())
