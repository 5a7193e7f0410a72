"""A report as a reader sees it: its text with the checked sentences marked, its rows sorted and filtered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from app.jobs.checks import fold
from app.reports.summary import Summary
from app.reports.table import ReportClaim
from app.web.presentation import KINDS, LABELS, NOT_SURE, STATES
from retrieval.types import Label

UNDECIDED = "undecided"
ORDER = [str(label) for label in (Label.REFUTED, Label.CONFLICTING, Label.NOT_ENOUGH_EVIDENCE, Label.SUPPORTED)]


@dataclass(frozen=True)
class Row:
    """A claim of a report as it is shown. number: from 1, in the order of the text. kind: the tone of what counts.

    word: what is said of it, a person's verdict before the machine's. machine: the machine's, where a person has decided.
    """

    number: int
    claim: ReportClaim
    kind: str
    word: str
    machine: str
    author: str


@dataclass(frozen=True)
class Part:
    """A run of the report's text; where claims were made of it, their rows."""

    text: str
    rows: Sequence[Row] = ()


def shown(summary: Summary, claim: ReportClaim) -> Row:
    """The row of a claim."""
    machine = NOT_SURE if claim.abstained else LABELS[claim.label] if claim.label else STATES[claim.state]
    kind = "neutral" if claim.abstained else KINDS[claim.label] if claim.label else "plain"
    if decision := summary.decision(claim):
        label = decision.label
        return Row(claim.position + 1, claim, KINDS[label], LABELS[label], machine, decision.author)
    return Row(claim.position + 1, claim, kind, machine, "", "")


def sorted_rows(summary: Summary, verdict: str = "", sort: str = "", q: str = "") -> list[Row]:
    """Those that are asked for. verdict: a label, a state, or `undecided`. sort: `verdict`, `confidence`, else the text's."""
    words = fold(q.strip())
    rows = [shown(summary, claim) for claim in summary.rows if not words or words in fold(claim.text)]
    if verdict == UNDECIDED:
        rows = [row for row in rows if not row.author]
    elif verdict:
        rows = [row for row in rows if verdict in (row.claim.label, row.claim.state)]
    if sort == "verdict":
        rows.sort(key=lambda row: ORDER.index(row.claim.label) if row.claim.label in ORDER else len(ORDER))
    elif sort == "confidence":
        rows.sort(key=lambda row: row.claim.confidence if row.claim.confidence is not None else 2.0)
    return rows


def marked(summary: Summary) -> list[Part]:
    """The text cut at the sentences that claims were made of; empty where there is no text."""
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


def time_left(seconds: int | None) -> str:
    """About how long, in words; empty where nothing tells."""
    if seconds is None:
        return ""
    if seconds < 60:
        return "less than a minute left"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} minute{'s' * (minutes != 1)} left"
    return f"about {round(minutes / 60)} hours left"
