"""A report as numbers and as JSON: how far it has come, what was found, what people decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from flask import url_for

from app.jobs.checks import DONE, RUNNING
from app.reports.decisions import Decision, signed
from app.reports.table import ReportClaim, StoredReport
from app.web.services import services
from retrieval.output.record import Json
from retrieval.types import Label

RECENT = 20  # checks whose ends tell how fast it goes


@dataclass(frozen=True)
class Summary:
    """A report with its rows. decisions: check -> those about it, oldest first."""

    report: StoredReport
    rows: Sequence[ReportClaim]
    decisions: Mapping[str, Sequence[Decision]]

    @cached_property
    def done(self) -> int:
        """Claims whose checks have ended, well or not."""
        return sum(row.ended for row in self.rows)

    @property
    def left(self) -> int:
        """Claims that are not checked yet."""
        return len(self.rows) - self.done

    @cached_property
    def failed(self) -> int:
        """Claims whose checks failed."""
        return sum(row.state == "failed" for row in self.rows)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Label of the machine -> how many claims."""
        found = Counter(row.label for row in self.rows if row.label)
        return {str(label): found[str(label)] for label in Label}

    @cached_property
    def decided(self) -> int:
        """Claims that a person has signed."""
        return sum(self.decision(row) is not None for row in self.rows)

    @property
    def seconds_left(self) -> int | None:
        """About how long the rest takes, by how fast the last checks ended; None where nothing tells."""
        ends = sorted(row.finished for row in self.rows if row.finished and row.state == DONE)[-RECENT:]
        if self.report.state != RUNNING or len(ends) < 2:
            return None
        first, last = (datetime.fromisoformat(moment) for moment in (ends[0], ends[-1]))
        return round((last - first).total_seconds() / (len(ends) - 1) * self.left)

    def decision(self, row: ReportClaim) -> Decision | None:
        """What a person decided about this claim, where somebody did."""
        return signed(self.decisions.get(row.check_id or "", ()))


def summarize(report: StoredReport) -> Summary:
    """The report with its rows and decisions as they stand."""
    own = services()
    rows = own.jobs.reports.reports.rows(report.id)
    return Summary(report, rows, own.decisions.of_report(report.id))


def report_as_json(report: StoredReport, claims: bool = True) -> Json:
    """The public form."""
    summary = summarize(report)
    shown: Json = {
        "id": report.id,
        "title": report.title,
        "state": report.state,
        "total": report.total,
        "done": summary.done,
        "failed": summary.failed,
        "decided": summary.decided,
        "counts": summary.counts,
        "seconds_left": summary.seconds_left,
        "recipe": report.recipe,
        "against": report.against,
        **{name: report.made_with.get(name) for name in ("corpus", "models", "settings", "program")},
        "created": report.created,
        "finished": report.finished,
        "url": url_for("reports.report", report_id=report.id),
    }
    if claims:
        shown["text"] = report.content
        shown["claims"] = [claim_as_json(row, summary.decision(row)) for row in summary.rows]
    return shown


def claim_as_json(row: ReportClaim, decision: Decision | None) -> Json:
    """A row of the report."""
    verdict = {"label": row.label, "confidence": row.confidence, "abstained": bool(row.abstained)}
    return {
        "text": row.text,
        "original": row.original,
        "start": row.start,
        "end": row.end,
        "speaker": row.speaker,
        "check_id": row.check_id,
        "state": row.state,
        "error": row.error or None,
        "verdict": verdict if row.label else None,
        "decision": decision.as_json() if decision else None,
    }
