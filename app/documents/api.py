"""Documents over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import viewer
from app.deletions.service import undone_at
from app.documents import forms
from app.documents.service import find_documents, upload
from app.http.openapi import described
from app.http.problems import Problem
from app.http.routes import audited, takes
from app.http.services import services
from app.jobs.sources import upload_name
from app.tables.deletions import DOCUMENTS
from app.tables.documents import Uploaded
from app.tables.ownership import open_to_all

blueprint = Blueprint("documents_api", __name__, url_prefix="/api")
TAG = "Documents"


@blueprint.post("/documents")
@audited("uploaded documents")
@takes(files=True)
@described(forms.TakenDocuments, 202, form=forms.NewDocuments, problems=(429, 507), tag=TAG)
def take_documents() -> ResponseReturnValue:
    """Upload documents to check claims against."""
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "Send documents as multipart/form-data, each in a field named files.")
    documents_id = upload()
    url = url_for("documents_api.show_documents", documents_id=documents_id)
    taken = forms.TakenDocuments(id=documents_id, against=upload_name(documents_id), url=url)
    return taken.as_json(), 202, {"Location": url}


@blueprint.get("/documents")
@described(forms.DocumentsList, tag=TAG)
def list_documents() -> Response:
    """Everything that `against` can name."""
    choices = [forms.Choice(against=against, name=name) for against, name in services().sources.choices(viewer())]
    documents = list(map(_shown, services().documents.all(viewer())))
    return jsonify(forms.DocumentsList(documents=documents, choices=choices).as_json())


@blueprint.get("/documents/<documents_id>")
@described(forms.DocumentsForm, problems=(404,), tag=TAG)
def show_documents(documents_id: str) -> Response:
    """How much has been read, and what is wrong with each file."""
    return jsonify(_shown(find_documents(documents_id)).as_json())


@blueprint.patch("/documents/<documents_id>")
@audited("shared documents or made them private")
@described(forms.DocumentsForm, body=forms.Sharing, problems=(404,), tag=TAG)
def share_documents(documents_id: str, body: forms.Sharing) -> Response:
    """Share them with every account, or make them private."""
    find_documents(documents_id, to_change=True)
    services().documents.share(documents_id, body.shared)
    return jsonify(_shown(find_documents(documents_id)).as_json())


@blueprint.delete("/documents/<documents_id>")
@audited("deleted documents")
@described("Deleted.", 204, problems=(403, 404), tag=TAG)
def delete_documents(documents_id: str) -> Response:
    """Delete them, and the checks that quote them. For ten minutes, a POST to the address in the header `Undo` restores them;
    documents that are still being read have none.
    """
    find_documents(documents_id, to_change=True)
    if services().retention.hide(DOCUMENTS, documents_id):
        return undone_at(DOCUMENTS, documents_id)
    return Response(status=204)


def _shown(found: Uploaded) -> forms.DocumentsForm:
    return forms.DocumentsForm.of(found, shared=open_to_all(found))
