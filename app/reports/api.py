"""Reports over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, url_for
from flask.typing import ResponseReturnValue

from app.deletions.service import undone_at
from app.http.openapi import described
from app.http.paging import read_search
from app.http.routes import LARGEST_BODY, audited, takes
from app.http.services import services
from app.reports import forms as report_forms
from app.reports.service import begun_report, find_report, page_of_reports, report_title, start_report
from app.reports.summary import report_as_json
from app.tables.collections import REPORT
from retrieval.output.record import Json

blueprint = Blueprint("reports_api", __name__, url_prefix="/api")

REPORTS = "Reports"


@blueprint.post("/reports")
@audited("asked for a report")
@takes(LARGEST_BODY)
@described(report_forms.CreatedReport, 202, body=report_forms.NewReport, problems=(404, 429), tag=REPORTS)
def create_report(body: report_forms.NewReport) -> ResponseReturnValue:
    """Check many claims as one report."""
    return begun_report(start_report(body))


@blueprint.get("/reports")
@described(report_forms.ReportList, query=report_forms.ReportPage, problems=(400, 404), tag=REPORTS)
def list_reports(query: report_forms.ReportPage) -> Response:
    """Reports, newest first, optionally with these words and a claim of this verdict."""
    search, verdict = read_search(query.words, query.verdict or "")
    page = page_of_reports(search, verdict, query.before, query.limit)
    asked: Json = {"words": search or None, "verdict": verdict or None}
    last = page.last
    more = url_for("reports_api.list_reports", limit=query.limit, before=last.id, **asked) if last else None
    shown = [report_forms.ReportSummary.of(one, url=url_for("reports.report", report_id=one.id)) for one in page.rows]
    return jsonify(report_forms.ReportList(reports=shown, next=more).as_json())


@blueprint.get("/reports/<report_id>")
@described(report_forms.ReportForm, query=report_forms.WithClaims, problems=(404,), tag=REPORTS)
def show_report(report_id: str, query: report_forms.WithClaims) -> Response:
    """A report in its current state; with `claims=no`, without its claims and its text."""
    return jsonify(report_as_json(find_report(report_id), claims=query.claims == "yes"))


@blueprint.post("/reports/<report_id>/cancel")
@audited("changed a report: cancel")
@described(report_forms.ReportForm, problems=(403, 404, 413), tag=REPORTS)
def cancel_report(report_id: str) -> Response:
    """Stop a report; you can resume it later. A report that has ended stays as it is."""
    find_report(report_id, to_change=True)
    services().report_runs.cancel(report_id)
    return jsonify(report_as_json(find_report(report_id)))


@blueprint.post("/reports/<report_id>/resume")
@audited("changed a report: resume")
@described(report_forms.ReportForm, problems=(403, 404, 413), tag=REPORTS)
def resume_report(report_id: str) -> Response:
    """Check the remaining claims of a report, and retry those that failed."""
    find_report(report_id, to_change=True)
    services().report_runs.resume(report_id)
    return jsonify(report_as_json(find_report(report_id)))


@blueprint.patch("/reports/<report_id>")
@audited("changed a report")
@described(report_forms.ReportForm, body=report_forms.ReportChange, problems=(404,), tag=REPORTS)
def change_report(report_id: str, body: report_forms.ReportChange) -> Response:
    """Rename a report, or share it and its checks with every account, or make them private."""
    found, reports = find_report(report_id, to_change=True), services().reports
    if body.title is not None:
        reports.rename(report_id, report_title(body.title, found.title, ()))
    if body.shared is not None:
        reports.share(report_id, body.shared)
    return jsonify(report_as_json(find_report(report_id)))


@blueprint.delete("/reports/<report_id>")
@audited("changed a report: delete")
@described("The report is deleted.", 204, problems=(403, 404), tag=REPORTS)
def delete_report(report_id: str) -> Response:
    """Delete a report and its checks. For ten minutes, a POST to the address in the header `Undo` restores them."""
    find_report(report_id, to_change=True)
    services().retention.hide(REPORT, report_id)
    return undone_at(REPORT, report_id)
