"""The button that undoes a deletion."""

from __future__ import annotations

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue

from app.deletions.service import undo
from app.http.routes import audited

blueprint = Blueprint("deletions", __name__)


@blueprint.post("/deleted/<any(check,report,collection,documents):kind>/<item_id>/undo")
@audited("restored: {kind}")
def undo_form(kind: str, item_id: str) -> ResponseReturnValue:
    """Restore it, and show it."""
    return redirect(undo(kind, item_id), 303)
