"""Collections over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, url_for

from app.accounts.service import viewer
from app.checks.service import read_search
from app.collections import forms
from app.collections.service import collections, file_item, find_collection, make_collection, rename_collection
from app.http.openapi import described
from app.http.problems import Problem
from app.http.security import refuse_other_sites
from app.http.services import services
from app.tables import collections as table
from app.tables import ownership
from app.tables.collections import CHECK, KINDS, Collection, Filed
from app.tables.database import storable
from app.tables.decisions import Decision, both_verdicts
from retrieval.output.record import Json

blueprint = Blueprint("collections_api", __name__, url_prefix="/api")
blueprint.before_request(refuse_other_sites)

COLLECTIONS = "Collections"


@blueprint.get("/collections")
@described(forms.CollectionList, tag=COLLECTIONS)
def list_collections() -> Response:
    """All collections, by name."""
    return jsonify(collections=[_in_short(one) for one in collections().all(viewer())])


@blueprint.post("/collections")
@described(forms.CollectionForm, 201, body=forms.NewCollection, problems=(409,), tag=COLLECTIONS)
def create_collection(body: forms.NewCollection) -> tuple[Response, int]:
    """Make a collection."""
    collection_id = make_collection(body.name, body.shared)
    response = jsonify(_in_short(find_collection(collection_id)))
    response.headers["Location"] = url_for("collections_api.show_collection", collection_id=collection_id)
    return response, 201


@blueprint.get("/collections/<collection_id>")
@described(forms.CollectionItems, query=forms.ItemsAsked, problems=(404,), tag=COLLECTIONS)
def show_collection(collection_id: str, query: forms.ItemsAsked) -> Response:
    """A collection and its items, newest first, with the address of the next page."""
    found = find_collection(collection_id)
    search, label = read_search(query.q, query.verdict or "")
    items = collections().items(found.id, query.limit + 1, query.before, search, label, viewer())
    shown, more = items[: query.limit], None
    people = services().decisions.that_count([one.id for one in shown if one.kind == CHECK])
    if len(items) > query.limit:
        asked: dict[str, Any] = {
            "q": search or None,
            "verdict": label or None,
            "limit": query.limit,
            "before": shown[-1].number,
        }
        more = url_for("collections_api.show_collection", collection_id=found.id, **asked)
    return jsonify({**_in_short(found), "items": [_item(one, people.get(one.id)) for one in shown], "next": more})


@blueprint.patch("/collections/<collection_id>")
@described(forms.CollectionForm, body=forms.CollectionChange, problems=(404, 409), tag=COLLECTIONS)
def change_collection(collection_id: str, body: forms.CollectionChange) -> Response:
    """Rename a collection, share it with every account, or make it private."""
    found = find_collection(collection_id, to_change=True)
    if body.name is not None:
        rename_collection(found, body.name)
    if body.shared is not None:
        ownership.share(collections().engine, table.table, found.id, body.shared)
    return jsonify(_in_short(find_collection(collection_id)))


@blueprint.delete("/collections/<collection_id>")
@described("The collection is gone.", 204, problems=(403, 404), tag=COLLECTIONS)
def delete_collection(collection_id: str) -> tuple[str, int]:
    """Delete a collection. Its checks and reports stay."""
    collections().delete(find_collection(collection_id, to_change=True).id)
    return "", 204


@blueprint.post("/collections/<collection_id>/items")
@described(forms.CollectionForm, body=forms.NewItem, problems=(404,), tag=COLLECTIONS)
def add_item(collection_id: str, body: forms.NewItem) -> Response:
    """File a check or a report. Filing it twice changes nothing."""
    find_collection(collection_id, to_change=True)
    file_item(body.kind, body.id, collection_id)
    return jsonify(_in_short(find_collection(collection_id)))


@blueprint.delete("/collections/<collection_id>/items/<kind>/<item_id>")
@described("It is taken out.", 204, problems=(403, 404), tag=COLLECTIONS)
def remove_item(collection_id: str, kind: str, item_id: str) -> tuple[str, int]:
    """Remove a `check` or a `report` from a collection without deleting it."""
    found = find_collection(collection_id, to_change=True)
    if not (kind in KINDS and storable(item_id) and collections().take_out(found.id, kind, item_id)):
        raise Problem(404, "The collection does not hold this item. Get the collection to see what it holds.")
    return "", 204


def _in_short(found: Collection) -> Json:
    shown = {name: getattr(found, name) for name in ("id", "name", "checks", "reports", "created")}
    return {
        **shown,
        "shared": ownership.open_to_all(found),
        "url": url_for("collections.show", collection_id=found.id),
    }


def _item(one: Filed, decision: Decision | None) -> Json:
    page = (
        url_for("checks.check", check_id=one.id) if one.kind == CHECK else url_for("reports.report", report_id=one.id)
    )
    shown = {name: getattr(one, name) for name in ("kind", "id", "title", "state", "total", "created", "added")}
    return {**shown, "name": one.name or "", **both_verdicts(one, decision), "url": page}
