"""The page of a check, and the history."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import names, refusal, viewer
from app.checks.result import checked_before, ended_page
from app.checks.service import find_check, live_json, page_of_checks, rename_check
from app.checks.words import marked_claim
from app.deletions.service import just_deleted
from app.http.paging import read_search
from app.http.problems import Problem, page_with
from app.http.routes import audited, for_operators, rules_of
from app.http.services import services
from app.tables.collections import CHECK

blueprint = Blueprint("checks", __name__)

# For the audit log.
CHANGES = {"cancel": "cancelled a check", "share": "shared a check or made it private", "delete": "deleted a check"}


@blueprint.get("/checks/<check_id>")
def check(check_id: str) -> ResponseReturnValue:
    """The live page while the check runs, then its result, or why there is none."""
    found = find_check(check_id)
    if not found.unfinished:
        return ended_page(found)
    shown = {"check": found, "live": live_json(found), "parts": marked_claim(found.latest)}
    return render_template("checks/live.html", **shown, **checked_before(found))


@blueprint.post("/checks/<check_id>/<any(cancel,share,delete):what>")
@audited("{change}")
def change(check_id: str, what: str) -> ResponseReturnValue:
    """Stop a check, share it with every account (`shared` is 1) or make it private, or delete it."""
    find_check(check_id, to_change=True)
    g.details = {"change": CHANGES[what]}
    if what == "delete":
        services().retention.hide(CHECK, check_id)
        asked: dict[str, Any] = {name: request.form.get(name) or None for name in ("q", "verdict")}
        return redirect(url_for("checks.history", **asked, deleted=check_id), 303)
    if what == "cancel":
        services().checks.cancel(check_id)
    else:
        services().checks.share(check_id, request.form.get("shared") == "1")
    return redirect(url_for("checks.check", check_id=check_id), 303)


@blueprint.post("/checks/<check_id>/name")
@audited("named a check")
def rename(check_id: str) -> ResponseReturnValue:
    """Name a check, or remove its name. A name that is refused stays in the field."""
    found, typed = find_check(check_id, to_change=True), request.form.get("name", "")
    try:
        rename_check(found, typed)
    except Problem as error:
        if found.unfinished:  # its page has no such form
            raise
        naming = {"fault": error.detail, "typed": typed}
        return page_with(error, lambda _: ended_page(found, naming=naming))
    return redirect(url_for("checks.check", check_id=check_id, _anchor="named"), 303)


@blueprint.get("/history")
def history() -> ResponseReturnValue:
    """All checks, newest first. `?q=` searches claims and names, `?verdict=` filters by verdict."""
    search, verdict = read_search(request.args.get("q", ""), request.args.get("verdict", ""))
    table, before = services().checks, request.args.get("before")
    page = page_of_checks(search, verdict, before)
    return render_template(
        "checks/history.html",
        checks=page.rows,
        people=services().decisions.signed_of([one.id for one in page.rows]),
        older=page.last and page.last.id,
        before=before,
        asked={"q": search or None, "verdict": verdict or None},
        total=table.count(search, viewer(), verdict),
        all=table.count(viewer=viewer()),
        may_delete_all=not refusal(rules_of(delete_all)),
        deleted=just_deleted(CHECK),
        names=names(),
    )


@blueprint.post("/history/delete")
@for_operators(
    "Only admins may delete everything. Delete single checks.",
    "Deleting everything is turned off on a server that other machines can reach. Delete single checks.",
)
@audited("deleted all checks")
def delete_all() -> ResponseReturnValue:
    if request.form.get("sure") != "yes":
        raise Problem(400, "Confirm that you want to delete everything. Use the button on the history page.")
    services().retention.delete_all()
    return redirect(url_for("checks.history"), 303)
