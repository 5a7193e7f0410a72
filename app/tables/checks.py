"""The table of checks: each claim, the state of its check, and its result.

A running check is written only while its row is unfinished, so cancelling or deleting the row ends the work on it. The
attempt must also be the same, so that a worker that was taken for dead can write no more.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from app.errors import Busy
from app.tables import stored_record
from app.tables.database import QUEUE_LOCK, belongs_to, locked, metadata, now, one_moment
from app.tables.decisions import signed_checks
from app.tables.decisions import table as decisions
from app.tables.ownership import Account, ReadingRepository, deleted_column, owner_columns, visible
from app.tables.stored_check import CANCELLED, DONE, FAILED, QUEUED, RUNNING, UNFINISHED, StoredCheck, from_row
from retrieval.output.record import Json
from retrieval.types import FactCheck

table = sa.Table(
    "checks",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.String(32), nullable=False, unique=True),
    sa.Column("claim", sa.Text, nullable=False),
    sa.Column("folded", sa.Text, nullable=False),
    sa.Column("recipe", sa.String(64), nullable=False),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("stages", sa.Text, nullable=False, default="[]"),
    sa.Column("record", sa.Text),
    sa.Column("partial", sa.Text),
    sa.Column("error", sa.Text, nullable=False, default=""),
    sa.Column("cache_key", sa.String(64), index=True),
    sa.Column("label", sa.String(32)),
    sa.Column("confidence", sa.Float),
    sa.Column("abstained", sa.Boolean),
    sa.Column("leans", sa.Boolean),
    sa.Column("against", sa.String(120)),
    sa.Column("person", sa.String(120)),
    sa.Column("place", sa.Integer),
    sa.Column("report", sa.String(32), belongs_to("reports"), index=True),
    *owner_columns(),
    sa.Column("context", sa.Text),
    sa.Column("name", sa.Text),
    *deleted_column("checks"),
    sa.Column("attempts", sa.Integer, nullable=False, default=0),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("finished", sa.String(32), nullable=False, default=""),
    sqlite_autoincrement=True,
)
SUMMARY = [c for c in table.c if c.name not in ("record", "partial", "deleted")]
SECONDS_BETWEEN_READS = 0.05  # of a check that somebody waits for; another process may run it


class QueueFull(Busy):
    """Too many checks are waiting."""

    def __init__(self) -> None:
        super().__init__("Too many checks are waiting already. Try again in a few seconds.", retry_after=5)


def fold(text: str) -> str:
    """The form in which claims and names are searched."""
    return unicodedata.normalize("NFKC", text).casefold()


def new_row(
    claim: str, recipe: str, against: str, person: str, owner: str | None = None, shared: bool | None = None
) -> Json:
    """A new check in state queued, without a place."""
    return {
        "id": secrets.token_hex(8),
        "claim": claim,
        "folded": fold(claim),
        "recipe": recipe,
        "against": against,
        "person": person,
        "owner": owner,
        "shared": shared,
        "state": QUEUED,
        "stages": "[]",
        "error": "",
        "attempts": 0,
        "created": now(),
        "finished": "",
    }


class Checks(ReadingRepository):
    """Reads and writes the table."""

    table = table

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(engine)
        self._stored: dict[str, set[str]] = {}  # running check -> digests of its pages in the table
        self._written, self._news = 0, threading.Condition()  # number of rows that this process has written

    def add(
        self,
        claim: str,
        recipe: str,
        queue_limit: int,
        against: str = "",
        person: str = "",
        owner: Account | None = None,
        shared: bool = False,
    ) -> str:
        """Add a check in state queued; returns its id. Raises QueueFull if `queue_limit` checks wait, or three quarters of this
        number are this person's. Its place is the number of their unfinished checks; low places go first, so that people take
        turns. against: what it reads, as `app/jobs/sources.py` names it. shared: whether others than its owner may see it."""
        row = new_row(claim, recipe, against, person, owner.id if owner else None, shared)
        queued, theirs = table.c.state == QUEUED, table.c.person == person
        counts = [sa.func.count().filter(condition) for condition in (queued, queued & theirs, theirs)]
        unfinished = sa.select(*counts).where(table.c.state.in_(UNFINISHED), table.c.report.is_(None))
        with locked(self.engine, QUEUE_LOCK) as connection:  # so that two requests cannot both take the last place
            waiting, waiting_of_person, of_person = tuple(connection.execute(unfinished).one())
            if waiting >= queue_limit or waiting_of_person >= queue_limit - queue_limit // 4:
                raise QueueFull
            connection.execute(sa.insert(table).values(**row, place=of_person + 1))
        return str(row["id"])

    def get(self, check_id: str) -> StoredCheck | None:
        """The check with its record."""
        with one_moment(self.engine) as connection:
            return _read(connection, sa.select(table).where(table.c.id == check_id, visible(table, None)))

    def earlier(self, cache_key: str, against: str = "", viewer: Account | None = None) -> str | None:
        """Id of the latest finished check with this key and `against` that the viewer may see."""
        query = sa.select(table.c.id).where(
            table.c.cache_key == cache_key, table.c.state == DONE, visible(table, viewer)
        )
        query = query.where(sa.func.coalesce(table.c.against, "") == against)
        return self._value(query.order_by(table.c.number.desc()).limit(1))

    def latest(
        self, limit: int, before: str | None = None, search: str = "", viewer: Account | None = None, label: str = ""
    ) -> list[StoredCheck]:
        """Checks, newest first, without records and without checks of reports. before: id of a newer check. search, label: see
        `holds`."""
        query = sa.select(*SUMMARY).where(_listed(viewer, search, label))
        return [from_row(row) for row in self._newest(query, limit, before)]

    def count(self, search: str = "", viewer: Account | None = None, label: str = "") -> int:
        """Number of checks that `latest` lists."""
        return self._count(table, _listed(viewer, search, label))

    def waiting_before(self, check: StoredCheck) -> int:
        """Number of checks that run, or wait in front of this one."""
        place = sa.func.coalesce(table.c.place, 0)
        earlier = sa.tuple_(place, table.c.number) < sa.tuple_(sa.literal(check.place or 0), sa.literal(check.number))
        in_front = (table.c.state == RUNNING) | ((table.c.state == QUEUED) & earlier)
        return self._count(table, table.c.id != check.id, in_front)

    def await_end(self, check_id: str, seconds: float) -> None:
        """Wait some seconds for the end of this check, and not at all if others are unfinished too."""
        unfinished = sa.select(table.c.id).where(table.c.state.in_(UNFINISHED)).limit(2)
        self._await(lambda: self._values(unfinished) != [check_id], seconds)

    def await_news(self, check_id: str, seconds: float) -> None:
        """Wait some seconds for a change of this check, and not at all if it has ended."""
        progress = sa.select(table.c.state, table.c.stages, table.c.error).where(table.c.id == check_id)
        before = self._row(progress)
        if before is not None and before["state"] in UNFINISHED:
            self._await(lambda: self._row(progress) != before, seconds)

    def _await(self, over: Callable[[], bool], seconds: float) -> None:
        """Wait until `over()`. It is called when this process has written a row, and at intervals, as others may have."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            written = self._written
            if over():
                return
            with self._news:
                self._news.wait_for(lambda: self._written != written, min(left, SECONDS_BETWEEN_READS))  # noqa: B023  # called within

    def _announce(self) -> None:
        with self._news:
            self._written += 1
            self._news.notify_all()

    def place(self, check_id: str) -> int:
        """The place of a check in the queue; low places go first."""
        return self._value(sa.select(table.c.place).where(table.c.id == check_id)) or 0

    def unfinished(self, older_than: float = 0) -> list[str]:
        """Ids of unfinished checks that are older than some seconds, oldest first."""
        query = sa.select(table.c.id).where(table.c.state.in_(UNFINISHED), table.c.created <= now(older_than))
        return self._values(query.order_by(table.c.number))

    def any_unfinished(self) -> bool:
        """Whether a check waits or runs."""
        return self._value(sa.select(table.c.id).where(table.c.state.in_(UNFINISHED)).limit(1)) is not None

    def take_up(self, check_id: str) -> StoredCheck | None:
        """Begin another attempt; returns the check with its record, None if it is deleted."""
        counted = sa.update(table).where(table.c.id == check_id).values(attempts=table.c.attempts + 1)
        with self.engine.begin() as connection:
            return _read(connection, counted.returning(*table.c))

    def wait(self, check_id: str, attempt: int, sentence: str) -> bool:
        """Note why the check waits, until it continues. Returns False if it was cancelled, deleted or taken over: stop."""
        return self._write(_unfinished(check_id, attempt).values(error=sentence)) > 0

    def write(
        self, check_id: str, attempt: int, complete: FactCheck | None, within: FactCheck | None, stages: Sequence[Json]
    ) -> bool:
        """Write the state of a running check. Returns False if it was cancelled, deleted or taken over: stop. complete: the record
        after the last complete stage; None leaves the one in the row. within: the record within a stage."""
        values = {"state": RUNNING, "error": "", "stages": json.dumps(stages)}
        records = {"partial": within} | ({"record": complete} if complete is not None else {})
        return self._write_records(check_id, attempt, records, values)

    def finish(
        self, check_id: str, attempt: int, check: FactCheck, cache_key: str | None, stages: Sequence[Json] | None = None
    ) -> bool:
        """Write the result of a check. It answers later checks with the same key."""
        verdict = check.verdict
        values = {
            "state": DONE,
            "finished": now(),
            "error": "",
            "cache_key": cache_key,
            "label": str(verdict.label) if verdict else None,
            "confidence": verdict.confidence if verdict and verdict.probabilities else None,
            "abstained": verdict.abstained if verdict else None,
            "leans": verdict.leans if verdict else None,
        }
        if stages is not None:
            values["stages"] = json.dumps(stages)
        return self._write_records(check_id, attempt, {"record": check, "partial": None}, values)

    def fail(self, check_id: str, sentence: str, attempt: int | None = None) -> bool:
        """Mark a check as failed. sentence: why, and what to do."""
        return self._end(check_id, FAILED, attempt, error=sentence)

    def cancel(self, check_id: str) -> bool:
        """Stop a check; False if it has ended."""
        return self._end(check_id, CANCELLED, error="")

    def rename(self, check: StoredCheck, name: str) -> bool:
        """Name a check, so that search finds it by its name too; an empty name removes it. False if the check is deleted."""
        folded = fold("\n".join(filter(None, (check.claim, name))))
        return self._write(sa.update(table).where(table.c.id == check.id).values(name=name or None, folded=folded)) > 0

    def delete(self, ids: Sequence[str]) -> int:
        """Delete checks, which stops those that run; returns their number."""
        return self._write(sa.delete(table).where(table.c.id.in_(ids)))

    def _end(self, check_id: str, state: str, attempt: int | None = None, **values: Any) -> bool:
        self._stored.pop(check_id, None)
        ended = self._write(_unfinished(check_id, attempt).values(state=state, finished=now(), **values)) > 0
        self._announce()
        return ended

    def _write_records(
        self, check_id: str, attempt: int, records: Mapping[str, FactCheck | None], values: Mapping[str, Any]
    ) -> bool:
        """Write records into their columns, and their new pages. False if the row is another attempt's."""
        split = {column: stored_record.split(check) for column, check in records.items() if check is not None}
        texts = {column: split[column][0] if column in split else None for column in records}
        pages = {name: page for _, found in split.values() for name, page in found.items()}
        stored = self._stored.pop(check_id, set())
        with self.engine.begin() as connection:
            changed = _unfinished(check_id, attempt).values(**texts, **values)
            if connection.execute(changed).rowcount == 0:
                return False
            if pages.keys() - stored:
                stored_record.write_pages(connection, check_id, pages)
        if values.get("state") != DONE:
            self._stored[check_id] = stored | pages.keys()
        self._announce()
        return True


