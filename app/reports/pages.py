"""The pages of reports, and the form that signs a verdict."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import names
from app.checks.result import claim_parts, ended_page
from app.checks.service import can_be_decided, decide, find_check
from app.checks.sides import remember_author
from app.collections.service import filing_parts
from app.deletions.service import just_deleted
from app.home.service import choice_named
from app.http.paging import read_number, read_search
from app.http.problems import Problem, page_with
from app.http.routes import audited
from app.http.services import services
from app.reports.service import find_report, page_of_reports, report_title
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
    "{} decided about this claim while you did. Their decision is shown above. If yours still holds, sign again."
)


@blueprint.get("/reports")
def index() -> ResponseReturnValue:
    """All reports, newest first. `?q=` searches titles and claims, `?verdict=` finds reports with a claim of this verdict."""
    search, verdict = read_search(request.args.get("q", ""), request.args.get("verdict", ""))
    before = request.args.get("before")
    page = page_of_reports(search, verdict, before)
    return render_template(
        "reports/reports.html",
        reports=page.rows,
        counts=services().reports.counts([report.id for report in page.rows]),
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
    """A report: its text with the checked sentences marked, and a table of its claims. `?claim=` opens one beside its
    sentence, or below its row if there is no text.
    """
    asked = request.args.get("claim", "")
    number = read_number(asked)
    page = _report(report_id, number) if number or not asked else None
    # A claim without a sentence in the text has its own page; anything else that is no claim leads to a 404 there.
    return page or redirect(url_for("reports.claim", report_id=report_id, number=number))


@blueprint.get("/reports/<report_id>/claims/<int:number>")
def claim(report_id: str, number: int) -> ResponseReturnValue:
    """A claim of a report: the evidence on both sides, then the verdict, then the form that signs one."""
    return _claim(report_id, number)


@blueprint.get("/reports/<report_id>/claims/<int:number>/panel")
def panel(report_id: str, number: int) -> ResponseReturnValue:
    """The panel that `?claim=` opens, alone: a script puts it into the page."""
    found = find_report(report_id)
    row = _row(report_id, number)
    first = first_of_part(_shown(summarize(found), number)[1], number)
    return render_template("reports/panel.html", report=found, filters=_filters(), **_panel(found, first, row))


@blueprint.post("/checks/<check_id>/decision")
@audited("decided about a check")
def decide_form(check_id: str) -> ResponseReturnValue:
    """Sign a verdict; from the panel of a report, go on to the next claim that nobody has signed. If the verdict is
    refused, or somebody else signed first, show the form again as it was filled in.
    """
    check, form = find_check(check_id), request.form
    number, seen = read_number(form.get("number", "")), read_number(form.get("seen", ""))
    label = "" if form.get("label") == "none" else form.get("label", "")
    try:
        if not form.get("label"):
            raise Problem(422, "No verdict was chosen. Choose one.")
        follows = _after_signing(check_id, number)  # before `decide` changes the rows
        decide(check, label, form.get("note", ""), form.get("author", ""), seen)
    except DecidedMeanwhile as meanwhile:
        problem = Problem(409, MEANWHILE.format(meanwhile.latest.author))
    except Problem as error:
        if not can_be_decided(check):  # its page has no such form
            raise
        problem = error
    else:
        remember_author(form.get("author", ""))
        return redirect(follows, 303)
    refused = {"fault": problem.detail, "typed": {name: form.get(name, "") for name in ("label", "author", "note")}}
    page = (_report if form.get("panel") else _claim)(form["report"], number, **refused) if number else None
    return page_with(problem, lambda _: page or ended_page(check, **refused))


@blueprint.post("/reports/<report_id>/<any(cancel,resume,delete,title,share):what>")
@audited("changed a report: {what}")
def change(report_id: str, what: str) -> ResponseReturnValue:
    found = find_report(report_id, to_change=True)
    if what == "title":
        services().reports.rename(report_id, report_title(request.form.get("title", ""), found.title, ()))
    elif what == "share":
        services().reports.share(report_id, request.form.get("shared") == "1")
    elif what == "delete":
        services().retention.hide(REPORT, report_id)
        return redirect(url_for("reports.index", deleted=report_id), 303)
    else:
        (services().report_runs.cancel if what == "cancel" else services().report_runs.resume)(report_id)
    return redirect(url_for("reports.report", report_id=report_id), 303)


def _report(report_id: str, number: int = 0, **more: Any) -> str | None:
    """The page of a report, with this claim open; None if the claim has no sentence in the text. more: further values for
    the template.
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
        **(_panel(found, first, summary.rows[number - 1].claim) | more if first else {}),
        left=time_left(summary.seconds_left),
        against=services().sources.title(found.against),
        way=choice_named(found.recipe, bool(services().settings.llm_model)),
        running=found.state == RUNNING,
        finished=found.state == DONE,
        permalink=url_for("reports.report", report_id=found.id, _external=True),
        **filing_parts(REPORT, found.id),
    )


def _after_signing(check_id: str, number: int) -> str:
    """Where to go after signing: to the next claim in the panel, to the claim's page, or to the check's."""
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
    about = {**claim_parts(_row(report_id, number)), "part_of": {"id": report_id, "number": number}}
    return render_template("reports/claim.html", report=found, number=number, **(about | more))


def _row(report_id: str, number: int) -> ReportClaim:
    """The claim of a report with this number. Raises Problem 404."""
    rows = services().reports.rows(report_id)
    if not 0 < number <= len(rows):
        raise Problem(404, f"This report has {len(rows)} claims. Choose one of them.")
    return rows[number - 1]


def _panel(report: StoredReport, sentence: int, row: ReportClaim) -> dict[str, Any]:
    """Values for `panel.html`. sentence: number of the first claim in the same part."""
    number = row.position + 1
    return {"sentence": sentence, "number": number, "part_of": {"id": report.id, "number": number}, **claim_parts(row)}


def _shown(summary: Summary, number: int) -> tuple[list[Row], list[Part]]:
    """The rows of the table, and the parts in which claims open: those of the text, or each row if there is no text. Then
    no filter hides this claim.
    """
    rows = sorted_rows(summary, **_asked(), keep=0 if summary.report.content else number)
    return rows, marked(summary) if summary.report.content else [Part("", (row,)) for row in rows]


def _asked() -> dict[str, str]:
    """Filter and order of the table, from the address."""
    return {name: request.args.get(name, "") for name in ("verdict", "sort", "q")}


def _filters() -> dict[str, Any]:
    """The same for a new address, without what is empty."""
    return {name: value or None for name, value in _asked().items()}
