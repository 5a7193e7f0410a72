"""The pages that people read. Work starts by POST only."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import names, viewer
from app.checks import words as presentation
from app.checks.moved_on import settings_then, since_then
from app.checks.service import find_check, live_json, read_search, rename_check
from app.checks.sides import decision_parts
from app.collections.service import filing_parts
from app.http.problems import Problem
from app.http.security import is_loopback
from app.http.services import services
from app.tables import ownership, stored_check
from app.tables.collections import CHECK
from app.tables.stored_check import DONE, FAILED, LONGEST_NAME, StoredCheck
from app.texts.service import (
    looks_like_several,
)
from retrieval.llm.budget import told
from retrieval.text.typed.places import spans_in_text

blueprint = Blueprint("checks", __name__)

A_PAGE = 25


@blueprint.get("/checks/<check_id>")
def check(check_id: str) -> ResponseReturnValue:
    """The live page while the check runs, then its result, or why there is none."""
    found = find_check(check_id)
    if not found.unfinished:
        return ended_page(found)
    shown = {"check": found, "live": live_json(found), "parts": _claim_parts(found)}
    return render_template("checks/live.html", **shown, **_checked_before(found))


def ended_page(found: StoredCheck, **more: Any) -> str:
    """The result of a check, or why there is none. more: what a form on it said."""
    more = {"longest": LONGEST_NAME, **more}
    if found.state == DONE:
        shown = _result(found) | decision_parts(found) | filing_parts(CHECK, found.id)
        return render_template("checks/result.html", **(shown | more))
    decided = decision_parts(found) if found.state == FAILED else {}
    return render_template("checks/stopped.html", check=found, live=live_json(found), **(decided | more))


@blueprint.post("/checks/<check_id>/cancel")
def cancel(check_id: str) -> ResponseReturnValue:
    """Stop the check."""
    find_check(check_id, to_change=True)
    services().checks.cancel(check_id)
    return redirect(url_for("checks.check", check_id=check_id), 303)


@blueprint.post("/checks/<check_id>/delete")
def delete(check_id: str) -> ResponseReturnValue:
    """Forget one check."""
    find_check(check_id, to_change=True)
    services().jobs.delete(check_id)
    asked: dict[str, Any] = {name: request.form.get(name) or None for name in ("q", "verdict")}
    return redirect(url_for("checks.history", **asked), 303)


@blueprint.post("/checks/<check_id>/share")
def share(check_id: str) -> ResponseReturnValue:
    """With all who have an account (`shared` is 1), or with nobody."""
    find_check(check_id, to_change=True)
    ownership.share(services().checks.engine, stored_check.table, check_id, request.form.get("shared") == "1")
    return redirect(url_for("checks.check", check_id=check_id), 303)


@blueprint.post("/checks/<check_id>/name")
def rename(check_id: str) -> ResponseReturnValue:
    """Name a check; without words it has no name. A refused name comes back, still in the field."""
    found, typed = find_check(check_id, to_change=True), request.form.get("name", "")
    try:
        rename_check(found, typed)
    except Problem as problem:
        if found.unfinished:  # its page has no form that could be shown again
            raise
        page = ended_page(found, naming={"told": problem.detail, "typed": typed})
        return make_response(page, problem.status, problem.headers)
    return redirect(url_for("checks.check", check_id=check_id, _anchor="named"), 303)


@blueprint.get("/history")
def history() -> ResponseReturnValue:
    """All checks, newest first, a page at a time; `?q=` searches in claims and names, `?verdict=` for this verdict."""
    search, verdict = read_search(request.args.get("q", ""), request.args.get("verdict", ""))
    before = request.args.get("before") or None
    if before is not None:
        find_check(before)
    table = services().checks
    found = table.latest(A_PAGE + 1, before, search, viewer(), verdict)
    return render_template(
        "checks/history.html",
        checks=found[:A_PAGE],
        people=services().decisions.that_count([one.id for one in found[:A_PAGE]]),
        older=found[A_PAGE - 1].id if len(found) > A_PAGE else None,
        before=before,
        asked={"q": search or None, "verdict": verdict or None},
        total=table.count(search, viewer(), verdict),
        all=table.count(viewer=viewer()),
        may_delete_all=_may_delete_all(),
        names=names(),
    )


@blueprint.post("/history/delete")
def delete_all() -> ResponseReturnValue:
    """Forget every check."""
    if not _may_delete_all():
        raise Problem(
            403,
            "Only admins may delete everything. Delete single checks."
            if viewer()
            else "Deleting everything is turned off on a server that other machines can reach. Delete single checks.",
        )
    if request.form.get("sure") != "yes":
        raise Problem(400, "Confirm that you want to delete everything. Use the button on the history page.")
    services().jobs.delete_all()
    return redirect(url_for("checks.history"), 303)


def _may_delete_all() -> bool:
    """Admins; without accounts, everybody if the server listens on this machine only."""
    found = viewer()
    return found.is_admin if found else is_loopback(services().settings.host)


def _result(found: StoredCheck) -> dict[str, Any]:
    record = found.complete
    return {
        "check": found,
        "several": looks_like_several(found.claim),
        "held": services().jobs.reports.reports.holding(found.id) if found.report else None,
        "against": services().jobs.sources.title(found.against),
        "answers": presentation.answers(record),
        "record": record,
        "parts": presentation.claim_parts(found.claim, [*record.spans, *presentation.differing_spans(record)]),
        "pages": presentation.pages_with_evidence(record),
        "sides": presentation.both_sides(record),
        "grounding": presentation.grounding(record),
        "other_pages": presentation.pages_without_evidence(record),
        "other_sentences": presentation.sentences_not_used(record),
        "bars": presentation.timing_bars(record.timings),
        "total": sum(record.timings.values()),
        "rated": record.verdict is not None and record.verdict.rated,
        "sources": presentation.sources(record),
        "usage": told(record.calls) if record.calls else "",
        "earlier": request.args.get("earlier") == "1",
        **_checked_before(found),
        **since_then(found),
        "settings_then": settings_then(found),
        "permalink": url_for("checks.check", check_id=found.id, _external=True),
    }


def _checked_before(found: StoredCheck) -> dict[str, Any]:
    """What `before.html` shows."""
    before = services().before.find(found.claim, found.id, found.against or "", viewer())
    return {"before": before, "people": services().decisions.that_count([before.check_id] if before else [])}


def _claim_parts(found: StoredCheck) -> list[Any]:
    return presentation.claim_parts(found.claim, spans_in_text(found.latest))
