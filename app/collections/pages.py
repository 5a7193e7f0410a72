"""The pages of collections, and the form that files a check or a report from its page."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import names, viewer
from app.collections import service
from app.deletions.service import just_deleted, page_of
from app.http.paging import read_number, read_page, read_search
from app.http.problems import Problem, page_with
from app.http.routes import audited
from app.http.services import services
from app.reports.summary import ORDER
from app.tables.collections import CHECK, KINDS, REPORT, Collection
from app.tables.deletions import COLLECTION

blueprint = Blueprint("collections", __name__)


@blueprint.get("/collections")
def index() -> ResponseReturnValue:
    return _list()


@blueprint.post("/collections")
@audited("made a collection")
def make() -> ResponseReturnValue:
    try:
        collection_id = service.make_collection(request.form.get("name", ""), request.form.get("shared") == "1")
    except Problem as error:
        return page_with(error, _list)
    return redirect(url_for("collections.show", collection_id=collection_id), 303)


@blueprint.get("/collections/<collection_id>")
def show(collection_id: str) -> ResponseReturnValue:
    """A collection's items, newest first. `?q=` searches claims and titles; `?verdict=` filters by verdict."""
    return _page(service.find_collection(collection_id))


def _list(problem: Problem | None = None) -> str:
    return render_template(
        "collections/collections.html",
        collections=services().collections.all(viewer()),
        problem=problem,
        names=names(),
        longest=service.LONGEST_COLLECTION_NAME,
        keep_days=services().settings.keep_days,
        deleted=just_deleted(COLLECTION),
    )


def _page(found: Collection, problem: Problem | None = None) -> str:
    search, verdict = read_search(request.args.get("q", ""), request.args.get("verdict", ""))
    before = read_number(request.args.get("before", "")) or None  # the number below which the list continues
    page = read_page(lambda limit: services().collections.items(found.id, limit, before, search, verdict, viewer()))
    shown = page.rows
    return render_template(
        "collections/collection.html",
        collection=found,
        problem=problem,
        items=shown,
        people=services().decisions.signed_of([one.id for one in shown if one.kind == CHECK]),
        order=ORDER,
        counts=services().reports.counts([one.id for one in shown if one.kind == REPORT]),
        older=page.last and page.last.number,
        asked={"q": search or None, "verdict": verdict or None},
        before=before,
        longest=service.LONGEST_COLLECTION_NAME,
        names=names(),
    )


@blueprint.post("/collections/file")
@audited("filed in a collection")
def file() -> ResponseReturnValue:
    """File a check or a report from its page."""
    kind, item_id, form = _kind(), request.form.get("id", ""), request.form
    service.file_item(kind, item_id, form.get("collection", ""), form.get("name", ""))
    return redirect(page_of(kind, item_id, "filed"), 303)


@blueprint.post("/collections/<collection_id>/take-out")
@audited("took out of a collection")
def take_out(collection_id: str) -> ResponseReturnValue:
    """Remove an item without deleting it."""
    found, kind, item_id = service.find_collection(collection_id, to_change=True), _kind(), request.form.get("id", "")
    services().collections.take_out(found.id, kind, item_id)
    if request.form.get("back") == "item":
        return redirect(page_of(kind, item_id, "filed"), 303)
    asked: dict[str, Any] = {name: request.form.get(name) or None for name in ("q", "verdict")}
    return redirect(url_for("collections.show", collection_id=found.id, **asked), 303)


@blueprint.post("/collections/<collection_id>/<any(rename,share,delete):what>")
@audited("changed a collection: {what}")
def change(collection_id: str, what: str) -> ResponseReturnValue:
    """Rename a collection, share it with every account, or delete it. Its checks and reports stay."""
    found = service.find_collection(collection_id, to_change=True)
    if what == "delete":
        services().retention.hide(COLLECTION, found.id)
        return redirect(url_for("collections.index", deleted=found.id), 303)
    if what == "rename":
        try:
            service.rename_collection(found, request.form.get("name", ""))
        except Problem as error:
            return page_with(error, lambda problem: _page(found, problem))
    else:
        services().collections.share(found.id, request.form.get("shared") == "1")
    return redirect(url_for("collections.show", collection_id=found.id), 303)


def _kind() -> str:
    kind = request.form.get("kind", "")
    if kind not in KINDS:
        raise Problem(422, "Only checks and reports can be filed. Use the form on their pages.")
    return kind
