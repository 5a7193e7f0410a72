"""The page of documents: upload, list, share, delete."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import names, viewer
from app.deletions.service import just_deleted
from app.documents.service import find_documents
from app.documents.service import upload as take
from app.http.problems import page_with
from app.http.routes import audited, takes
from app.http.services import services
from app.jobs.readers.documents import MOST_FILES_AN_UPLOAD, TYPES
from app.jobs.sources import upload_name
from app.tables.background import READING
from app.tables.deletions import DOCUMENTS
from app.tables.documents import Uploaded
from retrieval.roles import read_languages
from retrieval.text.extraction.language import NAMES
from retrieval.text.languages import ENGLISH_CODE, find_language

blueprint = Blueprint("documents", __name__, url_prefix="/documents")


@blueprint.get("")
def index() -> ResponseReturnValue:
    """What you can check against beside the default corpus, and a form to upload more."""
    return _page()


@blueprint.post("")
@audited("uploaded documents")
@takes(files=True)
def upload() -> ResponseReturnValue:
    try:
        take()
    except Exception as error:
        return page_with(error, _page)
    return redirect(url_for("documents.index"), 303)


@blueprint.post("/<documents_id>/delete")
@audited("deleted documents")
def delete(documents_id: str) -> ResponseReturnValue:
    """Delete them and the checks that quote them, which can be undone for ten minutes."""
    find_documents(documents_id, to_change=True)
    services().retention.hide(DOCUMENTS, documents_id)
    return redirect(url_for("documents.index", deleted=documents_id), 303)


@blueprint.post("/<documents_id>/share")
@audited("shared documents or made them private")
def share(documents_id: str) -> ResponseReturnValue:
    """Share them with every account (`shared` is 1), or make them private."""
    find_documents(documents_id, to_change=True)
    services().documents.share(documents_id, request.form.get("shared") == "1")
    return redirect(url_for("documents.index"), 303)


def _page(problem: object = None) -> str:
    uploads = services().documents.all(viewer())
    return render_template(
        "documents/documents.html",
        problem=problem,
        deleted=just_deleted(DOCUMENTS),
        uploads=uploads,
        reading=any(found.state == READING for found in uploads),
        names=names(),
        corpora=[one for one in services().sources.choices(viewer()) if one[0].startswith("corpus:")],
        upload_name=upload_name,
        checks=services().documents.read_by() if uploads else {},
        name=request.form.get("name", "") if problem else "",
        languages=NAMES,
        language=request.form.get("language", "") if problem else "",
        spoken=spoken,
        types=TYPES,
        most_files=MOST_FILES_AN_UPLOAD,
        megabytes=services().settings.upload_megabytes,
    )


def spoken(found: Uploaded) -> tuple[str, bool]:
    """The languages of documents in words, empty if unknown; and whether checks against them give no verdict, because the
    models were not measured in one of these languages.
    """
    codes = list(dict.fromkeys(code for file in found.files if (code := file.get("language"))))
    named = " and ".join(find_language(code).name for code in codes)
    others = set(codes) - {ENGLISH_CODE}
    return named, bool(others) and not set(codes) <= read_languages(services().settings)
