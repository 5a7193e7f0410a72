"""The JSON API (docs/interfaces.md)."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from app.jobs.checks import StoredCheck
from app.problems import Problem
from app.security import refuse_other_sites
from app.sources.opening import upload_name
from app.web.services import find_check, find_documents, services, submit, upload
from retrieval.output.record import Json

blueprint = Blueprint("api", __name__, url_prefix="/api")
blueprint.before_request(refuse_other_sites)

MOST = 100  # checks a call


@blueprint.post("/checks")
def create() -> tuple[Response, int]:
    """Start a check: {"claim", "recipe"?, "against"?, "fresh"?} -> 202, {"id", "url"}."""
    body = read_json()
    claim, recipe, fresh = body.get("claim"), body.get("recipe") or "", body.get("fresh", False)
    against = body.get("against") or ""
    if not isinstance(claim, str):
        raise Problem(422, 'The claim is missing. Send {"claim": "One sentence to be checked."}.')
    if not isinstance(recipe, str):
        raise Problem(422, 'The recipe must be a string. Send {"claim": "...", "recipe": "fast"}, or leave it out.')
    if not isinstance(fresh, bool):
        raise Problem(422, '"fresh" must be true or false. Leave it out to accept an earlier answer.')
    if not isinstance(against, str):
        raise Problem(422, '"against" must be a string such as "upload:ID". Leave it out to read the corpus.')
    submitted = submit(claim, recipe, fresh, against)
    url = url_for("pages.check", check_id=submitted.id)
    response = jsonify(id=submitted.id, url=url, earlier=submitted.earlier)
    response.headers["Location"] = url_for("api.show", check_id=submitted.id)
    return response, 202


@blueprint.get("/checks/<check_id>")
def show(check_id: str) -> Response:
    """The check as it stands."""
    return jsonify(live_json(find_check(check_id)))


@blueprint.post("/checks/<check_id>/cancel")
def cancel(check_id: str) -> Response:
    """Stop the check. One that has ended stays as it is."""
    if request.content_type and not request.is_json and request.content_length:
        raise Problem(415, "Send no body, or JSON with the header Content-Type: application/json.")
    find_check(check_id)
    services().checks.cancel(check_id)
    return jsonify(live_json(find_check(check_id)))


@blueprint.get("/checks")
def index() -> Response:
    """Newest first: {"checks": [...], "next": address of the older ones or null}."""
    limit = _limit(request.args.get("limit", "20"))
    before = request.args.get("before") or None
    if before is not None:
        find_check(before)
    found = services().checks.latest(limit + 1, before)
    shown = found[:limit]
    more = url_for("api.index", limit=limit, before=shown[-1].id) if len(found) > limit else None
    return jsonify(checks=[summary(check) for check in shown], next=more)


@blueprint.post("/documents")
def take_documents() -> tuple[Response, int]:
    """Upload documents, `multipart/form-data` with `files` and `name`?: 202, {"id", "against", "url"}."""
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "Documents must be sent as multipart/form-data, each in a field named files.")
    documents_id = upload()
    url = url_for("api.show_documents", documents_id=documents_id)
    response = jsonify(id=documents_id, against=upload_name(documents_id), url=url)
    response.headers["Location"] = url
    return response, 202


@blueprint.get("/documents")
def list_documents() -> Response:
    """Everything that can be named as `against`: {"documents": [...], "choices": [{"against", "name"}]}."""
    jobs = services().jobs
    choices = [{"against": against, "name": name} for against, name in jobs.sources.choices()]
    return jsonify(documents=[found.as_json() for found in jobs.documents.all()], choices=choices)


@blueprint.get("/documents/<documents_id>")
def show_documents(documents_id: str) -> Response:
    """How far they have been read, and what was wrong with each file."""
    return jsonify(find_documents(documents_id).as_json())


@blueprint.delete("/documents/<documents_id>")
def delete_documents(documents_id: str) -> tuple[str, int]:
    """Forget them and the checks that quote them."""
    find_documents(documents_id)
    services().jobs.delete_documents(documents_id)
    return "", 204


def read_json() -> dict[str, Any]:
    """The request's JSON object. Raises Problem 415, 400 or 413."""
    if not request.is_json:
        raise Problem(415, "The request must be JSON. Send it with the header Content-Type: application/json.")
    try:
        body = request.get_json()
    except RecursionError:
        body = None
    if not isinstance(body, dict):
        raise Problem(400, 'The request must be one JSON object. Send {"claim": "One sentence to be checked."}.')
    return body


def live_json(check: StoredCheck) -> Json:
    """The public form with what a page needs to show a running check."""
    shown = check.as_json()
    if check.unfinished:
        shown["waiting_before"] = services().checks.waiting_before(check)
    return shown


def summary(check: StoredCheck) -> Json:
    """One line of a list."""
    verdict = None
    if check.label:
        verdict = {"label": check.label, "confidence": check.confidence, "abstained": bool(check.abstained)}
    return {
        "id": check.id,
        "claim": check.claim,
        "recipe": check.recipe,
        "against": check.against or "",
        "state": check.state,
        "verdict": verdict,
        "created": check.created,
        "finished": check.finished,
        "url": url_for("pages.check", check_id=check.id),
    }


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= MOST):
        raise Problem(400, f"limit must be a whole number from 1 to {MOST}. Leave it out for 20.")
    return int(text)
