"""The table of uploaded documents: what a person gave, read into one knowledge file that lies in the row.

In the database, because any worker of any machine may have to read it, and so that deleting the row deletes all of it.
"""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from app.tables.checks import now
from app.tables.database import metadata
from app.tables.ownership import Account, OwnedRepository, open_to_all, owner_columns, visible
from app.tables.silence import Silence
from retrieval.output.record import Json

READING, READY, FAILED = "reading", "ready", "failed"
READING_SILENCE = 180.0  # seconds without progress after which its reader counts as dead; longer than any reading takes
INTERRUPTED = "The server was stopped while it read these documents. Delete them and upload them again."

table = sa.Table(
    "documents",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.String(32), nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False, default=READING),
    sa.Column("files", sa.Text, nullable=False, default="[]"),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("pages", sa.Integer, nullable=False, default=0),
    sa.Column("content", sa.LargeBinary),
    sa.Column("error", sa.Text, nullable=False, default=""),
    sa.Column("person", sa.String(120)),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("changed", sa.String(32), nullable=False),
    *owner_columns(),
    sqlite_autoincrement=True,
)
SUMMARY = [c for c in table.c if c.name not in ("content", "person")]


@dataclass(frozen=True)
class Uploaded:
    """A row without its content. files: {"file", "pages", "faults"} of each that has been read, of `total`."""

    number: int
    id: str
    name: str
    state: str
    files: list[Json]
    total: int
    pages: int
    error: str
    created: str
    changed: str
    owner: str | None = None
    shared: bool | None = None

    def as_json(self) -> Json:
        """The public form."""
        names = ("id", "name", "state", "files", "total", "pages", "created")
        shown = {name: getattr(self, name) for name in names}
        return {**shown, "error": self.error or None, "shared": open_to_all(self)}


class Documents(OwnedRepository):
    """All reading and writing of the table."""

    table = table

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(engine)
        self._held: dict[str, Callable[[], None]] = {}  # those that this process reads, and what stops it
        self._silence = Silence(engine)

    def hold(self, documents_id: str, stop: Callable[[], None]) -> None:
        """This process reads them; it calls `stop` where they are deleted meanwhile."""
        self._held[documents_id] = stop

    def holds_any(self) -> bool:
        """Whether this process reads any."""
        return bool(self._held)

    def sign(self) -> None:
        """This process still means to read what it holds."""
        for documents_id in list(self._held):
            self._change(documents_id)

    def release(self, documents_id: str) -> None:
        """This process reads them no longer."""
        self._held.pop(documents_id, None)

    def _checked(self, found: Uploaded) -> Uploaded | None:
        """The row, as failed if its reader is gone; None if it was deleted meanwhile."""
        if found.state != READING or not self._silent(found):
            return found
        # The reader writes the outcome before releasing them, which may have been since the row was read.
        latest = self._stored(found.id)
        if latest is None or latest.state != READING:
            return latest
        return replace(latest, state=FAILED, error=INTERRUPTED)

    def _stored(self, documents_id: str) -> Uploaded | None:
        row = self._row(sa.select(*SUMMARY).where(table.c.id == documents_id))
        return _from_row(row) if row else None

    def _silent(self, found: Uploaded) -> bool:
        """Whether the process that read these documents is gone."""
        return found.id not in self._held and self._silence.exceeds(READING_SILENCE, found.id, found.changed)

    def kept(self, person: str) -> int:
        """How many of this person's are there, read or to be read; those that failed hold no place."""
        return self._count(table, table.c.person == person, table.c.state != FAILED)

    def add(self, name: str, total: int, person: str = "", owner: Account | None = None, shared: bool = False) -> str:
        """Documents that this process is about to read, until it releases them; returns their id."""
        documents_id = secrets.token_hex(8)
        self._held[documents_id] = lambda: None
        whose = {"person": person, "owner": owner.id if owner else None, "shared": shared}
        self._write(
            sa.insert(table).values(id=documents_id, name=name, total=total, **whose, created=now(), changed=now())
        )
        return documents_id

    def read_on(self, documents_id: str, files: list[Json]) -> bool:
        """What has been read so far. False: stop, they were deleted."""
        return self._change(documents_id, files=json.dumps(files))

    def finish(self, documents_id: str, pages: int, content: bytes) -> bool:
        """All is read. content: a knowledge file."""
        return self._change(documents_id, state=READY, pages=pages, content=zlib.compress(content))

    def fail(self, documents_id: str, sentence: str) -> bool:
        """Nothing of it can be used."""
        return self._change(documents_id, state=FAILED, error=sentence)

    def get(self, documents_id: str) -> Uploaded | None:
        """Without its content."""
        found = self._stored(documents_id)
        return self._checked(found) if found else None

    def content(self, documents_id: str) -> bytes | None:
        """The knowledge file; None where it was deleted or is not ready."""
        found = self._value(sa.select(table.c.content).where(table.c.id == documents_id))
        return zlib.decompress(found) if found else None

    def all(self, viewer: Account | None = None) -> list[Uploaded]:
        """Newest first. viewer: only those that they may see."""
        query = sa.select(*SUMMARY).where(visible(table, viewer)).order_by(table.c.number.desc())
        return [found for row in self._rows(query) if (found := self._checked(_from_row(row)))]

    def older_than(self, moment: str) -> list[str]:
        """Ids of those that were uploaded before this moment."""
        return self._values(sa.select(table.c.id).where(table.c.created < moment))

    def delete(self, documents_id: str) -> bool:
        """Forget them; whatever reads them stops, at once if it is this process."""
        self._held.get(documents_id, lambda: None)()
        return self._write(sa.delete(table).where(table.c.id == documents_id)) > 0

    def _change(self, documents_id: str, **values: Any) -> bool:
        row = sa.update(table).where(table.c.id == documents_id, table.c.state == READING)
        return self._write(row.values(**values, changed=now())) > 0


def _from_row(row: sa.RowMapping) -> Uploaded:
    return Uploaded(**{**dict(row), "files": json.loads(row["files"])})
