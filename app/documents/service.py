"""Stores uploaded documents, finds them again, and hides them from others."""

from __future__ import annotations

from flask import g, request

from app.accounts.service import find_row, viewer
from app.http.security import person
from app.http.services import services
from app.jobs.sources import GONE, NothingToRead
from app.tables.database import storable
from app.tables.documents import Uploaded
from app.tables.ownership import may_see
from retrieval.stores.named import UPLOAD, parts_of


def find_documents(documents_id: str, to_change: bool = False) -> Uploaded:
    """The documents with this id. Raises Problem 404 if the viewer may not see them, 403 if they may not change them."""
    missing = "There are no documents with this id; they may have been deleted. Upload them again."
    return find_row(services().documents.get, documents_id, missing, to_change)


def upload() -> str:
    """Take in the files of this request; returns the id of the documents. Raises what `Uploads.take` raises."""
    shared = request.form.get("shared") == "1"
    services().rate.take(person())
    name, language = request.form.get("name", ""), request.form.get("language", "")
    g.about = services().uploads.take(request.files.getlist("files"), name, person(), viewer(), shared, language)
    return str(g.about)


def refuse_hidden(against: str) -> None:
    """Raises NothingToRead if the name contains an upload that the viewer may not see, as if it did not exist."""
    if viewer() is None:
        return
    for part in parts_of(against):
        if part.startswith(UPLOAD):
            found = services().documents.get(part.removeprefix(UPLOAD)) if storable(part) else None
            if found is None or not may_see(found, viewer()):
                raise NothingToRead(GONE)
