"""The pages from a text to its report: review, progress, result, list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import names, viewer
from app.checks.choices import choice_named
from app.checks.result import ended_page
from app.checks.service import can_be_decided, decide, find_check
from app.checks.sides import claim_parts, remember_author
from app.collections.service import filing_parts
from app.deletions.service import just_deleted
from app.http.paging import read_page, read_search
from app.http.problems import Problem
from app.http.routes import audited
from app.http.services import services
from app.reports.service import find_report, report_title
from app.reports.summary import (
    ORDER,
    Part,
    Row,
    Summary,
    first_of_part,
    marked,
    next_unsigned,
    sorted_rows,
    summarize,
    time_left,
)
from app.tables.collections import REPORT
from app.tables.decisions import DecidedMeanwhile
from app.tables.reports import ReportClaim, StoredReport
from app.tables.stored_check import DONE, RUNNING

blueprint = Blueprint("reports", __name__)

MEANWHILE = (
    "{} decided about this claim while you did, and you had not seen that. It is shown above now. If yours still holds, "
    "sign again."
)


@blueprint.get("/reports")
def index() -> ResponseReturnValue:
    """All reports, newest first; `?q=` searches in titles and claims, `?verdict=` for a claim with this verdict."""
    search, verdict = read_search(request.args.get("q", ""), request.args.get("verdict", ""))
    before = request.args.get("before") or None
    if before is not None:
        find_report(before)
    reports = services().reports
    page = read_page(lambda limit: reports.latest(limit, before, search, viewer(), verdict))
    return render_template(
        "reports/reports.html",
        reports=page.rows,
        counts=reports.counts([report.id for report in page.rows]),
        order=ORDER,
        older=page.last and page.last.id,
        search=search,
        verdict=verdict,
        before=before,
        names=names(),
        deleted=just_deleted(REPORT),
    )


@blueprint.get("/reports/<report_id>")
def report(report_id: str) -> ResponseReturnValue:
    """The current report: its text with each checked sentence marked, and a table of its claims; `?claim=` opens one
    beside its sentence, or below its row where there is no text.
    """
    asked = request.args.get("claim", "")
    number = as_number(asked)
    page = _report(report_id, number) if number or not asked else None
    # A claim that does not stand in the text has a page of its own; what is no number of one leads to a 404.
    return page or redirect(url_for("reports.claim", report_id=report_id, number=number))


@blueprint.get("/reports/<report_id>/claims/<int:number>")
def claim(report_id: str, number: int) -> ResponseReturnValue:
    """A claim of a report: first the evidence for and against it, then the verdict, then a person's own."""
    return _claim(report_id, number)


@blueprint.get("/reports/<report_id>/claims/<int:number>/panel")
def panel(report_id: str, number: int) -> ResponseReturnValue:
    """What `?claim=` of a report shows of this claim, alone: for the script that puts it there."""
    found = find_report(report_id)
    row = _rows(report_id, number)[number - 1]
    first = first_of_part(_shown(summarize(found), number)[1], number)
    return render_template("reports/panel.html", report=found, filters=_filters(), **_panel(found, first, row))


@blueprint.post("/checks/<check_id>/decision")
@audited("decided about a check")
def decide_form(check_id: str) -> ResponseReturnValue:
    """Sign a verdict; if refused, or if somebody decided meanwhile, show the form again with what was typed. In the
    panel of a report, the next claim that nobody has signed is opened then.
    """
    check, form = find_check(check_id), request.form
    number, seen = as_number(form.get("number", "")), as_number(form.get("seen", ""))
    label = "" if form.get("label") == "none" else form.get("label", "")
    try:
        if not form.get("label"):
            raise Problem(422, "No verdict was chosen. Choose one.")
        follows = _after_signing(check_id, number)  # by the rows as they were seen
        decide(check, label, form.get("note", ""), form.get("author", ""), seen)
    except DecidedMeanwhile as error:
        problem = Problem(409, MEANWHILE.format(error.latest.author))
    except Problem as refused:
        if not can_be_decided(check):  # its page has no form that could be shown again
            raise
        problem = refused
    else:
        remember_author(form.get("author", ""))
        return redirect(follows, 303)
    typed = {name: form.get(name, "") for name in ("label", "author", "note")}
    page = None
    if number and form.get("panel"):
        page = _report(form["report"], number, told=problem.detail, typed=typed)
    elif number:
        page = _claim(form["report"], number, told=problem.detail, typed=typed)
    page = page or ended_page(check, told=problem.detail, typed=typed)
    return make_response(page, problem.status, problem.headers)


