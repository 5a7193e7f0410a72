"""The tables of checks and of decisions, and a check as a row.

The label that counts is the signed one, else the machine's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sqlalchemy as sa

from app.tables import stored_record
from app.tables.database import belongs_to, metadata
from app.tables.ownership import deleted_column, owner_columns
from retrieval.output.record import Json, check_as_json, evidence_as_json
from retrieval.types import Claim, FactCheck

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
UNFINISHED = (QUEUED, RUNNING)
STATES = (*UNFINISHED, DONE, FAILED, CANCELLED)
BEST_SENTENCES = 10  # of the scored sentences, in the public JSON
LONGEST_NAME = 200  # characters

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
decisions = sa.Table(
    "decisions",
    metadata,
    sa.Column("check_id", sa.String(32), belongs_to("checks"), primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("label", sa.String(32), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("author", sa.String(200), nullable=False),
    sa.Column("person", sa.String(120), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
SUMMARY = [c for c in table.c if c.name not in ("record", "partial", "deleted")]


@dataclass(frozen=True)
class StoredCheck:
    """A check. folded: claim and name, as they are searched. pages: digest -> page as JSON."""

    number: int
    id: str
    claim: str
    folded: str
    recipe: str
    state: str
    stages: list[Json]
    error: str
    cache_key: str | None
    label: str | None
    confidence: float | None
    abstained: bool | None
    leans: bool | None
    attempts: int
    created: str
    finished: str
    against: str | None = None
    person: str | None = None
    place: int | None = None
    report: str | None = None
    owner: str | None = None
    shared: bool | None = None
    context: str | None = None
    name: str | None = None
    record: str | None = None
    partial: str | None = None
    pages: Mapping[str, str] = field(default_factory=dict)

    @property
    def unfinished(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in UNFINISHED

    @cached_property
    def complete(self) -> FactCheck:
        """The record after the last complete stage."""
        return stored_record.join(self.record, self.pages) if self.record else self._empty()

    @cached_property
    def latest(self) -> FactCheck:
        """The latest record, which may be from within a stage."""
        return stored_record.join(self.partial, self.pages) if self.partial else self.complete

    def as_json(self) -> Json:
        """The public JSON of a check, with stages and the best sentences so far."""
        shown = check_as_json(self.latest, state=self.state, created=self.created, finished=self.finished)
        best = evidence_as_json(self.latest, self.latest.sentences[:BEST_SENTENCES])
        error = {"error": None, "waiting_for": self.error or None} if self.unfinished else {"error": self.error or None}
        row = {"name": self.name or "", "against": self.against or "", "stages": self.stages}
        return {**shown, "sentences": best, **row, **error}

    def _empty(self) -> FactCheck:
        return FactCheck(Claim(self.id, self.claim, context=self.context or ""), self.recipe)


def from_row(row: sa.RowMapping) -> StoredCheck:
    """The check of a row, without its pages."""
    columns = {name: value for name, value in row.items() if name != "deleted"}
    return StoredCheck(**{**columns, "stages": json.loads(row["stages"])})


def has_label(label: str) -> sa.ColumnElement[bool]:
    """Whether a check's label that counts is this one."""
    unsigned = (table.c.label == label) & table.c.id.not_in(_signed(decisions.c.check_id))
    return unsigned | table.c.id.in_(_signed(decisions.c.check_id).where(decisions.c.label == label))


def signed_labels() -> sa.Subquery:
    """`check_id` and `label` of the signed checks."""
    return _signed(decisions.c.check_id, decisions.c.label).subquery("signed")


def _signed(*columns: sa.Column[Any]) -> sa.Select[Any]:
    """The last decision about each check, unless it withdraws the one before."""
    turns = decisions.alias("turns")
    last = sa.select(turns.c.check_id, sa.func.max(turns.c.turn)).group_by(turns.c.check_id)
    at_last = sa.tuple_(decisions.c.check_id, decisions.c.turn).in_(last)
    return sa.select(*columns).where(at_last, decisions.c.label != "").correlate(None)
