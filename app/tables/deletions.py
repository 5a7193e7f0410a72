"""Deletions that can be undone: a check, report or collection is hidden for some minutes before `app/jobs/retention.py`
deletes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from app.tables import collections, reports
from app.tables.checks import now
from app.tables.collections import CHECK, REPORT, NameTaken
from app.tables.database import Repository
from app.tables.stored_check import CANCELLED, UNFINISHED
from app.tables.stored_check import table as checks

COLLECTION = "collection"
KINDS = (REPORT, CHECK, COLLECTION)  # reports first: their checks are deleted with them
MINUTES = 10  # for which a deletion can be undone
SPARE = 60  # seconds that a row stays longer, so that it is not deleted while somebody restores it

_SHOWN = {
    CHECK: (checks, checks.c.claim),
    REPORT: (reports.table, reports.table.c.title),
    COLLECTION: (collections.table, collections.table.c.name),
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
    """Reads and writes the column `deleted` of the three tables."""

    def hide(self, kind: str, item_id: str) -> list[str]:
        """Hide a row, and a report's checks with it, stopping checks that run; returns the ids of the checks."""
        moment = now()
        with self.engine.begin() as connection:
            if kind != CHECK:
                table, _ = _SHOWN[kind]
                mine = table.c.id == item_id, table.c.deleted.is_(None)
                connection.execute(sa.update(table).where(*mine).values(deleted=moment))
            if kind == COLLECTION:
                return []
            mine = (checks.c.report if kind == REPORT else checks.c.id) == item_id, checks.c.deleted.is_(None)
            stop = sa.update(checks).where(*mine, checks.c.state.in_(UNFINISHED))
            connection.execute(stop.values(state=CANCELLED, finished=moment))
            hidden = sa.update(checks).where(*mine).values(deleted=moment).returning(checks.c.id)
            return list(connection.execute(hidden).scalars())

    def find(self, kind: str, item_id: str) -> Deleted | None:
        """The deleted row; None if it can no longer be restored."""
        table, title = _SHOWN[kind]
        columns = [table.c[name] for name in ("id", "owner", "shared")]
        query = sa.select(*columns, title.label("title"), table.c.deleted.label("at"))
        query = query.where(table.c.id == item_id, table.c.deleted >= now(MINUTES * 60))
        row = self._row(query)
        return Deleted(kind, **row) if row else None

    def undo(self, found: Deleted) -> None:
        """Show a row again, and the checks that were hidden with a report. Raises NameTaken for a collection whose name its
        owner has since given to another one."""
        table, _ = _SHOWN[found.kind]
        with self.engine.begin() as connection:
            if found.kind == COLLECTION and connection.execute(collections.with_name(found.title, found.owner)).first():
                raise NameTaken
            back = sa.update(table).where(table.c.id == found.id, table.c.deleted == found.at)
            connection.execute(back.values(deleted=None))
            if found.kind == REPORT:
                hidden = sa.update(checks).where(checks.c.report == found.id, checks.c.deleted == found.at)
                connection.execute(hidden.values(deleted=None))

    def expired(self, kind: str) -> Sequence[str]:
        """Ids of the rows that can no longer be restored."""
        table, _ = _SHOWN[kind]
        return self._values(sa.select(table.c.id).where(table.c.deleted < now(MINUTES * 60 + SPARE)))