@blueprint.post("/reports/<report_id>/<any(cancel,resume,delete,title,share):what>")
@audited("changed a report: {what}")
def change(report_id: str, what: str) -> ResponseReturnValue:
    """Stop a report, check the rest of it, delete it, rename it, or share it with everybody who has an account."""
    found, own = find_report(report_id, to_change=True), services()
    if what == "title":
        title = report_title(request.form.get("title", ""), found.title, ())
        own.reports.rename(report_id, title)
    elif what == "share":
        own.reports.share(report_id, request.form.get("shared") == "1")
    elif what == "delete":
        own.retention.hide(REPORT, report_id)
        return redirect(url_for("reports.index", deleted=report_id), 303)
    else:
        (own.report_runs.cancel if what == "cancel" else own.report_runs.resume)(report_id)
    return redirect(url_for("reports.report", report_id=report_id), 303)


def as_number(typed: str) -> int:
    """A number from a form or an address; 0 if it is none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else 0


def _report(report_id: str, number: int = 0, **more: Any) -> str | None:
    """The page of a report with this claim opened; None if the claim does not stand in its text. more: values for the
    template, such as an error of the form in the panel.
    """
    found = find_report(report_id)
    summary = summarize(found)
    rows, parts = _shown(summary, number)
    first = first_of_part(parts, number)
    if number and not first:
        return None
    return render_template(
        "reports/report.html",
        report=found,
        summary=summary,
        asked=_asked(),
        filters=_filters(),
        rows=rows,
        parts=parts,
        **(_panel(found, first, summary.rows[number - 1]) | more if first else {}),
        left=time_left(summary.seconds_left),
        against=services().sources.title(found.against),
        way=choice_named(found.recipe, bool(services().settings.llm_model)),
        running=found.state == RUNNING,
        finished=found.state == DONE,
        permalink=url_for("reports.report", report_id=found.id, _external=True),
        **filing_parts(REPORT, found.id),
    )


def _after_signing(check_id: str, number: int) -> str:
    """Where a signed verdict leads: to the next claim in the panel, to the claim's page, or to the check's."""
    form = request.form
    if not number:
        return url_for("checks.check", check_id=check_id, _anchor="decision")
    if not form.get("panel"):
        return url_for("reports.claim", report_id=form["report"], number=number, _anchor="decision")
    parts = _shown(summarize(find_report(form["report"])), number)[1]
    claim = next_unsigned(parts, number)
    anchor = f"sentence-{first_of_part(parts, claim)}"
    return url_for("reports.report", report_id=form["report"], **_filters(), claim=claim, _anchor=anchor)


def _claim(report_id: str, number: int, **more: Any) -> str:
    found = find_report(report_id)
    row = _rows(report_id, number)[number - 1]
    about = claim_parts(row)
    about["part_of"] = {"id": report_id, "number": number}
    return render_template("reports/claim.html", report=found, number=number, **(about | more))


def _rows(report_id: str, number: int) -> Sequence[ReportClaim]:
    """The claims of a report. Raises Problem 404 if there is none with this number."""
    rows = services().reports.rows(report_id)
    if not 0 < number <= len(rows):
        raise Problem(404, f"This report has {len(rows)} claims. Choose one of them.")
    return rows


def _panel(report: StoredReport, sentence: int, row: ReportClaim) -> dict[str, Any]:
    """What `panel.html` shows. sentence: number of the first claim of its sentence, or of its row."""
    number = row.position + 1
    return {"sentence": sentence, "number": number, "part_of": {"id": report.id, "number": number}, **claim_parts(row)}


def _shown(summary: Summary, number: int) -> tuple[list[Row], list[Part]]:
    """The rows of the table, and where claims are opened: in the text, or where there is none in the table's rows, this
    claim's always among them.
    """
    rows = sorted_rows(summary, **_asked(), keep=0 if summary.report.content else number)
    return rows, marked(summary) if summary.report.content else [Part("", (row,)) for row in rows]


def _asked() -> dict[str, str]:
    """What the table of a report shows, and in which order."""
    return {name: request.args.get(name, "") for name in ("verdict", "sort", "q")}


def _filters() -> dict[str, Any]:
    """The same for an address, which leaves out what is empty."""
    return {name: given or None for name, given in _asked().items()}
