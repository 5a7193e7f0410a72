"""Finds, makes, renames and fills collections."""

from __future__ import annotations

from typing import Any

from flask import g

from app.accounts.service import find_row, viewer
from app.checks.service import find_check
from app.http.problems import Problem, read_name
from app.http.services import services
from app.reports.service import find_report
from app.tables.collections import CHECK, Collection, NameTaken
from app.tables.ownership import may_change

LONGEST_COLLECTION_NAME = 120  # characters
TAKEN = "You already have a collection with this name. Choose another name, or use that collection."


def find_collection(collection_id: str, to_change: bool = False) -> Collection:
    """The collection with this id. Raises Problem 404 if the viewer may not see it, 403 if they may not change it."""
    missing = "There is no collection with this id; it may have been deleted. Look for it under Collections."
    return find_row(lambda name: services().collections.get(name, viewer()), collection_id, missing, to_change)


def collection_name(typed: str) -> str:
    """A collection's name. Raises Problem 422."""
    if name := read_name(typed, LONGEST_COLLECTION_NAME):
        return name
    raise Problem(422, "The collection has no name. Type one.")


def make_collection(name: str, shared: bool = False) -> str:
    """Make a collection that belongs to the viewer; returns its id. Raises Problem 409 or 422."""
    try:
        g.about = services().collections.add(collection_name(name), viewer(), shared)
    except NameTaken:
        raise Problem(409, TAKEN) from None
    return str(g.about)


def rename_collection(found: Collection, name: str) -> None:
    """Rename a collection. Raises Problem 409 or 422."""
    try:
        services().collections.rename(found, collection_name(name))
    except NameTaken:
        raise Problem(409, TAKEN) from None


def file_item(kind: str, item_id: str, collection_id: str, name: str = "") -> None:
    """File a check or a report; filing it twice changes nothing. Raises Problem.

    name: of the viewer's collection to use instead of `collection_id`, made if it does not exist.
    """
    (find_check if kind == CHECK else find_report)(item_id)
    if name.strip():
        collection_id = services().collections.named(collection_name(name), viewer()) or make_collection(name)
    elif not collection_id:
        raise Problem(422, "No collection was chosen. Choose one, or type a name for a new one.")
    found = find_collection(collection_id, to_change=True)
    g.about = found.id
    services().collections.file(found.id, kind, item_id)


def filing_parts(kind: str, item_id: str) -> dict[str, Any]:
    """Values for `file.html`: the collections that hold a check or report, and those into which the viewer may file it."""
    holding, others = services().collections.around(kind, item_id, viewer())
    open_ = [one for one in others if may_change(one, viewer())]
    return {"filed": {"kind": kind, "id": item_id, "in": holding, "others": open_, "longest": LONGEST_COLLECTION_NAME}}
