"""Checks over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from app.checks import forms, service
from app.deletions.service import undone_at
from app.http.openapi import described
from app.http.paging import read_search
from app.http.problems import Problem
from app.http.routes import audited
from app.http.services import services
from app.tables.collections import CHECK
from app.tables.decisions import DecidedMeanwhile
from retrieval.output.record import Json

blueprint = Blueprint("checks_api", __name__, url_prefix="/api")

CHECKS = "Checks"
CHANGED = {"name": "named a check", "shared": "shared a check or made it private"}  # for the audit log


@blueprint.post("/checks")
@audited("asked for a check")
@described(forms.Created, 202, body=forms.NewCheck, problems=(404, 429, 507), tag=CHECKS)
def create(body: forms.NewCheck) -> ResponseReturnValue:
    """Start a check."""
    submitted = service.submit(
        body.claim, body.recipe or "", body.fresh, service.read_against(body.against), body.shared
    )
    address = url_for("checks_api.show", check_id=submitted.id)
    return service.created(submitted).as_json(), 202, {"Location": address}


@blueprint.post("/claims/read")
@described(forms.ReadClaim, body=forms.TypedClaim, problems=(413, 415), tag=CHECKS)
def read(body: forms.TypedClaim) -> Response:
    """How a claim would be read, or why it would get no verdict. Nothing is stored or started."""
    found = services().resources.read_claim(body.claim)
    return jsonify(forms.ReadClaim.of(found, read_as=found.claim.reading, note=" ".join(found.notes)).as_json())


@blueprint.get("/checks/<check_id>")
@described(forms.CheckForm, query=forms.Watched, problems=(404,), tag=CHECKS)
def show(check_id: str, query: forms.Watched) -> Response:
    """A check in its current state; with `wait`, as soon as there is news."""
    return jsonify(service.live_json(service.find_check(check_id, wait=query.wait)))


@blueprint.post("/checks/<check_id>/cancel")
@audited("cancelled a check")
@described(forms.CheckForm, problems=(403, 404, 413, 415), tag=CHECKS)
def cancel(check_id: str) -> Response:
    """Stop a check. One that has ended stays as it is."""
    if request.content_type and not request.is_json and request.content_length:
        raise Problem(415, "Send no body, or JSON with the header Content-Type: application/json.")
    service.find_check(check_id, to_change=True)
    services().checks.cancel(check_id)
    return jsonify(service.live_json(service.find_check(check_id)))


@blueprint.patch("/checks/<check_id>")
@audited("{what}")
@described(forms.CheckForm, body=forms.CheckChange, problems=(404,), tag=CHECKS)
def change(check_id: str, body: forms.CheckChange) -> Response:
    """Name a check, or share it with every account, or make it private."""
    found = service.find_check(check_id, to_change=True)
    done = [words for field, words in CHANGED.items() if getattr(body, field) is not None]
    g.details = {"what": ", ".join(done) or "changed nothing of a check"}
    if body.name is not None:
        service.rename_check(found, body.name)
    if body.shared is not None:
        services().checks.share(check_id, body.shared)
    return jsonify(service.live_json(service.find_check(check_id)))


@blueprint.delete("/checks/<check_id>")
@audited("deleted a check")
@described("The check is deleted.", 204, problems=(403, 404), tag=CHECKS)
def delete(check_id: str) -> Response:
    """Delete a check. For ten minutes, a POST to the address in the header `Undo` restores it."""
    service.find_check(check_id, to_change=True)
    services().retention.hide(CHECK, check_id)
    return undone_at(CHECK, check_id)


@blueprint.get("/checks")
@described(forms.CheckList, query=forms.Page, problems=(400, 404), tag=CHECKS)
def index(query: forms.Page) -> Response:
    """Checks, newest first, optionally with these words and this verdict."""
    search, verdict = read_search(query.words, query.verdict or "")
    page = service.page_of_checks(search, verdict, query.before, query.limit)
    people = services().decisions.signed_of([check.id for check in page.rows])
    asked: Json = {"words": search or None, "verdict": verdict or None}
    last = page.last
    more = url_for("checks_api.index", limit=query.limit, before=last.id, **asked) if last else None
    shown = [service.summary(check, people.get(check.id)) for check in page.rows]
    return jsonify(forms.CheckList(checks=shown, next=more).as_json())


@blueprint.post("/checks/<check_id>/decision")
@audited("decided about a check")
@described(forms.CheckForm, body=forms.NewDecision, problems=(404, 409), tag=CHECKS)
def decide_check(check_id: str, body: forms.NewDecision) -> Response:
    """Sign a verdict about a check that is done or has failed, else 409. The machine's verdict stays."""
    check = service.find_check(check_id)
    try:
        service.decide(check, body.label or "", body.note or "", body.author, body.seen)
    except DecidedMeanwhile as error:
        raise Problem(
            409,
            f"{error.latest.author} decided about this claim meanwhile. Read their decision, then send yours again with "
            f'"seen": {error.latest.turn}.',
        ) from None
    return jsonify(service.live_json(service.find_check(check_id)))
