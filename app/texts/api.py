"""Texts over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import viewer
from app.checks.service import read_against
from app.claim_tables.service import is_table, take_table_text
from app.http.openapi import described
from app.http.problems import Problem
from app.http.routes import LARGE_TEXT, audited, takes
from app.http.services import services
from app.jobs.checked_before import Earlier
from app.tables.background import FAILED, READY
from app.tables.decisions import Decision
from app.tables.texts import StoredText
from app.texts import forms
from app.texts.service import address_in, find_text, take_address, take_text, take_text_file
from retrieval.output.record import Json

blueprint = Blueprint("texts_api", __name__, url_prefix="/api")
TEXTS = "Texts"
SHORT_TEXT = 20_000  # characters of a text for which a request waits longer
WAIT, WAIT_FOR_LONG_TEXT = 15.0, 1.5  # seconds that a request waits for the claims


@blueprint.post("/texts")
@audited("gave a text")
@takes(LARGE_TEXT, files=True)
@described(forms.TextForm, (200, 202), body=forms.NewText, form=forms.NewTextFile, problems=(429,), tag=TEXTS)
def create_text(body: forms.NewText | None) -> ResponseReturnValue:
    """Find the claims in a text, a file, a table's column or a web page. If that takes long, the answer is 202: poll the
    text until it is ready.
    """
    if body is not None:
        return _answer_text(_take(body), WAIT if len(body.text or "") <= SHORT_TEXT else WAIT_FOR_LONG_TEXT)
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "Send JSON with the text, or multipart/form-data with a file in a field named file.")
    sent = request.files.get("file")
    return _answer_text(take_table_text() if sent and is_table(sent.filename or "") else take_text_file(), WAIT)


@blueprint.get("/texts/<text_id>")
@described(forms.TextForm, query=forms.TextAsked, problems=(404, 422), tag=TEXTS)
def show_text(text_id: str, query: forms.TextAsked) -> Response:
    """The claims found in a text with their earlier checks, or how far it has been read."""
    return jsonify(_as_json(find_text(text_id), read_against(query.against)))


@blueprint.delete("/texts/<text_id>")
@audited("deleted a text")
@described("The text is gone.", 204, problems=(403, 404), tag=TEXTS)
def delete_text(text_id: str) -> tuple[str, int]:
    """Delete a text; reports made from it keep a copy."""
    find_text(text_id)
    services().texts.delete(text_id)
    return "", 204


def _take(body: forms.NewText) -> str:
    """Take in the text, or the page at the address; returns the id of the text."""
    if body.address is not None and body.text is not None:
        raise Problem(422, "Both a text and an address were sent. Send one of them.")
    if body.address is None and body.text is None:
        raise Problem(422, "“text” is missing. Send a text or an address.")
    address = address_in(body.text or body.address or "")
    if body.address is not None and not address:
        raise Problem(422, f"{body.address[:200]!r} is not a web address. Send one that begins with https://.")
    if address:
        return take_address(address, body.title or "")
    return take_text(body.text or "", body.title or "")


def _answer_text(text_id: str, wait: float) -> ResponseReturnValue:
    found = find_text(text_id, wait)
    if found.state == FAILED:
        services().texts.delete(text_id)
        raise Problem(422, found.error)
    status = 200 if found.state == READY else 202
    return _as_json(found), status, {"Location": url_for("texts_api.show_text", text_id=text_id)}


def _as_json(found: StoredText, against: str = "") -> Json:
    """The public JSON of a text; `before` of each chosen claim is an earlier check that read `against`."""
    texts = [claim.text for claim in found.sentences if claim.chosen]
    earlier, _ = services().before.look_up(texts, against=against, viewer=viewer())
    people = services().decisions.signed_of([one.check_id for one in earlier if one])
    before = (_earlier(one, people.get(one.check_id)) if one else None for one in earlier)
    claims = [forms.FoundClaimForm.of(one, before=next(before) if one.chosen else None) for one in found.sentences]
    url = url_for("texts.review", text_id=found.id)
    return forms.TextForm.of(found, characters=len(found.content), claims=claims, url=url).as_json()


def _earlier(one: Earlier, decision: Decision | None) -> forms.EarlierForm:
    url = url_for("checks.check", check_id=one.check_id)
    return forms.EarlierForm.of(one, id=one.check_id, verdict=one, decision=decision, url=url)
