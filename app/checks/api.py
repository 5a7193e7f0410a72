"""The JSON API (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request, url_for

from app.accounts.service import viewer
from app.checks import forms
from app.http.openapi import described
from app.http.problems import Problem
from app.http.security import refuse_other_sites
from app.http.services import find_check, find_documents, read_search, rename_check, services, submit, upload
from app.jobs.sources import upload_name
from app.tables import documents, ownership, stored_check
from app.tables.decisions import Decision, both_verdicts
from app.tables.stored_check import StoredCheck
from retrieval.output.record import Json
from retrieval.stores.named import together

blueprint = Blueprint("api", __name__, url_prefix="/api")
blueprint.before_request(refuse_other_sites)

CHECKS, DOCUMENTS = "Checks", "Documents"
CHANGED = {"name": "named a check", "shared": "shared a check or made it private"}  # for the audit log


@blueprint.post("/checks")
@described(forms.Created, 202, body=forms.NewCheck, problems=(404, 429, 507), tag=CHECKS)
def create(body: forms.NewCheck) -> tuple[Response, int]:
    """Start a check."""
    submitted = submit(body.claim, body.recipe or "", body.fresh, read_against(body.against), body.shared)
    url = url_for("pages.check", check_id=submitted.id)
    response = jsonify(id=submitted.id, url=url, earlier=submitted.earlier)
    response.headers["Location"] = url_for("api.show", check_id=submitted.id)
    return response, 202


def read_against(given: str | list[str] | None) -> str:
    """What to read, as one name. given: a name, several, or nothing. Raises ClaimError."""
    return together(given if isinstance(given, list) else [given or ""])


@blueprint.get("/checks/<check_id>")
@described(forms.CheckForm, problems=(404,), tag=CHECKS)
def show(check_id: str) -> Response:
    """The check as it stands."""
    return jsonify(live_json(find_check(check_id)))


@blueprint.post("/checks/<check_id>/cancel")
@described(forms.CheckForm, problems=(403, 404, 413, 415), tag=CHECKS)
def cancel(check_id: str) -> Response:
    """Stop the check. One that has ended stays as it is."""
    if request.content_type and not request.is_json and request.content_length:
        raise Problem(415, "Send no body, or JSON with the header Content-Type: application/json.")
    find_check(check_id, to_change=True)
    services().checks.cancel(check_id)
    return jsonify(live_json(find_check(check_id)))


@blueprint.patch("/checks/<check_id>")
@described(forms.CheckForm, body=forms.CheckChange, problems=(404,), tag=CHECKS)
def change(check_id: str, body: forms.CheckChange) -> Response:
    """Name a check, share it with every account, or make it private."""
    found = find_check(check_id, to_change=True)
    done = [words for field, words in CHANGED.items() if getattr(body, field) is not None]
    g.details = {"what": ", ".join(done) or "changed nothing of a check"}
    if body.name is not None:
        rename_check(found, body.name)
    if body.shared is not None:
        ownership.share(services().checks.engine, stored_check.table, check_id, body.shared)
    return jsonify(live_json(find_check(check_id)))


@blueprint.get("/checks")
@described(forms.CheckList, query=forms.Page, problems=(400, 404), tag=CHECKS)
def index(query: forms.Page) -> Response:
    """Checks, newest first, with these words and this verdict, and the address of the older ones."""
    search, verdict = read_search(query.words, query.verdict or "")
    before = query.before or None
    if before is not None:
        find_check(before)
    found = services().checks.latest(query.limit + 1, before, search, viewer(), verdict)
    shown, more = found[: query.limit], None
    people = services().decisions.that_count([check.id for check in shown])
    if len(found) > query.limit:
        asked: Json = {"words": search or None, "verdict": verdict or None}
        more = url_for("api.index", limit=query.limit, before=shown[-1].id, **asked)
    return jsonify(checks=[summary(check, people.get(check.id)) for check in shown], next=more)


@blueprint.post("/documents")
@described(forms.TakenDocuments, 202, form=forms.NewDocuments, problems=(429, 507), tag=DOCUMENTS)
def take_documents() -> tuple[Response, int]:
    """Upload documents to check claims against."""
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "Documents must be sent as multipart/form-data, each in a field named files.")
    documents_id = upload()
    url = url_for("api.show_documents", documents_id=documents_id)
    response = jsonify(id=documents_id, against=upload_name(documents_id), url=url)
    response.headers["Location"] = url
    return response, 202


@blueprint.get("/documents")
@described(forms.DocumentsList, tag=DOCUMENTS)
def list_documents() -> Response:
    """Everything that `against` can name."""
    jobs = services().jobs
    choices = [{"against": against, "name": name} for against, name in jobs.sources.choices(viewer())]
    return jsonify(documents=[found.as_json() for found in jobs.documents.all(viewer())], choices=choices)


@blueprint.get("/documents/<documents_id>")
@described(forms.DocumentsForm, problems=(404,), tag=DOCUMENTS)
def show_documents(documents_id: str) -> Response:
    """How far they have been read, and what was wrong with each file."""
    return jsonify(find_documents(documents_id).as_json())


@blueprint.patch("/documents/<documents_id>")
@described(forms.DocumentsForm, body=forms.Sharing, problems=(404,), tag=DOCUMENTS)
def share_documents(documents_id: str, body: forms.Sharing) -> Response:
    """Share them with every account, or make them private."""
    find_documents(documents_id, to_change=True)
    ownership.share(services().checks.engine, documents.table, documents_id, body.shared)
    return jsonify(find_documents(documents_id).as_json())


@blueprint.delete("/documents/<documents_id>")
@described("Deleted.", 204, problems=(403, 404), tag=DOCUMENTS)
def delete_documents(documents_id: str) -> tuple[str, int]:
    """Forget them and the checks that quote them."""
    find_documents(documents_id, to_change=True)
    services().jobs.delete_documents(documents_id)
    return "", 204


def live_json(check: StoredCheck) -> Json:
    """The public form, plus what a page needs to show a running check."""
    shown = check.as_json()
    shown["decisions"] = [decision.as_json() for decision in services().decisions.of_check(check.id)]
    shown["shared"] = ownership.open_to_all(check)
    if check.unfinished:
        shown["waiting_for"] = shown["waiting_for"] or services().jobs.obstacle() or None
        shown["waiting_before"] = services().checks.waiting_before(check)
    return shown


def summary(check: StoredCheck, decision: Decision | None) -> Json:
    """One line of a list. decision: what a person signed."""
    return {
        "id": check.id,
        "claim": check.claim,
        "name": check.name or "",
        "recipe": check.recipe,
        "against": check.against or "",
        "state": check.state,
        **both_verdicts(check, decision),
        "created": check.created,
        "finished": check.finished,
        "url": url_for("pages.check", check_id=check.id),
    }
