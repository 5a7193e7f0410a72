"""The table of people's decisions about checks. Rows are only added: the last one counts, all are shown. Each decision
says how many decisions its author had seen. If somebody else decided in the meantime, the author is told and can look
again, instead of overwriting a decision they never saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa

from app.tables.checks import now
from app.tables.reports import claims
from app.tables.stored_check import decisions as table
from app.tables.stored_check import table as checks
from retrieval.output.record import Json
from retrieval.stores.named import UPLOAD, parts_of
from retrieval.types import Label

LONGEST_NOTE, LONGEST_NAME = 4_000, 120


class CheckGone(Exception):
    """There is no check to decide about."""


class DecidedMeanwhile(Exception):
    """Somebody else has decided since the author looked; `latest` is their decision."""

    def __init__(self, latest: Decision) -> None:
        super().__init__(latest.author)
        self.latest = latest


@dataclass(frozen=True)
class Decision:
    """turn: from 1. label: empty if an earlier decision was withdrawn."""

    check_id: str
    turn: int
    label: str
    note: str
    author: str
    at: str

    def as_json(self) -> Json:
        """The public form."""
        return {"label": self.label or None, "note": self.note, "author": self.author, "at": self.at}


class Decisions:
    """All reading and writing of the table."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    def add(
        self, check_id: str, label: Label | None, note: str, author: str, person: str, seen: int | None
    ) -> Decision:
        """Add a decision about a check. label: None withdraws the last decision. seen: number of decisions its author
        knew of; None: any. Raises DecidedMeanwhile if there are more, CheckGone if the check has been deleted.
        """
        while True:
            before = self.of_check(check_id)
            if before and seen is not None and len(before) > seen:
                raise DecidedMeanwhile(before[-1])
            new = Decision(check_id, len(before) + 1, str(label or ""), note, author, now())
            row = {name: getattr(new, name) for name in ("check_id", "turn", "label", "note", "author", "at")}
            try:
                with self.engine.begin() as connection:
                    connection.execute(sa.insert(table).values(**row, person=person))
                return new
            except sa.exc.IntegrityError:
                if len(self.of_check(check_id)) == len(before):
                    raise CheckGone from None
                # else another decision took this turn at the same moment: look again

    def of(self, ids: Sequence[str]) -> dict[str, list[Decision]]:
        """Check -> its decisions, oldest first; checks without any are left out."""
        return self._grouped(table.c.check_id.in_(ids))

    def of_check(self, check_id: str) -> list[Decision]:
        """The decisions about a check, oldest first."""
        return self.of([check_id]).get(check_id, [])

    def of_report(self, report_id: str) -> dict[str, list[Decision]]:
        """Check -> its decisions, for all checks of a report."""
        return self._grouped(table.c.check_id.in_(sa.select(claims.c.check_id).where(claims.c.report_id == report_id)))

    def of_uploads(self) -> dict[str, tuple[int, int]]:
        """Uploaded documents -> how many checks read them, and about how many of these a person has decided."""
        decided = checks.c.id.in_(decided_checks()).label("decided")
        named = checks.c.against.contains(UPLOAD, autoescape=True) & checks.c.deleted.is_(None)
        found: dict[str, tuple[int, int]] = {}
        with self.engine.connect() as connection:
            for against, about in connection.execute(sa.select(checks.c.against, decided).where(named)):
                for name in set(parts_of(against)):
                    read, with_decision = found.get(name, (0, 0))
                    found[name] = read + 1, with_decision + about
        return found

    def _grouped(self, condition: sa.ColumnElement[bool]) -> dict[str, list[Decision]]:
        columns = [c for c in table.c if c.name != "person"]
        found: dict[str, list[Decision]] = {}
        with self.engine.connect() as connection:
            query = sa.select(*columns).where(condition).order_by(table.c.check_id, table.c.turn)
            for row in connection.execute(query).mappings():
                found.setdefault(row["check_id"], []).append(Decision(**row))
        return found

    def that_count(self, ids: Sequence[str]) -> dict[str, Decision]:
        """Check -> what a person has signed about it; checks without are left out."""
        found = {check_id: signed(decisions) for check_id, decisions in self.of(ids).items()}
        return {check_id: decision for check_id, decision in found.items() if decision}


class Judged(Protocol):
    """What a table holds of a machine's verdict."""

    @property
    def label(self) -> str | None:
        """None: there is none."""

    @property
    def confidence(self) -> float | None:
        """Of that label."""

    @property
    def abstained(self) -> bool | None:
        """Whether it was not sure."""

    @property
    def leans(self) -> bool | None:
        """Whether it only leaned to its side."""


def both_verdicts(one: Judged, decision: Decision | None) -> Json:
    """`verdict`, the machine's, and `decision`, what a person signed, as each list of checks gives them."""
    verdict = {"label": one.label, "confidence": one.confidence, "abstained": bool(one.abstained)}
    verdict["leans"] = bool(one.leans)
    return {"verdict": verdict if one.label else None, "decision": decision.as_json() if decision else None}


def signed(decisions: Sequence[Decision]) -> Decision | None:
    """The decision that counts: the last one, unless it withdrew the one before."""
    return decisions[-1] if decisions and decisions[-1].label else None


def decided_checks() -> sa.Select[Any]:
    """Ids of the checks with a decision."""
    return sa.select(table.c.check_id)


def decided_reports() -> sa.Select[Any]:
    """Ids of the reports with such a check."""
    return sa.select(claims.c.report_id).where(claims.c.check_id.in_(decided_checks()))
