"""What a list shows after a deletion, and undoing it."""

from __future__ import annotations

from flask import Response, request, url_for

from app.accounts.service import find_row, viewer
from app.http.problems import Problem
from app.http.services import services
from app.tables.collections import CHECK, REPORT, NameTaken
from app.tables.database import storable
from app.tables.deletions import DOCUMENTS, MINUTES, Deleted
from app.tables.ownership import may_change

GONE = f"There is nothing to restore. A deletion can be undone for {MINUTES} minutes."
TAKEN = "Another collection has this name now. Rename that one, then undo the deletion."


def just_deleted(kind: str) -> Deleted | None:
    """Value for `parts/undo.html`: the deletion that the address names, if the viewer can still undo it."""
    item_id = request.args.get("deleted", "")
    found = services().deletions.find(kind, item_id) if item_id and storable(item_id) else None
    return found if found and may_change(found, viewer()) else None


def undo(kind: str, item_id: str) -> str:
    """Undo a deletion; returns the address of the restored page. Raises Problem 403, 404 or 409."""
    found = find_row(lambda name: services().deletions.find(kind, name), item_id, GONE, to_change=True)
    try:
        services().deletions.undo(found)
    except NameTaken:
        raise Problem(409, TAKEN) from None
    return page_of(kind, item_id)


def page_of(kind: str, item_id: str, anchor: str | None = None) -> str:
    """The address of a check, a report or a collection, or of the place of documents on their page."""
    if kind == CHECK:
        return url_for("checks.check", check_id=item_id, _anchor=anchor)
    if kind == REPORT:
        return url_for("reports.report", report_id=item_id, _anchor=anchor)
    if kind == DOCUMENTS:
        return url_for("documents.index", _anchor=f"documents-{item_id}")
    return url_for("collections.show", collection_id=item_id)


def undone_at(kind: str, item_id: str) -> Response:
    """The answer to a deletion over HTTP: empty, with the address that undoes it in the header `Undo`."""
    return Response(status=204, headers={"Undo": url_for("deletions_api.undo_deletion", kind=kind, item_id=item_id)})
