"""The Corpora page: all corpora and loads, with forms to load, rename, choose and remove."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import refusal
from app.corpora import service, words
from app.http.problems import Problem, page_with
from app.http.routes import audited, for_operators, rules_of
from app.http.services import services
from app.jobs.loads.dumps import DUMPS, by_hand
from app.tables.loads import AT_WORK
from retrieval.errors import StoreError

blueprint = Blueprint("corpora", __name__, url_prefix="/corpora")

# For the audit log.
CHANGES = {"rename": "renamed a corpus", "default": "made a corpus the default", "remove": "removed a corpus"}


@blueprint.get("")
def index() -> ResponseReturnValue:
    return _page()


@blueprint.post("/plan")
@for_operators(*service.REFUSALS)
@audited("asked what a load would take")
def plan() -> ResponseReturnValue:
    """The page again, with the load's time and space, or why it cannot run."""
    try:
        wanted = _wanted()
        return _page(planned=(wanted, service.plan(wanted)))
    except Problem as error:
        return page_with(error, lambda problem: _page(problem=problem.detail))


@blueprint.post("/loads")
@for_operators(*service.REFUSALS)
@audited("began to load a corpus")
def start() -> ResponseReturnValue:
    try:
        g.about = service.begin(_wanted(), request.form.get("name", ""), request.form.get("standard") == "1")
    except Problem as error:
        return page_with(error, lambda problem: _page(problem=problem.detail))
    return _back("The load has begun. You may close this page.", "loads")


@blueprint.post("/loads/<load_id>/<change>")
@for_operators(*service.REFUSALS)
@audited("changed a load: {change}")
def change(load_id: str, change: str) -> ResponseReturnValue:
    found = service.change_load(load_id, change)
    messages = {
        "pause": "{} will pause once its progress is saved.",
        "resume": "{} continues.",
        "cancel": "{} is cancelled.",
    }
    return _back(messages[change].format(found.name), "loads")


@blueprint.post("/of/<key>/<any(rename,default,remove):what>")
@for_operators(*service.REFUSALS)
@audited("{change}")
def change_corpus(key: str, what: str) -> ResponseReturnValue:
    """Rename a corpus, make it the default, or delete it after confirmation."""
    g.about, g.details = key, {"change": CHANGES[what]}
    try:
        if what == "rename":
            message = f"The corpus is now called “{service.rename(key, request.form.get('name', ''))}”."
        elif what == "default":
            message = f"Claims are now checked against “{service.make_standard(key).name}”."
        else:
            message = f"Removed “{service.remove(key, request.form.get('sure') == 'yes').name}”."
    except (Problem, StoreError) as error:
        return page_with(error, lambda problem: _page(refused=problem.detail))
    return _back(message, "there")


def _wanted() -> Any:
    return service.read_wanted(*(request.form.get(name, "") for name in ("source", "place", "wiki")))


def _back(message: str, to: str) -> ResponseReturnValue:
    flash(message)
    return redirect(url_for("corpora.index", _anchor=to), 303)


def _page(problem: str = "", refused: str = "", planned: Any = None) -> str:
    form = request.form
    unfinished = services().loads.unfinished()
    wanted, found = planned or (None, None)
    return render_template(
        "corpora/index.html",
        corpora=service.corpora(),
        chosen_by_setting=bool(services().settings.store),
        unfinished=unfinished,
        at_work=any(load.state in AT_WORK for load in unfinished),
        latest=services().loads.latest(),
        refusal=refusal(rules_of(start)),
        dumps=DUMPS,
        typed={name: form.get(name, "") for name in ("source", "place", "wiki")},
        problem=problem,
        refused=refused,
        wanted=wanted,
        plan=found,
        by_hand=by_hand,
        words=words,
        longest=service.LONGEST_CORPUS_NAME,
    )
