"""Deletions that can be undone: a check, report or collection is hidden at once and kept for some minutes, until retention
removes it (`app/jobs/retention.py`).
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
KINDS = (REPORT, CHECK, COLLECTION)  # a report's checks go and come back with it
MINUTES = 10  # in which a deletion can be undone
SPARE = 60  # seconds that a row is kept longer, so that nothing is removed while somebody undoes it

_SHOWN = {
    CHECK: (checks, checks.c.claim),
    REPORT: (reports.table, reports.table.c.title),
    COLLECTION: (collections.table, collections.table.c.name),
}


@dataclass(frozen=True)
class Deleted:
    """What can still be brought back. title: of a check its claim. at: when it was deleted."""

    kind: str
    id: str
    title: str
    owner: str | None
    shared: bool | None
    at: str


class Deletions(Repository):
    """Reads and writes the column `deleted` of the three tables."""

    def hide(self, kind: str, item_id: str) -> list[str]:
        """Hide it, and with a report its checks, which stop if they run; returns the ids of the checks."""
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
        """What was deleted a short while ago; None once it cannot be brought back."""
        table, title = _SHOWN[kind]
        columns = [table.c[name] for name in ("id", "owner", "shared")]
        query = sa.select(*columns, title.label("title"), table.c.deleted.label("at"))
        query = query.where(table.c.id == item_id, table.c.deleted >= now(MINUTES * 60))
        row = self._row(query)
        return Deleted(kind, **row) if row else None

    def undo(self, found: Deleted) -> None:
        """Show it again, and with a report the checks that went with it. Raises NameTaken for a collection whose name its
        owner has given to another since."""
        table, _ = _SHOWN[found.kind]
        with self.engine.begin() as connection:
            if found.kind == COLLECTION and connection.execute(collections.with_name(found.title, found.owner)).first():
                raise NameTaken
            back = sa.update(table).where(table.c.id == found.id, table.c.deleted == found.at)
            connection.execute(back.values(deleted=None))
            if found.kind == REPORT:
                own = sa.update(checks).where(checks.c.report == found.id, checks.c.deleted == found.at)
                connection.execute(own.values(deleted=None))

    def expired(self, kind: str) -> Sequence[str]:
        """Ids of what can no longer be brought back."""
        table, _ = _SHOWN[kind]
        return self._values(sa.select(table.c.id).where(table.c.deleted < now(MINUTES * 60 + SPARE)))
