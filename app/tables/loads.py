"""The table of loads, which people start on the page Corpora.

A row says what to load. The process that runs loads (`app/jobs/loads/runner.py`) reads it twice a second, and so learns
when to pause or cancel.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app.tables.database import LEFT_OUT, TABLES_LOCK, Repository, locked, made_once, metadata, now

WAITING, RUNNING, PAUSING, PAUSED = "waiting", "running", "pausing", "paused"
CANCELLING, CANCELLED, FAILED, DONE = "cancelling", "cancelled", "failed", "done"
AT_WORK = (WAITING, RUNNING, PAUSING, CANCELLING)  # states in which the runner has something to do
UNFINISHED = (*AT_WORK, PAUSED, FAILED)
# Change that people may request -> the states in which they may, and the state that follows.
CHANGES = {
    "pause": ((WAITING, RUNNING), PAUSING),
    "resume": ((PAUSED, FAILED, PAUSING), WAITING),
    "cancel": ((WAITING, RUNNING, PAUSING, PAUSED, FAILED), CANCELLING),
}
LONGEST_LOAD_ERROR = 1_000  # characters

table = sa.Table(
    "loads",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.String(32), nullable=False, unique=True),
    sa.Column("home", sa.String(32), nullable=False, index=True),
    sa.Column("source", sa.String(16), nullable=False),
    sa.Column("place", sa.Text, nullable=False),
    sa.Column("wiki", sa.String(16), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("folder", sa.String(80), nullable=False),
    sa.Column("standard", sa.Boolean, nullable=False),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("progress", sa.Text, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("owner", sa.String(32)),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("changed", sa.String(32), nullable=False),
    sqlite_autoincrement=True,
    info=LEFT_OUT,  # backups have no corpora either
)


@dataclass(frozen=True)
class Load:
    """A row. source: key of a dump in `app/jobs/loads/dumps.py`. place, wiki: only for the source `other`. folder: in DATA/corpora.
    standard: whether it becomes the default. progress: as `LoadProcess` has it. error: why it failed, or what was left out."""

    id: str
    source: str
    place: str
    wiki: str
    name: str
    folder: str
    standard: bool
    state: str = WAITING
    progress: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    owner: str | None = None
    created: str = ""
    changed: str = ""


class Loads(Repository):
    """Reads and writes the loads into one folder DATA."""

    def __init__(self, engine: sa.Engine, home: str = "") -> None:
        """home: the id of DATA (`home_of`)."""
        super().__init__(engine)
        self._home = home

    def add(
        self, source: str, place: str, wiki: str, name: str, folder: str, standard: bool, owner: str | None = None
    ) -> str | None:
        """Add a load; returns its id, None if another one into this folder is unfinished."""
        row = {"source": source, "place": place, "wiki": wiki, "name": name, "folder": folder, "standard": standard}
        load_id, moment = secrets.token_hex(8), now()
        begun = {"state": WAITING, "progress": "{}", "error": "", "owner": owner, "created": moment, "changed": moment}
        with locked(self.engine, TABLES_LOCK) as connection:
            here = (table.c.home == self._home) & (table.c.folder == folder)
            same = sa.select(table.c.id).where(here, table.c.state.in_(UNFINISHED))
            if connection.execute(same).first():
                return None
            connection.execute(sa.insert(table).values(id=load_id, home=self._home, **row, **begun))
        return load_id

    def get(self, load_id: str) -> Load | None:
        """The load with this id."""
        loads = self._where(table.c.id == load_id)
        return loads[0] if loads else None

    def unfinished(self) -> list[Load]:
        """Loads that are neither done nor cancelled, oldest first."""
        return self._where(table.c.state.in_(UNFINISHED))

    def latest(self) -> Load | None:
        """The load that was completed last."""
        loads = self._where(table.c.state == DONE)
        return max(loads, key=lambda load: load.changed) if loads else None

    def next(self) -> Load | None:
        """The load that the runner deals with next: one to pause or cancel, else the oldest that runs or waits."""
        loads = self._where(table.c.state.in_(AT_WORK))
        return min(loads, key=lambda load: load.state in (RUNNING, WAITING)) if loads else None

    def ask(self, load_id: str, change: str) -> bool:
        """Request a change; returns whether the state of the load allows it. change: a key of `CHANGES`."""
        before, after = CHANGES[change]
        return self.move(load_id, before, after)

    def move(self, load_id: str, before: tuple[str, ...], after: str, error: str | None = None) -> bool:
        """Change the state of a load if it is in one of `before`; returns whether it was. error: None leaves it."""
        more = {} if error is None else {"error": error[:LONGEST_LOAD_ERROR]}
        changed = sa.update(table).where(table.c.id == load_id, table.c.state.in_(before))
        return self._write(changed.values(state=after, changed=now(), **more)) > 0

    def note(self, load_id: str, progress: dict[str, Any]) -> None:
        """Note the progress of a load."""
        changed = sa.update(table).where(table.c.id == load_id).values(progress=json.dumps(progress), changed=now())
        self._write(changed)

    def forget(self, before: str) -> None:
        """Delete loads that were done or cancelled before this moment."""
        ended = table.c.state.in_((DONE, CANCELLED)) & (table.c.changed < before)
        self._write(sa.delete(table).where(ended))

    def _where(self, condition: sa.ColumnElement[bool]) -> list[Load]:
        columns = [column for column in table.c if column.name not in ("number", "home")]
        query = sa.select(*columns).where(condition, table.c.home == self._home).order_by(table.c.number)
        return [Load(**{**row, "progress": json.loads(row["progress"])}) for row in self._rows(query)]


def home_of(data: Path) -> str:
    """The id of the folder DATA, made at the first call: processes that share DATABASE may have different folders, and a
    corpus is loaded into the folder of the process that got the request."""
    file = data / "loads" / "home"
    file.parent.mkdir(parents=True, exist_ok=True)
    return made_once(file, secrets.token_hex(8).encode()).decode()
