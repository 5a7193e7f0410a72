"""The table of uploads: the documents that a person sent, read into one knowledge file, which is in the row.

So any worker on any machine can read it, and deleting the row deletes all of it.
"""

from __future__ import annotations

import json
import secrets
import zlib
from dataclasses import dataclass, replace

import sqlalchemy as sa

from app.tables.background import FAILED, READING, READY, BackgroundRepository, Silence
from app.tables.checks import table as checks
from app.tables.database import metadata, now
from app.tables.decisions import decided_checks
from app.tables.ownership import Account, OwnedRepository, deleted_column, owner_columns, visible
from retrieval.output.record import Json
from retrieval.stores.named import UPLOAD, parts_of

READING_SILENCE = 180.0  # seconds without a sign of life after which a reader counts as dead; longer than any reading
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
    *deleted_column("documents"),
    sqlite_autoincrement=True,
)
SUMMARY = [c for c in table.c if c.name not in ("content", "person", "deleted")]
UNDELETED = table.c.deleted.is_(None)


@dataclass(frozen=True)
class Uploaded:
    """A row without its content. files: {"file", "pages", "faults"} of each file read so far, of `total`."""

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


class Documents(BackgroundRepository, OwnedRepository):
    """Reads and writes the table."""

    table = table

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(engine)
        self._silence = Silence(engine)

    def beat(self, documents_id: str) -> bool:
        """Show that this process still reads an upload. False if it does not."""
        return documents_id in self._readings and self._change(documents_id)

    def _checked(self, found: Uploaded) -> Uploaded | None:
        """The row, marked as failed if its reader is dead; None if it has been deleted."""
        if found.state != READING or found.id in self._readings:
            return found
        if not self._silence.exceeds(READING_SILENCE, found.id, found.changed):
            return found
        latest = self._stored(found.id)  # its reader may have finished since the row was read
        if latest is None or latest.state != READING:
            return latest
        return replace(latest, state=FAILED, error=INTERRUPTED)

    def _stored(self, documents_id: str) -> Uploaded | None:
        row = self._row(sa.select(*SUMMARY).where(table.c.id == documents_id, UNDELETED))
        return _from_row(row) if row else None

    def count_of(self, person: str) -> int:
        """Number of a person's uploads, without failed ones."""
        return self._count(table, table.c.person == person, table.c.state != FAILED, UNDELETED)

    def add(self, name: str, total: int, person: str = "", owner: Account | None = None, shared: bool = False) -> str:
        """Add an upload that this process is about to read; returns its id."""
        documents_id = secrets.token_hex(8)
        self.hold(documents_id)
        row = {"id": documents_id, "name": name, "total": total, "created": now(), "changed": now()}
        whose = {"person": person, "owner": owner.id if owner else None, "shared": shared}
        self._write(sa.insert(table).values(**row, **whose))
        return documents_id

    def read_on(self, documents_id: str, files: list[Json]) -> bool:
        """Note the files read so far. False if the upload was deleted: stop."""
        return self._change(documents_id, files=json.dumps(files))

    def finish(self, documents_id: str, pages: int, content: bytes) -> bool:
        """Store the knowledge file: the upload is ready."""
        return self._change(documents_id, state=READY, pages=pages, content=zlib.compress(content))

    def fail(self, documents_id: str, sentence: str) -> bool:
        """Mark an upload as failed, with the reason."""
        return self._change(documents_id, state=FAILED, error=sentence)

    def get(self, documents_id: str) -> Uploaded | None:
        """The upload, without its content."""
        upload = self._stored(documents_id)
        return self._checked(upload) if upload else None

    def content(self, documents_id: str) -> bytes | None:
        """The knowledge file; None if the upload is deleted or not ready."""
        compressed = self._value(sa.select(table.c.content).where(table.c.id == documents_id, UNDELETED))
        return zlib.decompress(compressed) if compressed else None

    def all(self, viewer: Account | None = None) -> list[Uploaded]:
        """Uploads that the viewer may see, newest first."""
        query = sa.select(*SUMMARY).where(visible(table, viewer)).order_by(table.c.number.desc())
        return [found for row in self._rows(query) if (found := self._checked(_from_row(row)))]

    def read_by(self) -> dict[str, tuple[int, int]]:
        """Uploaded documents -> (number of checks that read them, number of these with a decision)."""
        decided = checks.c.id.in_(decided_checks()).label("decided")
        with_uploads = checks.c.against.contains(UPLOAD, autoescape=True) & checks.c.deleted.is_(None)
        counts: dict[str, tuple[int, int]] = {}
        with self.engine.connect() as connection:
            for against, is_decided in connection.execute(sa.select(checks.c.against, decided).where(with_uploads)):
                for name in set(parts_of(against)):
                    read, with_decision = counts.get(name, (0, 0))
                    counts[name] = read + 1, with_decision + is_decided
        return counts

    def older_than(self, moment: str) -> list[str]:
        """Ids of the uploads from before this moment."""
        return self._values(sa.select(table.c.id).where(table.c.created < moment))


def _from_row(row: sa.RowMapping) -> Uploaded:
    return Uploaded(**{**dict(row), "files": json.loads(row["files"])})
