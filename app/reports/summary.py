"""A report as numbers, as JSON, and as its page shows it: progress, rows, and the text with its checked sentences marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby

from flask import url_for

from app.checks.words import KINDS, ended, kind_of_verdict
from app.corpora.words import duration
from app.http.services import services
from app.reports.forms import ReportClaimForm, ReportForm
from app.tables.checks import fold
from app.tables.decisions import Decision, signed
from app.tables.ownership import open_to_all
from app.tables.reports import DELETED, ReportClaim, StoredReport, checks_of
from app.tables.stored_check import DONE, FAILED, RUNNING
from retrieval.output.headline import LABELS, headline
from retrieval.output.record import Json
from retrieval.types import Label

UNDECIDED, NO_VERDICT = "undecided", "none"
ORDER = (Label.REFUTED, Label.CONFLICTING, Label.SUPPORTED, Label.NOT_ENOUGH_EVIDENCE)
PLACE: dict[str | None, int] = {str(label): place for place, label in enumerate(ORDER)}
RECENT = 20  # latest checks from which the speed is estimated


@dataclass(frozen=True)
class Row:
    """A claim of a report, as pages and files show it. decisions: about its check, oldest first."""

    claim: ReportClaim
    decisions: Sequence[Decision] = ()

    @property
    def number(self) -> int:
        """From 1, in the order of the text."""
        return self.claim.position + 1

    @property
    def decision(self) -> Decision | None:
        """The signed decision, if there is one."""
        return signed(self.decisions)

    @property
    def author(self) -> str:
        """Who signed; empty if nobody has."""
        return self.decision.author if self.decision else ""

    @property
    def label(self) -> str | None:
        """The label that counts, a person's before the machine's."""
        return self.decision.label if self.decision else self.claim.label

    @property
    def lacks_verdict(self) -> bool:
        """Whether the claim was checked and has no verdict, neither the machine's nor a person's."""
        return self.claim.state == DONE and self.label is None

    @property
    def machine(self) -> str:
        """The machine's verdict in words, or why there is none."""
        return headline(self.claim) or ended(self.claim.state)

    @property
    def word(self) -> str:
        """The same of the verdict that counts."""
        return LABELS[self.decision.label] if self.decision else self.machine

    @property
    def kind(self) -> str:
        """The class of the verdict that counts."""
        return KINDS[self.decision.label] if self.decision else kind_of_verdict(self.claim)


@dataclass(frozen=True)
class Summary:
    report: StoredReport
    rows: Sequence[Row]

    @cached_property
    def done(self) -> int:
        """Claims whose check has finished or failed."""
        return sum(row.claim.ended for row in self.rows)

    @property
    def left(self) -> int:
        """Claims still to be checked."""
        return len(self.rows) - self.done

    @cached_property
    def failed(self) -> int:
        return sum(row.claim.state == FAILED for row in self.rows)

    @cached_property
    def without(self) -> int:
        """Claims that were checked without a verdict: they are no statement, or in a language that is not judged."""
        return sum(row.lacks_verdict for row in self.rows)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Label of the machine -> number of claims."""
        return _by_label(row.claim.label for row in self.rows)

    @cached_property
    def tally(self) -> dict[str, int]:
        """Label that counts, a person's before the machine's -> number of claims."""
        return _by_label(row.label for row in self.rows)

    @cached_property
    def decided(self) -> int:
        """Claims that a person has signed."""
        return sum(row.decision is not None for row in self.rows)

    @property
    def in_words(self) -> str:
        """What files say first: how many claims were checked, with which verdicts, and how many a person has signed."""
        total, counted = self.report.total, {LABELS[label].lower(): many for label, many in self.tally.items()}
        found = [f"{many:,} {word}" for word, many in (counted | {"without a verdict": self.without}).items() if many]
        checked = f"{self.done - self.failed:,} of {total:,} claim{'s' * (total != 1)} checked"
        failed = f"; {self.failed:,} could not be checked" if self.failed else ""
        return f"{checked}{': ' if found else ''}{', '.join(found)}{failed}. {self.decided:,} signed by a person"

    @cached_property
    def checks(self) -> int:
        """Number of checks; claims with the same wording share one."""
        return len({row.claim.check_id for row in self.rows if row.claim.check_id})

    @property
    def seconds_left(self) -> int | None:
        """Estimated time left, from the speed of the latest checks since the report was last resumed; None if unknown."""
        ends = ends_since_pause([row.claim for row in self.rows])[-RECENT:]
        if self.report.state != RUNNING or len(ends) < 2:
            return None
        first, last = (datetime.fromisoformat(moment) for moment in (ends[0], ends[-1]))
        return round((last - first).total_seconds() / (len(ends) - 1) * self.left)


def _by_label(labels: Iterable[str | None]) -> dict[str, int]:
    found = Counter(labels)
    return {str(label): found[str(label)] for label in ORDER}


def ends_since_pause(rows: Sequence[ReportClaim]) -> list[str]:
    """When checks ended since the report was last started or resumed, in order.

    A running report always has unfinished checks, and stopping deletes them. So a moment without any marks the pause.
    """
    begun = min((row.created for row in rows if row.created and not row.finished), default="")
    ends: list[str] = []
    for finished, created in sorted(((row.finished, row.created) for row in rows if row.state == DONE), reverse=True):
        if begun > finished:
            break
        begun = min(begun or created, created)
        ends.append(finished)
    return ends[::-1]


def summarize(report: StoredReport) -> Summary:
    """The report with its claims and the decisions about them, as they are now."""
    decisions = services().decisions.of(checks_of(report.id))
    return Summary(
        report, [Row(claim, decisions.get(claim.check_id or "", ())) for claim in services().reports.rows(report.id)]
    )


def report_as_json(report: StoredReport, claims: bool = True) -> Json:
    summary = summarize(report)
    found = {"text": report.content, "claims": list(map(claim_form, summary.rows))} if claims else {}
    return ReportForm.of(
        report,
        summary,
        source=(report.made_with.get("origin") or {}).get("address"),
        **{name: report.made_with.get(name) for name in ("corpus", "models", "settings", "program")},
        shared=open_to_all(report),
        url=url_for("reports.report", report_id=report.id),
        **found,
    ).as_json()


def claim_form(row: Row) -> ReportClaimForm:
    return ReportClaimForm.of(row.claim, verdict=row.claim, decision=row.decision)


@dataclass(frozen=True)
class Part:
    """A piece of the report's text, with the rows of the claims found in it."""

    text: str
    rows: Sequence[Row] = ()


