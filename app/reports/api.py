"""Texts, reports and decisions over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request, url_for

from app.accounts.service import viewer
from app.checks import forms
from app.checks.api import live_json, read_against
from app.claim_tables.as_text import take_table_text
from app.claim_tables.pages import is_table
from app.http.openapi import described
from app.http.problems import Problem
from app.http.security import refuse_other_sites
from app.http.services import find_check, read_search, services
from app.jobs.checked_before import Earlier
from app.reports import forms as report_forms
from app.reports.service import (
    address_in,
    decide,
    find_report,
    find_text,
    report_title,
    start_report,
    take_address,
    take_text,
    take_text_file,
)
from app.reports.summary import report_as_json
from app.tables.decisions import DecidedMeanwhile, Decision, both_verdicts
from app.tables.texts import FAILED, READY, StoredText
from retrieval.output.record import Json

blueprint = Blueprint("reports_api", __name__, url_prefix="/api")
blueprint.before_request(refuse_other_sites)

TEXTS, REPORTS = "Texts", "Reports"
SHORT = 20_000  # characters whose claims are found while the request waits, except the first time
WAIT, WAIT_LONG = 15.0, 1.5  # seconds


@blueprint.post("/texts")
@described(
    report_forms.TextForm,
    (200, 202),
    body=report_forms.NewText,
    form=report_forms.NewTextFile,
    problems=(429,),
    tag=TEXTS,
)
def create_text(body: report_forms.NewText | None) -> tuple[Response, int]:
    """Find the claims of a text, of a file, of a table's column, or of the page at an address; 202 if that takes longer:
    poll the text until it is ready.
    """
    if body is not None:
        return _answer_text(_take(body), WAIT if len(body.text or "") <= SHORT else WAIT_LONG)
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "Send JSON with the text, or multipart/form-data with a file in a field named file.")
    sent = request.files.get("file")
    return _answer_text(take_table_text() if sent and is_table(sent.filename or "") else take_text_file(), WAIT)


@blueprint.get("/texts/<text_id>")
@described(report_forms.TextForm, query=report_forms.TextAsked, problems=(404, 422), tag=TEXTS)
def show_text(text_id: str, query: report_forms.TextAsked) -> Response:
    """The claims found in a text and where they were checked before, or the progress of reading it."""
    return jsonify(_as_json(find_text(text_id), read_against(query.against)))


@blueprint.delete("/texts/<text_id>")
@described("The text is gone.", 204, problems=(403, 404), tag=TEXTS)
def delete_text(text_id: str) -> tuple[str, int]:
    """Delete a text; reports made from it keep a copy."""
    find_text(text_id)
    services().texts.delete(text_id)
    return "", 204


@blueprint.post("/reports")
@described(report_forms.CreatedReport, 202, body=report_forms.NewReport, problems=(404, 429), tag=REPORTS)
def create_report(body: report_forms.NewReport) -> tuple[Response, int]:
    """Check many claims as one report."""
    report_id = start_report(body)
    response = jsonify(id=report_id, url=url_for("reports.report", report_id=report_id))
    response.headers["Location"] = url_for("reports_api.show_report", report_id=report_id)
    return response, 202


@blueprint.get("/reports")
@described(report_forms.ReportList, query=report_forms.ReportPage, problems=(400, 404), tag=REPORTS)
def list_reports(query: report_forms.ReportPage) -> Response:
    """Reports, newest first, with these words and a claim of this verdict that counts, and the address of the older ones."""
    search, verdict = read_search(query.words, query.verdict or "")
    before = query.before or None
    if before is not None:
        find_report(before)
    found = services().jobs.reports.reports.latest(query.limit + 1, before, search, viewer(), verdict)
    shown = [
        {name: getattr(report, name) for name in ("id", "title", "state", "total", "created")}
        for report in found[: query.limit]
    ]
    more = None
    if len(found) > query.limit:
        asked: Json = {"words": search or None, "verdict": verdict or None}
        more = url_for("reports_api.list_reports", limit=query.limit, before=shown[-1]["id"], **asked)
    return jsonify(reports=[{**one, "url": url_for("reports.report", report_id=one["id"])} for one in shown], next=more)


@blueprint.get("/reports/<report_id>")
@described(report_forms.ReportForm, query=report_forms.WithClaims, problems=(404,), tag=REPORTS)
def show_report(report_id: str, query: report_forms.WithClaims) -> Response:
    """The current report; without its claims and its text if they are not requested."""
    return jsonify(report_as_json(find_report(report_id), claims=query.claims == "yes"))


@blueprint.post("/reports/<report_id>/cancel")
@described(report_forms.ReportForm, problems=(403, 404, 413), tag=REPORTS)
def cancel_report(report_id: str) -> Response:
    """Stop a report; the rest can be checked later. A report that has ended stays unchanged."""
    find_report(report_id, to_change=True)
    services().jobs.reports.cancel(report_id)
    return jsonify(report_as_json(find_report(report_id)))


@blueprint.post("/reports/<report_id>/resume")
@described(report_forms.ReportForm, problems=(403, 404, 413), tag=REPORTS)
def resume_report(report_id: str) -> Response:
    """Check the rest of a report, and retry what failed."""
    find_report(report_id, to_change=True)
    services().jobs.reports.resume(report_id)
    return jsonify(report_as_json(find_report(report_id)))


@blueprint.patch("/reports/<report_id>")
@described(report_forms.ReportForm, body=report_forms.ReportChange, problems=(404,), tag=REPORTS)
def change_report(report_id: str, body: report_forms.ReportChange) -> Response:
    """Rename a report, share it and its checks with every account, or make them private."""
    found, reports = find_report(report_id, to_change=True), services().jobs.reports.reports
    if body.title is not None:
        reports.rename(report_id, report_title(body.title, found.title, ()))
    if body.shared is not None:
        reports.share(report_id, body.shared)
    return jsonify(report_as_json(find_report(report_id)))


@blueprint.delete("/reports/<report_id>")
@described("The report is gone.", 204, problems=(403, 404), tag=REPORTS)
def delete_report(report_id: str) -> tuple[str, int]:
    """Delete a report and its checks."""
    find_report(report_id, to_change=True)
    services().jobs.reports.delete(report_id)
    return "", 204


@blueprint.post("/checks/<check_id>/decision")
@described(forms.CheckForm, body=report_forms.NewDecision, problems=(404, 409), tag="Checks")
def decide_check(check_id: str, body: report_forms.NewDecision) -> Response:
    """A person's own verdict about a check that is done or has failed, else 409; the machine's stays."""
    check = find_check(check_id)
    try:
        decide(check, body.label or "", body.note or "", body.author, body.seen)
    except DecidedMeanwhile as error:
        raise Problem(
            409,
            f"{error.latest.author} decided about this claim meanwhile. Read that decision, then send yours again with "
            f'"seen": {error.latest.turn}.',
        ) from None
    return jsonify(live_json(find_check(check_id)))


def _take(body: report_forms.NewText) -> str:
    """The id of the text that is sent, or of the page whose address is."""
    if body.address is not None and body.text is not None:
        raise Problem(422, "Both a text and an address were sent. Send one of them.")
    if body.address is None and body.text is None:
        raise Problem(422, "“text” is missing. Send a text or an address.")
    address = address_in(body.text or body.address or "")
    if body.address is not None and not address:
        raise Problem(422, f"{body.address[:200]!r} is not an address of the web. Send one that begins with https://.")
    if address:
        return take_address(address, body.title or "")
    return take_text(body.text or "", body.title or "")


def _answer_text(text_id: str, wait: float) -> tuple[Response, int]:
    found = find_text(text_id, wait)
    if found.state == FAILED:
        services().texts.delete(text_id)
        raise Problem(422, found.error)
    response = jsonify(_as_json(found))
    response.headers["Location"] = url_for("reports_api.show_text", text_id=text_id)
    return response, 200 if found.state == READY else 202


def _as_json(found: StoredText, against: str = "") -> Json:
    """A text; each chosen claim with a check of the same meaning that read `against`, if there is one."""
    texts = [claim["text"] for claim in found.sentences if claim["chosen"]]
    earlier = services().before.find_all(texts, against=against, viewer=viewer())
    people = services().decisions.that_count([one.check_id for one in earlier if one])
    before = (_earlier(one, people.get(one.check_id)) if one else None for one in earlier)
    claims = [{**claim, "before": next(before) if claim["chosen"] else None} for claim in found.sentences]
    return {**found.as_json(), "claims": claims, "url": url_for("reports.review", text_id=found.id)}


def _earlier(one: Earlier, decision: Decision | None) -> Json:
    shown = {name: getattr(one, name) for name in ("claim", "against", "finished", "similarity")}
    address = url_for("pages.check", check_id=one.check_id)
    return {"id": one.check_id, **shown, **both_verdicts(one, decision), "url": address}
