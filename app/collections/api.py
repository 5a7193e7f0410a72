"""Collections over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import viewer
from app.collections import forms, service
from app.deletions.service import page_of, undone_at
from app.http.openapi import described
from app.http.paging import read_page, read_search
from app.http.problems import Problem
from app.http.routes import audited
from app.http.services import services
from app.tables.collections import CHECK, KINDS, Collection, Filed
from app.tables.database import storable
from app.tables.decisions import Decision
from app.tables.deletions import COLLECTION
from app.tables.ownership import open_to_all

blueprint = Blueprint("collections_api", __name__, url_prefix="/api")

COLLECTIONS = "Collections"


@blueprint.get("/collections")
@described(forms.CollectionList, tag=COLLECTIONS)
def list_collections() -> Response:
    """All collections, by name."""
    return jsonify(forms.CollectionList(collections=list(map(_shown, services().collections.all(viewer())))).as_json())


@blueprint.post("/collections")
@audited("made a collection")
@described(forms.CollectionForm, 201, body=forms.NewCollection, problems=(409,), tag=COLLECTIONS)
def create_collection(body: forms.NewCollection) -> ResponseReturnValue:
    """Make a collection."""
    collection_id = service.make_collection(body.name, body.shared)
    address = url_for("collections_api.show_collection", collection_id=collection_id)
    return _shown(service.find_collection(collection_id)).as_json(), 201, {"Location": address}


@blueprint.get("/collections/<collection_id>")
@described(forms.CollectionItems, query=forms.ItemsAsked, problems=(404,), tag=COLLECTIONS)
def show_collection(collection_id: str, query: forms.ItemsAsked) -> Response:
    """A collection and its items, newest first, with the address of the next page."""
    found = service.find_collection(collection_id)
    search, label = read_search(query.q, query.verdict or "")
    before = query.before
    page = read_page(
        lambda limit: services().collections.items(found.id, limit, before, search, label, viewer()), query.limit
    )
    people = services().decisions.signed_of([one.id for one in page.rows if one.kind == CHECK])
    asked: dict[str, Any] = {"q": search or None, "verdict": label or None, "limit": query.limit}
    here = "collections_api.show_collection"
    more = page.last and url_for(here, collection_id=found.id, **asked, before=page.last.number)
    items = [_item(one, people.get(one.id)) for one in page.rows]
    return jsonify(forms.CollectionItems.of(_shown(found), items=items, next=more).as_json())


@blueprint.patch("/collections/<collection_id>")
@audited("changed a collection")
@described(forms.CollectionForm, body=forms.CollectionChange, problems=(404, 409), tag=COLLECTIONS)
def change_collection(collection_id: str, body: forms.CollectionChange) -> Response:
    """Rename a collection, share it with every account, or make it private."""
    found = service.find_collection(collection_id, to_change=True)
    if body.name is not None:
        service.rename_collection(found, body.name)
    if body.shared is not None:
        services().collections.share(found.id, body.shared)
    return jsonify(_shown(service.find_collection(collection_id)).as_json())


@blueprint.delete("/collections/<collection_id>")
@audited("changed a collection: delete")
@described("The collection is deleted.", 204, problems=(403, 404), tag=COLLECTIONS)
def delete_collection(collection_id: str) -> Response:
    """Delete a collection; its checks and reports stay. For ten minutes, a POST to the address in `Undo` restores it."""
    services().retention.hide(COLLECTION, service.find_collection(collection_id, to_change=True).id)
    return undone_at(COLLECTION, collection_id)


@blueprint.post("/collections/<collection_id>/items")
@audited("filed in a collection")
@described(forms.CollectionForm, body=forms.NewItem, problems=(404,), tag=COLLECTIONS)
def add_item(collection_id: str, body: forms.NewItem) -> Response:
    """File a check or a report. Filing it twice changes nothing."""
    service.find_collection(collection_id, to_change=True)
    service.file_item(body.kind, body.id, collection_id)
    return jsonify(_shown(service.find_collection(collection_id)).as_json())


@blueprint.delete("/collections/<collection_id>/items/<kind>/<item_id>")
@audited("took out of a collection")
@described("The item is removed.", 204, problems=(403, 404), tag=COLLECTIONS)
def remove_item(collection_id: str, kind: str, item_id: str) -> tuple[str, int]:
    """Remove a `check` or a `report` from a collection without deleting it."""
    found = service.find_collection(collection_id, to_change=True)
    if not (kind in KINDS and storable(item_id) and services().collections.take_out(found.id, kind, item_id)):
        raise Problem(404, "This item is not in the collection. Get the collection to see its items.")
    return "", 204


def _shown(found: Collection) -> forms.CollectionForm:
    url = url_for("collections.show", collection_id=found.id)
    return forms.CollectionForm.of(found, shared=open_to_all(found), url=url)


def _item(one: Filed, decision: Decision | None) -> forms.ItemForm:
    return forms.ItemForm.of(one, verdict=one, decision=decision, url=page_of(one.kind, one.id))