def _listed(viewer: Account | None, search: str, label: str) -> sa.ColumnElement[bool]:
    return visible(table, viewer) & table.c.report.is_(None) & holds(search, label)


def holds(search: str, label: str) -> sa.ColumnElement[bool]:
    """Whether a check's claim or name contains `search`, and its label that counts is `label`; each may be empty."""
    words = table.c.folded.contains(fold(search), autoescape=True) if search else sa.true()
    return words & (has_label(label) if label else sa.true())


def has_label(label: str) -> sa.ColumnElement[bool]:
    """Whether a check's label that counts is this one: the signed one, else the machine's."""
    unsigned = (table.c.label == label) & table.c.id.not_in(signed_checks(decisions.c.check_id))
    return unsigned | table.c.id.in_(signed_checks(decisions.c.check_id).where(decisions.c.label == label))


def _unfinished(check_id: str, attempt: int | None) -> sa.Update:
    """The update of a check that has not ended; with `attempt`, only within this attempt."""
    row = sa.update(table).where(table.c.id == check_id, table.c.state.in_(UNFINISHED))
    return row if attempt is None else row.where(table.c.attempts == attempt)


def _read(connection: sa.Connection, statement: sa.Executable) -> StoredCheck | None:
    """The check that the statement returns, with its record; None if it returns none."""
    row = connection.execute(statement).mappings().first()
    if row is None:
        return None
    return replace(from_row(row), pages=stored_record.read_pages(connection, row["id"]) if row["record"] else {})
