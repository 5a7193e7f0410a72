"""The table of loads: corpora that somebody asked for on the page Corpora.

A row says what is to be loaded and what is wanted of it; the process that runs loads (`app/jobs/loads/runner.py`) reads it
twice a second, so that pausing and cancelling need no other way to it.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app.tables.checks import now
from app.tables.database import LEFT_OUT, TABLES_LOCK, Repository, metadata, one_at_a_time

WAITING, RUNNING, PAUSING, PAUSED = "waiting", "running", "pausing", "paused"
CANCELLING, CANCELLED, FAILED, DONE = "cancelling", "cancelled", "failed", "done"
AT_WORK = (WAITING, RUNNING, PAUSING, CANCELLING)  # what the runner has to look at
UNFINISHED = (*AT_WORK, PAUSED, FAILED)
# What a person may ask for: the states in which they may, and the one that follows.
CHANGES = {
    "pause": ((WAITING, RUNNING), PAUSING),
    "resume": ((PAUSED, FAILED, PAUSING), WAITING),
    "cancel": ((WAITING, RUNNING, PAUSING, PAUSED, FAILED), CANCELLING),
}
LONGEST_ERROR = 1_000  # characters

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
    info=LEFT_OUT,  # they are of corpora, which are not in a backup either
)


@dataclass(frozen=True)
class Load:
    """A row. source: which kind of dump (`app/jobs/loads/dumps.py`); place, wiki: where it is and whose, if the source leaves
    that open. folder: of DATA/corpora. standard: whether checks read it by default once it is complete. progress: as
    `Runner` notes it. error: why it failed, or what was left out; a sentence.
    """

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
    """All reading and writing of the table, as far as it is about one folder of data."""

    def __init__(self, engine: sa.Engine, home: str = "") -> None:
        """home: of the loads that this process sees, see `home_of`."""
        super().__init__(engine)
        self._home = home

    def add(
        self, source: str, place: str, wiki: str, name: str, folder: str, standard: bool, owner: str | None = None
    ) -> str | None:
        """Ask for a load; returns its id, or None if one into the same folder is unfinished."""
        row = {"source": source, "place": place, "wiki": wiki, "name": name, "folder": folder, "standard": standard}
        load_id, moment = secrets.token_hex(8), now()
        begun = {"state": WAITING, "progress": "{}", "error": "", "owner": owner, "created": moment, "changed": moment}
        with self.engine.begin() as connection:
            one_at_a_time(connection, TABLES_LOCK)
            here = (table.c.home == self._home) & (table.c.folder == folder)
            same = sa.select(table.c.id).where(here, table.c.state.in_(UNFINISHED))
            if connection.execute(same).first():
                return None
            connection.execute(sa.insert(table).values(id=load_id, home=self._home, **row, **begun))
        return load_id

    def get(self, load_id: str) -> Load | None:
        """The load with this id."""
        found = self._where(table.c.id == load_id)
        return found[0] if found else None

    def unfinished(self) -> list[Load]:
        """Those that run, wait, pause or failed, the earliest first."""
        return self._where(table.c.state.in_(UNFINISHED))

    def latest(self) -> Load | None:
        """The one that was complete last."""
        found = self._where(table.c.state == DONE)
        return max(found, key=lambda load: load.changed) if found else None

    def next(self) -> Load | None:
        """What the runner has to do now: what was asked of a load first, else the earliest that runs or waits."""
        found = self._where(table.c.state.in_(AT_WORK))
        return min(found, key=lambda load: load.state in (RUNNING, WAITING)) if found else None

    def ask(self, load_id: str, change: str) -> bool:
        """Pause, resume or cancel it, if its state allows that. change: of CHANGES."""
        before, after = CHANGES[change]
        return self.move(load_id, before, after)

    def move(self, load_id: str, before: tuple[str, ...], after: str, error: str | None = None) -> bool:
        """Into another state, if it is in one of these; returns whether it was. error: None leaves it."""
        told = {} if error is None else {"error": error[:LONGEST_ERROR]}
        changed = sa.update(table).where(table.c.id == load_id, table.c.state.in_(before))
        return self._write(changed.values(state=after, changed=now(), **told)) > 0

    def note(self, load_id: str, progress: dict[str, Any]) -> None:
        """How far it is."""
        changed = sa.update(table).where(table.c.id == load_id).values(progress=json.dumps(progress), changed=now())
        self._write(changed)

    def forget(self, before: str) -> None:
        """Delete the rows of loads that ended before this moment."""
        ended = table.c.state.in_((DONE, CANCELLED)) & (table.c.changed < before)
        self._write(sa.delete(table).where(ended))

    def _where(self, condition: sa.ColumnElement[bool]) -> list[Load]:
        columns = [column for column in table.c if column.name not in ("number", "home")]
        query = sa.select(*columns).where(condition, table.c.home == self._home).order_by(table.c.number)
        return [Load(**{**row, "progress": json.loads(row["progress"])}) for row in self._rows(query)]


def home_of(data: Path) -> str:
    """A mark of the folder DATA, made at the first call: processes that share DATABASE may each have a DATA of their own,
    and a corpus is loaded where it was asked for.
    """
    file = data / "loads" / "home"
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"home.{secrets.token_hex(4)}")
    fresh.write_text(secrets.token_hex(8), "ascii")
    try:
        os.link(fresh, file)  # whole, or not there, whoever comes at the same time
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return file.read_text("ascii")
