"""A report as a file: JSON, CSV, Markdown, one HTML page, ClaimReview of the signed claims, or its sources.

Checks are read one at a time while the file is sent, so that a report of 2,000 claims is never in memory as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from flask import Blueprint, Response, current_app, render_template, stream_with_context, url_for

from app.checks.exports import ORIGIN, claim_review, csv_line, decided, review_as_text
from app.checks.exports import TYPES as CHECK_TYPES
from app.checks.service import live_json
from app.checks.sides import change, changes, named, sides
from app.checks.words import quoted
from app.folders import ROOT
from app.http.openapi import described
from app.http.problems import Problem
from app.http.routes import audited
from app.http.services import services
from app.reports.service import find_report
from app.reports.summary import Row, Summary, claim_form, marked, report_as_json, summarize
from app.tables.stored_check import DONE, StoredCheck
from retrieval.output import citations
from retrieval.output.cells import BYTE_ORDER_MARK
from retrieval.output.record import Json, check_as_json
from retrieval.types import Claim, FactCheck

blueprint = Blueprint("report_exports", __name__)

TYPES = CHECK_TYPES | {"html": "text/html; charset=utf-8"}
COLUMNS = [
    *("number", "claim", "original", "speaker", "state", "error", "verdict", "confidence", "abstained"),
    *("decision", "author", "note", "decided", "for", "for_source", "against", "against_source", "check"),
    *("one_source", *(f"for_{name}" for name in ORIGIN), *(f"against_{name}" for name in ORIGIN)),
    *("would_change", "would_change_source", *(f"would_change_{name}" for name in ORIGIN), "leans", "notes"),
]
OF_CLAIM = ("original", "speaker", "state", "error", "confidence", "abstained", "leans")
SHEETS = ("parts/style.css", "parts/report.css")


@blueprint.get("/reports/<report_id>.<any(json,csv,md,html,jsonld,csl,bib,ris):kind>")
@audited("exported a report")
@described("The report as a file.", problems=(404, 409), tag="Reports", media=tuple(TYPES.values()))
def export(report_id: str, kind: str) -> Response:
    """The report as JSON with its checks, CSV, Markdown, one HTML page, ClaimReview of its signed claims, or its sources."""
    summary = summarize(find_report(report_id))
    if kind == "jsonld" and not summary.decided:
        raise Problem(
            409, "Nobody has signed a claim of this report, so there is no review to publish. Sign one first."
        )
    written = {"json": as_json, "csv": as_csv, "md": as_markdown, "html": as_html, "jsonld": as_reviews}
    written |= dict.fromkeys(citations.FORMATS, lambda summary: as_sources(summary, kind))
    pieces = (piece.encode("utf-8", "replace") for piece in written[kind](summary))
    response = current_app.response_class(stream_with_context(pieces), content_type=TYPES[kind])
    if kind != "json":
        response.headers["Content-Disposition"] = f'attachment; filename="report-{report_id}.{kind}"'
    return response


def checked(summary: Summary) -> Iterator[tuple[Row, StoredCheck | None]]:
    """The claims in order, each with its check if that is done. A check is read when its turn comes."""
    for row in summary.rows:
        check_id = row.claim.check_id if row.claim.state == DONE else None
        yield row, services().checks.get(check_id) if check_id else None


def as_sources(summary: Summary, kind: str) -> Iterator[str]:
    """The pages cited as evidence, each once, for reference managers."""
    checks = (check for _, check in checked(summary) if check)
    yield citations.FORMATS[kind][0](citations.cited_sources((check.complete, check.finished) for check in checks))


def as_json(summary: Summary) -> Iterator[str]:
    """The JSON of the HTTP interface, plus the whole check of each claim."""
    head = report_as_json(summary.report, claims=False) | {"text": summary.report.content}
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "claims": [\n'
    for number, (row, check) in enumerate(checked(summary)):
        claim = claim_form(row).as_json() | {"check": live_json(check) if check else None}
        yield (",\n" if number else "") + json.dumps(claim, ensure_ascii=False)
    yield "\n]}\n"


def as_csv(summary: Summary) -> Iterator[str]:
    """A row for each claim, with the best sentence for it and against it. Safe to open in a spreadsheet."""
    yield BYTE_ORDER_MARK + csv_line(COLUMNS)
    for row, check in checked(summary):
        claim = row.claim
        values: dict[str, object] = {name: getattr(claim, name) for name in OF_CLAIM}
        values |= {"number": row.number, "claim": claim.text, "verdict": claim.label, **decided(row.decision)}
        if check:
            values |= _found(check.complete)
        if claim.check_id:
            values["check"] = url_for("checks.check", check_id=claim.check_id, _external=True)
        yield csv_line(map(values.get, COLUMNS))


def _found(check: FactCheck) -> dict[str, object]:
    """What the check found, in its columns."""
    known = check_as_json(check)
    values: dict[str, object] = {"notes": " ".join(check.notes)}
    values |= {"one_source": check.verdict.one_source} if check.verdict else {}
    by_side = sides(check)
    for name, side in (("for", "supports"), ("against", "refutes")):
        if best := by_side[side]:
            values |= _source(known["evidence"][best[0].number - 1], name)
    if change := known.get("would_change"):
        values |= _source(change, "would_change")
    return values


def _source(evidence: Json, name: str) -> dict[str, object]:
    """A sentence and its source, in the columns that begin with `name`."""
    columns = {name: evidence["text"], f"{name}_source": evidence["title"]}
    return columns | {f"{name}_{part}": evidence[part] for part in ORIGIN}


def as_markdown(summary: Summary) -> Iterator[str]:
    """Markdown to paste into an article's notes."""
    return _document(lambda **values: render_template("reports/report.md", **values), summary)


def as_html(summary: Summary) -> Iterator[str]:
    """One self-contained page, without scripts and with its style inside."""
    sheets = "\n".join((ROOT / "static" / name).read_text("utf-8") for name in SHEETS)
    more = {"sheets": sheets, "parts": marked(summary)}
    return _document(lambda **values: render_template("reports/file.html", **values), summary, **more)


def _document(render: Callable[..., str], summary: Summary, **more: Any) -> Iterator[str]:
    """The head of a template, its part for each claim, and its foot. render: fills it in."""
    about = {"report": summary.report, "summary": summary, **more}
    about["link"] = url_for("reports.report", report_id=summary.report.id, _external=True)
    about["against"] = services().sources.title(summary.report.against)
    yield render(part="head", **about)
    for row, check in checked(summary):
        found = check.complete if check else FactCheck(Claim("", row.claim.text))
        pages = {quotation.number: page for quotation, page in quoted(found)}
        shown = {"verdict": found.verdict, "notes": found.notes, "change": change(found)}
        signed = {"decision": row.decision, "changes": changes(row.decisions)}
        yield render(part="claim", row=row, sides=sides(found), pages=pages, **shown, **signed, **about)
    yield render(part="foot", **about)


def as_reviews(summary: Summary) -> Iterator[str]:
    """ClaimReview of the signed claims."""
    yield '{"@context": "https://schema.org", "@graph": [\n'
    started = False
    for row, check in checked(summary):
        decision = row.decision
        check = check or (services().checks.get(decision.check_id) if decision else None)  # of a check that failed
        if decision and check:
            review = claim_review(check, decision, named(row.claim.speaker))
            yield (",\n" if started else "") + review_as_text(review, indent=1)
            started = True
    yield "\n]}\n"
