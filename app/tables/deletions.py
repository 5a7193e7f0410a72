"""Deletions that can be undone: checks, reports, collections and documents are hidden for some minutes before
`app/jobs/retention.py` deletes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from app.tables import collections, documents, reports
from app.tables.checks import table as checks
from app.tables.collections import CHECK, REPORT, NameTaken
from app.tables.database import Repository, now
from app.tables.stored_check import CANCELLED, UNFINISHED
from retrieval.stores.named import UPLOAD

COLLECTION, DOCUMENTS = "collection", "documents"
# In the order of deletion: documents take reports and checks with them, reports take checks.
KINDS = (DOCUMENTS, REPORT, CHECK, COLLECTION)
MINUTES = 10  # for which a deletion can be undone
SPARE = 60  # seconds that a row stays longer, so that it is not deleted while somebody restores it

_SHOWN = {
    CHECK: (checks, checks.c.claim),
    REPORT: (reports.table, reports.table.c.title),
    COLLECTION: (collections.table, collections.table.c.name),
    DOCUMENTS: (documents.table, documents.table.c.name),
}


@dataclass(frozen=True)
class Deleted:
    """A row that can be restored. title: of a check, its claim. at: when it was deleted."""

    kind: str
    id: str
    title: str
    owner: str | None
    shared: bool | None
    at: str


class Deletions(Repository):
    """Reads and writes the column `deleted` of these tables."""

    def hide(self, kind: str, item_id: str) -> list[str]:
        """Hide a row and what belongs to it, stopping checks that run; returns the ids of the checks."""
        moment, hidden = now(), list[str]()
        with self.engine.begin() as connection:
            for table, belongs in _belonging(kind, item_id):
                change = sa.update(table).where(belongs, table.c.deleted.is_(None))
                if table is checks:
                    unfinished = change.where(checks.c.state.in_(UNFINISHED))
                    connection.execute(unfinished.values(state=CANCELLED, finished=moment))
                    hidden += connection.execute(change.values(deleted=moment).returning(checks.c.id)).scalars()
                else:
                    connection.execute(change.values(deleted=moment))
        return hidden

    def find(self, kind: str, item_id: str) -> Deleted | None:
        """The deleted row; None if it can no longer be restored."""
        table, title = _SHOWN[kind]
        columns = [table.c[name] for name in ("id", "owner", "shared")]
        query = sa.select(*columns, title.label("title"), table.c.deleted.label("at"))
        query = query.where(table.c.id == item_id, table.c.deleted >= now(MINUTES * 60))
        row = self._row(query)
        return Deleted(kind, **row) if row else None

    def undo(self, found: Deleted) -> None:
        """Show a row again, and what was hidden with it. Raises NameTaken if the owner has another collection of its name by now."""
        with self.engine.begin() as connection:
            if found.kind == COLLECTION and connection.execute(collections.with_name(found.title, found.owner)).first():
                raise NameTaken
            for table, belongs in _belonging(found.kind, found.id):
                connection.execute(sa.update(table).where(belongs, table.c.deleted == found.at).values(deleted=None))

    def expired(self, kind: str) -> Sequence[str]:
        """Ids of the rows that can no longer be restored."""
        table, _ = _SHOWN[kind]
        return self._values(sa.select(table.c.id).where(table.c.deleted < now(MINUTES * 60 + SPARE)))


def _belonging(kind: str, item_id: str) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """The row, and what is hidden with it: the checks of a report; the reports and checks that read documents."""
    table, _ = _SHOWN[kind]
    yield table, table.c.id == item_id
    if kind == REPORT:
        yield checks, checks.c.report == item_id
    for reader in (reports.table, checks) if kind == DOCUMENTS else ():
        yield reader, reader.c.against.contains(f"{UPLOAD}{item_id}", autoescape=True)
