"""A check as a row of the table of checks (`checks.py`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property

import sqlalchemy as sa

from app.tables import stored_record
from retrieval.output.record import Json
from retrieval.types import Claim, FactCheck

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
UNFINISHED = (QUEUED, RUNNING)
STATES = (*UNFINISHED, DONE, FAILED, CANCELLED)
LONGEST_CHECK_NAME = 200  # characters


@dataclass(frozen=True, kw_only=True)
class VerdictColumns:
    """The machine's verdict in a row, see `Verdict`. label: None without a verdict. confidence: the share of the label."""

    label: str | None = None
    confidence: float | None = None
    abstained: bool | None = None
    leans: bool | None = None


VERDICT = tuple(column.name for column in fields(VerdictColumns))


@dataclass(frozen=True)
class StoredCheck(VerdictColumns):
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
        if self.record:
            return stored_record.join(self.record, self.pages)
        return FactCheck(Claim(self.id, self.claim, context=self.context or ""), self.recipe)

    @cached_property
    def latest(self) -> FactCheck:
        """The latest record, which may be from within a stage."""
        return stored_record.join(self.partial, self.pages) if self.partial else self.complete


def from_row(row: sa.RowMapping) -> StoredCheck:
    """The check of a row, without its pages."""
    return StoredCheck(
        **{name: row[name] for name in row if name not in ("deleted", "stages")}, stages=json.loads(row["stages"])
    )
