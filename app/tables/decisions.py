"""The table of people's decisions about checks. Rows are only added: the last one counts, and all are shown.

A decision names the number of decisions that its author saw. If there are more, it is refused, so that nobody overrules a
decision that they never saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.tables.database import Repository, belongs_to, metadata, now
from retrieval.types import Label

table = sa.Table(
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
LONGEST_NOTE, LONGEST_AUTHOR = 4_000, 120  # characters


class CheckGone(Exception):
    """The check has been deleted."""


class DecidedMeanwhile(Exception):
    """Somebody else has decided since the author looked. latest: their decision."""

    def __init__(self, latest: Decision) -> None:
        super().__init__(latest.author)
        self.latest = latest


@dataclass(frozen=True)
class Decision:
    """A decision. turn: its number, from 1. label: empty if it withdraws the one before."""

    check_id: str
    turn: int
    label: str
    note: str
    author: str
    at: str


class Decisions(Repository):
    """Reads and writes the table."""

    def add(
        self, check_id: str, label: Label | None, note: str, author: str, person: str, seen: int | None
    ) -> Decision:
        """Add a decision. label: None withdraws the last one. seen: number of decisions that its author saw; None for any. Raises
        DecidedMeanwhile if there are more, CheckGone if the check is deleted."""
        while True:
            before = self.of_check(check_id)
            if before and seen is not None and len(before) > seen:
                raise DecidedMeanwhile(before[-1])
            new = Decision(check_id, len(before) + 1, str(label or ""), note, author, now())
            row = {name: getattr(new, name) for name in ("check_id", "turn", "label", "note", "author", "at")}
            try:
                self._write(sa.insert(table).values(**row, person=person))
                return new
            except sa.exc.IntegrityError:
                if len(self.of_check(check_id)) == len(before):
                    raise CheckGone from None
                # else another decision took this turn at the same moment: try again

    def of(self, ids: Sequence[str] | sa.Select[Any]) -> dict[str, list[Decision]]:
        """Id of a check -> its decisions, oldest first; checks without any are left out."""
        columns = [c for c in table.c if c.name != "person"]
        found: dict[str, list[Decision]] = {}
        query = sa.select(*columns).where(table.c.check_id.in_(ids)).order_by(table.c.check_id, table.c.turn)
        for row in self._rows(query):
            found.setdefault(row["check_id"], []).append(Decision(**row))
        return found

    def of_check(self, check_id: str) -> list[Decision]:
        """The decisions about a check, oldest first."""
        return self.of([check_id]).get(check_id, [])

    def signed_of(self, ids: Sequence[str]) -> dict[str, Decision]:
        """Id of a check -> its signed decision; checks without one are left out."""
        counting = {check_id: signed(decisions) for check_id, decisions in self.of(ids).items()}
        return {check_id: decision for check_id, decision in counting.items() if decision}


def signed(decisions: Sequence[Decision]) -> Decision | None:
    """The decision that counts: the last, unless it withdraws the one before."""
    return decisions[-1] if decisions and decisions[-1].label else None


def decided_checks() -> sa.Select[Any]:
    """Ids of the checks with a decision."""
    return sa.select(table.c.check_id)


def signed_checks(*columns: sa.Column[Any]) -> sa.Select[Any]:
    """These columns of the last decision about each check, unless it withdraws the one before."""
    turns = table.alias("turns")
    last = sa.select(turns.c.check_id, sa.func.max(turns.c.turn)).group_by(turns.c.check_id)
    at_last = sa.tuple_(table.c.check_id, table.c.turn).in_(last)
    return sa.select(*columns).where(at_last, table.c.label != "").correlate(None)
