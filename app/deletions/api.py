"""Undoing a deletion over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from app.deletions.service import undo
from app.http.openapi import described
from app.http.routes import audited
from retrieval.output.forms import Form

blueprint = Blueprint("deletions_api", __name__, url_prefix="/api")


class BroughtBack(Form):
    """url: the page of the restored check, report or collection."""

    url: str


@blueprint.post("/deleted/<any(check,report,collection,documents):kind>/<item_id>/undo")
@audited("restored: {kind}")
@described(BroughtBack, problems=(403, 404, 409, 413), tag="Deletions")
def undo_deletion(kind: str, item_id: str) -> Response:
    """Restore what was deleted within the last ten minutes. Checks that the deletion stopped stay stopped."""
    return jsonify(BroughtBack(url=undo(kind, item_id)).as_json())
