"""The tables of reports and of their claims. The check of a claim is an ordinary row of the table of checks.

A report has at most `WINDOW` unfinished checks, so 2,000 claims do not fill the queue; further checks are made as these end
(`app/jobs/reports.py`). Changes that depend on each other are one transaction: when a process dies, no claim is lost or
checked twice.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.tables.checks import fold, has_label, new_row
from app.tables.checks import table as checks
from app.tables.database import QUEUE_LOCK, belongs_to, locked, metadata, now
from app.tables.decisions import decided_checks, signed_checks
from app.tables.decisions import table as decisions
from app.tables.ownership import Account, ReadingRepository, deleted_column, owner_columns, visible
from app.tables.stored_check import CANCELLED, DONE, FAILED, QUEUED, RUNNING, UNFINISHED, VERDICT, VerdictColumns
from retrieval.output.record import Json
from retrieval.text.claims import fold_claim

MOST_CLAIMS = 2_000
WINDOW = 32  # unfinished checks of a report: more than all workers run at once
BEHIND_SINGLE_CLAIMS = 1_000_000  # added to the place of a report's check, so that single claims go first
NEW_CLAIM = ("text", "original", "start", "end", "speaker", "context", "error")  # columns of a claim without a check
DELETED = "This check was deleted."

table = sa.Table(
    "reports",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.String(32), nullable=False, unique=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("folded", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("recipe", sa.String(64), nullable=False),
    sa.Column("against", sa.String(120), nullable=False),
    sa.Column("made_with", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("person", sa.String(120), nullable=False),
    *owner_columns(),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("finished", sa.String(32), nullable=False),
    *deleted_column("reports"),
    sqlite_autoincrement=True,
)
claims = sa.Table(
    "report_claims",
    metadata,
    sa.Column("report_id", sa.String(32), belongs_to("reports"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("folded", sa.Text, nullable=False),
    sa.Column("original", sa.Text, nullable=False),
    sa.Column("start", sa.Integer),
    sa.Column("end", sa.Integer),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("context", sa.Text, nullable=False),
    sa.Column("check_id", sa.String(32), index=True),
    sa.Column("error", sa.Text, nullable=False),
)
OF_CLAIM = (checks.c.id == claims.c.check_id) & visible(checks, None)
SUMMARY = [c for c in table.c if c.name not in ("content", "folded", "number", "deleted")]


@dataclass(frozen=True)
class ReportClaim(VerdictColumns):
    """A claim of a report, before it has a check and after. original: its sentence, from `start` to `end` in the text, if known.
    context: the text's title and the sentence before, also searched; `rows` omits it. error: why it cannot be checked,
    or why its check failed. position: from 0. state: of its check, `queued` before it has one. created, finished: of its check.
    """

    text: str
    original: str
    start: int | None = None
    end: int | None = None
    speaker: str = ""
    context: str = ""
    error: str = ""
    position: int = 0
    check_id: str | None = None
    state: str = QUEUED
    finished: str = ""
    created: str = ""

    @property
    def ended(self) -> bool:
        """Whether its check is done or has failed."""
        return self.state in (DONE, FAILED)


@dataclass(frozen=True)
class NewReport:
    """A report to start. person: whose turn its checks take. owner: the id of an account. shared: whether others may see it."""

    title: str
    content: str
    claims: Sequence[ReportClaim]
    recipe: str
    against: str = ""
    person: str = ""
    owner: str | None = None
    shared: bool = False


@dataclass(frozen=True)
class StoredReport:
    """A report. state: running, done or cancelled. made_with: corpus, models and settings at its start."""

    id: str
    title: str
    recipe: str
    against: str
    made_with: Json
    state: str
    total: int
    person: str
    created: str
    finished: str
    owner: str | None = None
    shared: bool | None = None
    content: str = ""


class Reports(ReadingRepository):
    """Reads and writes both tables."""

    table = table

    def add(self, new: NewReport, made_with: Json) -> str:
        """Add a report in state running; returns its id. made_with: corpus, models and settings."""
        report_id = secrets.token_hex(8)
        row: Json = {name: value for name, value in vars(new).items() if name != "claims"}
        row |= {"id": report_id, "folded": fold(new.title), "made_with": json.dumps(made_with), "state": RUNNING}
        row |= {"total": len(new.claims), "created": now(), "finished": ""}
        rows: list[Json] = []
        for position, claim in enumerate(new.claims):
            place = {"report_id": report_id, "position": position, "check_id": None}
            rows.append({name: getattr(claim, name) for name in NEW_CLAIM} | place | {"folded": fold_claim(claim.text)})
        unfit = [_failed_check(row, claim_row) for claim_row in rows if claim_row["error"]]
        with self.engine.begin() as connection:
            connection.execute(sa.insert(table).values(**row))
            connection.execute(sa.insert(claims), rows)
            if unfit:
                connection.execute(sa.insert(checks), unfit)
        return report_id

    def get(self, report_id: str) -> StoredReport | None:
        """The report with its text."""
        row = self._row(sa.select(*SUMMARY, table.c.content).where(table.c.id == report_id, visible(table, None)))
        return _report(row) if row else None

    def latest(
        self, limit: int, before: str | None = None, search: str = "", viewer: Account | None = None, label: str = ""
    ) -> list[StoredReport]:
        """Reports that the viewer may see, newest first, without their texts. before: id of a newer report. search, label: see
        `holds_claim`."""
        query = sa.select(*SUMMARY).where(visible(table, viewer))
        if search or label:
            query = query.where(holds_claim(search, label))
        return [_report(row) for row in self._newest(query, limit, before)]

    def rows(self, report_id: str) -> list[ReportClaim]:
        """The claims of a report in their current state, in order."""
        query = _rows().where(claims.c.report_id == report_id).order_by(claims.c.position)
        return [ReportClaim(**row) for row in self._rows(query)]

    def counts(self, ids: Sequence[str]) -> dict[str, dict[str, int]]:
        """Id of a report -> label that counts, or else state -> number of claims."""
        people = signed_checks(decisions.c.check_id, decisions.c.label).subquery("signed")
        shown = sa.func.coalesce(people.c.label, checks.c.label, _state()).label("shown")
        joined = _joined().outerjoin(people, people.c.check_id == checks.c.id)
        query = sa.select(claims.c.report_id, shown, sa.func.count().label("many")).select_from(joined)
        query = query.where(claims.c.report_id.in_(ids)).group_by(claims.c.report_id, shown)
        found: dict[str, dict[str, int]] = {report_id: {} for report_id in ids}
        for row in self._rows(query):
            found[row["report_id"]][row["shown"]] = row["many"]
        return found

    def holding(self, check_id: str) -> tuple[str, str, int] | None:
        """(id, title, position of the claim) of the report that a check belongs to."""
        query = sa.select(table.c.id, table.c.title, claims.c.position)
        query = query.join(claims, claims.c.report_id == table.c.id).where(claims.c.check_id == check_id)
        row = self._row(query.order_by(claims.c.position).limit(1))
        return (row["id"], row["title"], row["position"]) if row else None

    def speakers(self, check_id: str) -> list[str]:
        """The speakers of the claims that a check belongs to, in order."""
        query = sa.select(claims.c.speaker).where(claims.c.check_id == check_id, claims.c.speaker != "")
        return self._values(query.order_by(claims.c.position))

    def running(self, person: str | None = None) -> list[str]:
        """Ids of the unfinished reports, of this person or of all, oldest first."""
        whose = sa.true() if person is None else table.c.person == person
        return self._values(sa.select(table.c.id).where(table.c.state == RUNNING, whose).order_by(table.c.number))

    def of_check(self, check_id: str) -> str | None:
        """Id of the report that a check belongs to."""
        return self._value(sa.select(checks.c.report).where(checks.c.id == check_id))

    def feed(self, report_id: str) -> list[tuple[str, int]]:
        """Make checks until `WINDOW` are unfinished; returns (id, place) of the new ones. Without any, it is done."""
        with locked(self.engine, QUEUE_LOCK) as connection:
            query = sa.select(table).where(table.c.id == report_id, table.c.state == RUNNING)
            report = connection.execute(query).mappings().first()
            if report is None:
                return []
            room = WINDOW - _unfinished(connection, checks.c.id.in_(checks_of(report_id)))
            new = _make_checks(connection, report, room) if room > 0 else []
            if not new and room == WINDOW:
                connection.execute(sa.update(table).where(table.c.id == report_id).values(state=DONE, finished=now()))
            return new

    def cancel(self, report_id: str) -> list[str]:
        """Stop a report, deleting its unfinished checks; returns their ids."""
        with locked(self.engine, QUEUE_LOCK) as connection:
            stopped = sa.update(table).where(table.c.id == report_id, table.c.state == RUNNING)
            if connection.execute(stopped.values(state=CANCELLED, finished=now())).rowcount == 0:
                return []
            return _give_up(connection, report_id, UNFINISHED)

    def resume(self, report_id: str, but: sa.Select[Any]) -> list[str]:
        """Set a report running again, deleting its unfinished and failed checks; returns their ids. but: ids not to delete."""
        with locked(self.engine, QUEUE_LOCK) as connection:
            again = sa.update(table).where(table.c.id == report_id, table.c.state != RUNNING)
            if connection.execute(again.values(state=RUNNING, finished="")).rowcount == 0:
                return []
            return _give_up(connection, report_id, (*UNFINISHED, FAILED, CANCELLED), but)

    def share(self, report_id: str, shared: bool) -> None:
        """Share a report and its checks with everybody who has an account, or make them private."""
        with locked(self.engine, QUEUE_LOCK) as connection:  # so that no check is created meanwhile
            connection.execute(sa.update(table).where(table.c.id == report_id).values(shared=shared))
            connection.execute(sa.update(checks).where(checks.c.report == report_id).values(shared=shared))

    def rename(self, report_id: str, title: str) -> bool:
        """Rename a report."""
        renamed = sa.update(table).where(table.c.id == report_id).values(title=title, folded=fold(title))
        return self._write(renamed) > 0

    def delete(self, report_id: str) -> list[str]:
        """Delete a report with its claims and checks; returns the ids of the checks."""
        with locked(self.engine, QUEUE_LOCK) as connection:  # so that none is created meanwhile
            ids = list(connection.execute(sa.select(checks.c.id).where(checks.c.report == report_id)).scalars())
            connection.execute(sa.delete(table).where(table.c.id == report_id))
            return ids


def checks_of(report_id: str) -> sa.Select[Any]:
    """Ids of the checks of a report."""
    return sa.select(claims.c.check_id).where(claims.c.report_id == report_id)


def decided_reports() -> sa.Select[Any]:
    """Ids of the reports with a check that has a decision."""
    return sa.select(claims.c.report_id).where(claims.c.check_id.in_(decided_checks()))


def holds_claim(search: str, label: str) -> sa.ColumnElement[bool]:
    """Whether a report has a claim of this label, with `search` in the claim or in the title; each may be empty."""
    matching = sa.exists().where(claims.c.report_id == table.c.id)
    if search:
        folded = (claims.c.folded, table.c.folded)
        matching = matching.where(sa.or_(*(column.contains(fold(search), autoescape=True) for column in folded)))
    if label:
        matching = matching.where(claims.c.check_id.in_(sa.select(checks.c.id).where(has_label(label)).correlate(None)))
    return matching.correlate(table)


def _make_checks(connection: sa.Connection, report: sa.RowMapping, room: int) -> list[tuple[str, int]]:
    """Make checks for the next `room` claims; claims with the same wording share one."""
    unchecked = (claims.c.report_id == report["id"], claims.c.check_id.is_(None), claims.c.error == "")
    query = sa.select(claims.c.text, claims.c.folded, claims.c.context).where(*unchecked).order_by(claims.c.position)
    place = BEHIND_SINGLE_CLAIMS + _unfinished(
        connection, checks.c.person == report["person"], checks.c.report.is_not(None)
    )
    new: list[tuple[str, int]] = []
    known: set[str] = set()
    for claim in connection.execute(query.limit(room)).all():
        if claim.folded in known:
            continue
        known.add(claim.folded)
        place += 1
        row = _new_check(report, claim.text) | {"place": place, "context": claim.context}
        connection.execute(sa.insert(checks).values(**row))
        alike = sa.update(claims).where(*unchecked, claims.c.folded == claim.folded)
        connection.execute(alike.values(check_id=row["id"]))
        new.append((row["id"], place))
    return new


def _unfinished(connection: sa.Connection, *conditions: sa.ColumnElement[bool]) -> int:
    """Number of unfinished checks that meet these conditions."""
    query = sa.select(sa.func.count()).select_from(checks).where(checks.c.state.in_(UNFINISHED), *conditions)
    return connection.execute(query).scalar_one()


def _new_check(report: sa.RowMapping | Json, claim: str) -> Json:
    """A check for a claim of a report, as `new_row` makes it."""
    whose = (report["person"], report["owner"], report["shared"])
    return new_row(claim, report["recipe"], report["against"], *whose) | {"report": report["id"]}


def _failed_check(report: Json, claim: Json) -> Json:
    """A failed check for a claim that cannot be checked, so that people can decide about it."""
    row = _new_check(report, claim["text"])
    claim["check_id"] = row["id"]
    return row | {"state": FAILED, "error": claim["error"], "finished": now()}


def _give_up(
    connection: sa.Connection, report_id: str, states: Sequence[str], but: sa.Select[Any] | None = None
) -> list[str]:
    """Delete the report's checks in these states, which stops them, and detach their claims; returns their ids. Those of claims
    that cannot be checked stay. but: ids not to delete."""
    query = sa.select(claims.c.check_id).join(checks, OF_CLAIM).distinct()
    query = query.where(claims.c.report_id == report_id, claims.c.error == "", checks.c.state.in_(states))
    if but is not None:
        query = query.where(claims.c.check_id.not_in(but))
    ids = list(connection.execute(query).scalars())
    freed = sa.update(claims).where(claims.c.report_id == report_id, claims.c.check_id.in_(ids))
    connection.execute(freed.values(check_id=None))
    connection.execute(sa.delete(checks).where(checks.c.id.in_(ids)))
    return ids


def _joined() -> sa.FromClause:
    return claims.join(table, table.c.id == claims.c.report_id).outerjoin(checks, OF_CLAIM)


def _state() -> sa.ColumnElement[str]:
    """The state of a claim: that of its check if it has one."""
    return sa.case(
        (checks.c.id.is_not(None), checks.c.state),
        ((claims.c.error != "") | claims.c.check_id.is_not(None), FAILED),
        (table.c.state == CANCELLED, CANCELLED),
        else_=QUEUED,
    )


def _rows() -> sa.Select[Any]:
    gone = sa.and_(claims.c.check_id.is_not(None), checks.c.id.is_(None))
    error = sa.case((gone, DELETED), (claims.c.error != "", claims.c.error), else_=sa.func.coalesce(checks.c.error, ""))
    of_claim = [claims.c[name] for name in ("position", "text", "original", "start", "end", "speaker", "check_id")]
    verdict = [checks.c[name] for name in VERDICT]
    moments = [sa.func.coalesce(checks.c[name], "").label(name) for name in ("finished", "created")]
    columns = (*of_claim, _state().label("state"), error.label("error"), *verdict, *moments)
    return sa.select(*columns).select_from(_joined())


def _report(row: sa.RowMapping) -> StoredReport:
    return StoredReport(**{**dict(row), "made_with": json.loads(row["made_with"])})