def sorted_rows(summary: Summary, verdict: str = "", sort: str = "", q: str = "", keep: int = 0) -> list[Row]:
    """The rows that a filter leaves. verdict: a label that counts, a state, `undecided` or `none`. sort: `text` or
    `confidence`, else refuted claims first. keep: number of a claim that no filter hides.
    """
    words = fold(q.strip())

    def wanted(row: Row) -> bool:
        if verdict == UNDECIDED:
            fits = row.decision is None
        elif verdict == NO_VERDICT:
            fits = row.lacks_verdict
        else:
            fits = not verdict or verdict in (row.label, row.claim.state)
        return row.number == keep or (fits and words in fold(row.claim.text))

    rows = list(filter(wanted, summary.rows))
    if sort == "confidence":
        rows.sort(key=lambda row: row.claim.confidence if row.claim.confidence is not None else 2.0)
    elif sort != "text":
        rows.sort(key=lambda row: (PLACE.get(row.label, len(ORDER)), "leans" in row.kind))
    return rows


def marked(summary: Summary) -> list[Part]:
    """The text, cut at the sentences in which claims were found; empty if there is no text."""
    content = summary.report.content
    found = [row for row in summary.rows if None not in (row.claim.start, row.claim.end)]
    placed = sorted(found, key=lambda row: (row.claim.start, row.claim.end, row.number))
    parts: list[Part] = []
    position = 0
    for (start, end), group in groupby(placed, key=lambda row: (row.claim.start or 0, row.claim.end or 0)):
        if start < position:
            continue  # overlaps the sentence before
        parts += [Part(content[position:start]), Part(content[start:end], tuple(group))]
        position = end
    return [part for part in [*parts, Part(content[position:])] if part.text]


def first_of_part(parts: Sequence[Part], number: int) -> int:
    """The number of the first claim in the part that holds this claim; 0 if no part does."""
    rows = (part.rows for part in parts if number in [row.number for row in part.rows])
    return next((found[0].number for found in rows), 0)


def next_unsigned(parts: Sequence[Part], number: int) -> int:
    """The next claim to sign: one that has ended, nobody has signed, and another check decides. After the last claim comes
    the first; this claim itself if there is no other.
    """
    rows = [row for part in parts for row in part.rows]
    at = next((place for place, row in enumerate(rows) if row.number == number), -1)
    same = {None, *(row.claim.check_id for row in rows if row.number == number)}
    left = (row.claim for row in rows[at + 1 :] + rows[:at] if row.decision is None and row.claim.ended)
    return next((one.position + 1 for one in left if one.check_id not in same and one.error != DELETED), number)


def time_left(seconds: int | None) -> str:
    """The time left in words; empty if unknown."""
    if seconds is None:
        return ""
    return "less than a minute left" if seconds < 60 else f"about {duration(60 * round(seconds / 60))} left"
