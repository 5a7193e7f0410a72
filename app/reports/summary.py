"""A report as numbers, as JSON and as pages show it: its progress, its rows, its text with marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby

from flask import url_for

from app.checks.words import KINDS, ended, kind_of_verdict
from app.http.services import services
from app.tables.checks import fold
from app.tables.decisions import Decision, both_verdicts, signed
from app.tables.ownership import open_to_all
from app.tables.reports import DELETED, ReportClaim, StoredReport
from app.tables.stored_check import DONE, FAILED, RUNNING
from retrieval.output.headline import LABELS, headline
from retrieval.output.record import Json
from retrieval.types import Label

UNDECIDED, NO_VERDICT = "undecided", "none"
ORDER = (Label.REFUTED, Label.CONFLICTING, Label.SUPPORTED, Label.NOT_ENOUGH_EVIDENCE)
PLACE: dict[str | None, int] = {str(label): place for place, label in enumerate(ORDER)}
RECENT = 20  # last checks from which the speed is estimated


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
        return sum(row.state == FAILED for row in self.rows)

    @cached_property
    def without(self) -> int:
        """Claims that were checked and got no verdict: what is no statement, or in a language that is not judged."""
        return sum(self.has_none(row) for row in self.rows)

    @cached_property
    def counts(self) -> dict[str, int]:
        """The machine's label -> number of claims."""
        return _by_label(row.label for row in self.rows)

    @cached_property
    def tally(self) -> dict[str, int]:
        """The label that counts, a person's before the machine's -> number of claims."""
        return _by_label(self.label(row) for row in self.rows)

    @cached_property
    def decided(self) -> int:
        """Claims that a person has signed."""
        return sum(self.decision(row) is not None for row in self.rows)

    @cached_property
    def checks(self) -> int:
        """Checks that were made for it; claims that say the same share one."""
        return len({row.check_id for row in self.rows if row.check_id})

    @property
    def seconds_left(self) -> int | None:
        """Estimated time left, from the speed of the last checks since the report was last resumed; None if unknown."""
        ends = ends_since_pause(self.rows)[-RECENT:]
        if self.report.state != RUNNING or len(ends) < 2:
            return None
        first, last = (datetime.fromisoformat(moment) for moment in (ends[0], ends[-1]))
        return round((last - first).total_seconds() / (len(ends) - 1) * self.left)

    def decision(self, row: ReportClaim) -> Decision | None:
        """A person's decision about this claim, if any."""
        return signed(self.decisions.get(row.check_id or "", ()))

    def label(self, row: ReportClaim) -> str | None:
        """The label that counts: a person's before the machine's."""
        decision = self.decision(row)
        return decision.label if decision else row.label

    def has_none(self, row: ReportClaim) -> bool:
        """Whether its check ended well and gave no verdict, and no person did."""
        return row.state == DONE and self.label(row) is None


def _by_label(labels: Iterable[str | None]) -> dict[str, int]:
    found = Counter(labels)
    return {str(label): found[str(label)] for label in ORDER}


def ends_since_pause(rows: Sequence[ReportClaim]) -> list[str]:
    """When checks ended since the last moment at which none was waiting or running, as after a stop; in order.

    A running report always has checks at work, and those that a stop gives up are made anew when it is resumed.
    """
    begun = min((row.created for row in rows if row.created and not row.finished), default="")
    since: list[str] = []
    for finished, created in sorted(((row.finished, row.created) for row in rows if row.state == DONE), reverse=True):
        if begun > finished:
            break
        begun = min(begun or created, created)
        since.append(finished)
    return since[::-1]


def summarize(report: StoredReport) -> Summary:
    """The report with its current rows and decisions."""
    rows = services().reports.rows(report.id)
    return Summary(report, rows, services().decisions.of_report(report.id))


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
        "tally": summary.tally,
        "seconds_left": summary.seconds_left,
        "source": (report.made_with.get("origin") or {}).get("address"),
        "recipe": report.recipe,
        "against": report.against,
        **{name: report.made_with.get(name) for name in ("corpus", "models", "settings", "program")},
        "shared": open_to_all(report),
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
    return {
        "text": row.text,
        "original": row.original,
        "start": row.start,
        "end": row.end,
        "speaker": row.speaker,
        "check_id": row.check_id,
        "state": row.state,
        "error": row.error or None,
        **both_verdicts(row, decision),
    }


@dataclass(frozen=True)
class Row:
    """A claim of a report as it is shown. number: from 1, in the order of the text. kind: the tone of the verdict that
    counts. word: that verdict in words, a person's before the machine's. machine: the machine's, if a person has
    decided.
    """

    number: int
    claim: ReportClaim
    kind: str
    word: str
    machine: str
    author: str


@dataclass(frozen=True)
class Part:
    """A run of the report's text, with the rows of claims made from it, if any."""

    text: str
    rows: Sequence[Row] = ()


def shown(summary: Summary, claim: ReportClaim) -> Row:
    """The row of a claim."""
    machine, kind = headline(claim) or ended(claim.state), kind_of_verdict(claim)
    if decision := summary.decision(claim):
        label = decision.label
        return Row(claim.position + 1, claim, KINDS[label], LABELS[label], machine, decision.author)
    return Row(claim.position + 1, claim, kind, machine, "", "")


def sorted_rows(summary: Summary, verdict: str = "", sort: str = "", q: str = "", keep: int = 0) -> list[Row]:
    """The requested rows. verdict: a label that counts, a state, `undecided` or `none`. sort: `text`, `confidence`, else
    what is refuted first. keep: number of a claim that is shown in any case.
    """
    words = fold(q.strip())

    def wanted(row: Row) -> bool:
        if verdict == UNDECIDED:
            fits = not row.author
        elif verdict == NO_VERDICT:
            fits = summary.has_none(row.claim)
        else:
            fits = not verdict or verdict in (summary.label(row.claim), row.claim.state)
        return row.number == keep or (fits and words in fold(row.claim.text))

    rows = list(filter(wanted, (shown(summary, claim) for claim in summary.rows)))
    if sort == "confidence":
        rows.sort(key=lambda row: row.claim.confidence if row.claim.confidence is not None else 2.0)
    elif sort != "text":
        rows.sort(key=lambda row: (PLACE.get(summary.label(row.claim), len(ORDER)), "leans" in row.kind))
    return rows


def marked(summary: Summary) -> list[Part]:
    """The text cut at the sentences that claims were made from; empty if there is no text."""
    content = summary.report.content
    placed = [claim for claim in summary.rows if claim.start is not None and claim.end is not None]
    placed.sort(key=lambda claim: (claim.start, claim.end, claim.position))
    parts: list[Part] = []
    position = 0
    for (start, end), group in groupby(placed, key=lambda claim: (claim.start or 0, claim.end or 0)):
        if start < position:
            continue  # inside another one
        rows = tuple(shown(summary, claim) for claim in group)
        parts += [Part(content[position:start]), Part(content[start:end], rows)]
        position = end
    return [part for part in [*parts, Part(content[position:])] if part.text]


def first_of_part(parts: Sequence[Part], number: int) -> int:
    """The number of the first claim of the part that has this one; 0 if none has."""
    rows = (part.rows for part in parts if number in [row.number for row in part.rows])
    return next((found[0].number for found in rows), 0)


def next_unsigned(parts: Sequence[Part], number: int) -> int:
    """The claim after this one that can be signed and is not, nor has the same check; after the last, the first. The
    same one if there is none.
    """
    rows = [row for part in parts for row in part.rows]
    at = next((place for place, row in enumerate(rows) if row.number == number), -1)
    own = {None, *(row.claim.check_id for row in rows if row.number == number)}
    left = (row.claim for row in rows[at + 1 :] + rows[:at] if not row.author and row.claim.ended)
    return next((one.position + 1 for one in left if one.check_id not in own and one.error != DELETED), number)


def time_left(seconds: int | None) -> str:
    """About how long, in words; empty if unknown."""
    if seconds is None:
        return ""
    if seconds < 60:
        return "less than a minute left"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} minute{'s' * (minutes != 1)} left"
    return f"about {round(minutes / 60)} hours left"
