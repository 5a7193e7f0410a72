"""Corpora over HTTP (docs/interfaces.md)."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, url_for
from flask.typing import ResponseReturnValue

from app.corpora import forms, service
from app.corpora.service import Listed
from app.http.openapi import described
from app.http.routes import audited, for_operators
from app.http.services import services
from app.tables.loads import Load

blueprint = Blueprint("corpora_api", __name__, url_prefix="/api")

CORPORA = "Corpora"
CHANGING = (403, 404, 409)


@blueprint.get("/corpora")
@described(forms.CorpusList, tag=CORPORA)
def list_corpora() -> Response:
    """All corpora, and the unfinished loads."""
    loads = list(map(_load, services().loads.unfinished()))
    return jsonify(forms.CorpusList(corpora=list(map(_corpus, service.corpora())), loads=loads).as_json())


@blueprint.patch("/corpora/<key>")
@for_operators(*service.REFUSALS)
@audited("changed a corpus")
@described(forms.CorpusEntry, body=forms.CorpusChange, problems=(404,), tag=CORPORA)
def change_corpus(key: str, body: forms.CorpusChange) -> Response:
    """Rename a corpus, or make it the default."""
    g.about = key
    service.find_corpus(key)
    if body.name is not None:
        service.rename(key, body.name)
    if body.default:
        service.make_standard(key)
    return jsonify(_corpus(service.find_corpus(key)).as_json())


@blueprint.delete("/corpora/<key>")
@for_operators(*service.REFUSALS)
@audited("removed a corpus")
@described("The corpus is gone.", 204, problems=(403, 404, 422), tag=CORPORA)
def remove_corpus(key: str) -> tuple[str, int]:
    """Delete a corpus from the disk, unless it is the default. Checks that quote it stay."""
    g.about = key
    service.remove(key, sure=True)
    return "", 204


@blueprint.post("/load-plans")
@for_operators(*service.REFUSALS)
@audited("asked what a load would take")
@described(forms.LoadPlan, body=forms.WantedDump, tag=CORPORA)
def plan_load(body: forms.WantedDump) -> Response:
    """What a load would take."""
    found = service.plan(service.read_wanted(body.source, body.place, body.wiki))
    return jsonify(forms.LoadPlan.of(**found).as_json())


@blueprint.post("/loads")
@for_operators(*service.REFUSALS)
@audited("began to load a corpus")
@described(forms.LoadForm, 202, body=forms.NewLoad, tag=CORPORA)
def begin_load(body: forms.NewLoad) -> ResponseReturnValue:
    """Load a dump into a new corpus."""
    wanted = service.read_wanted(body.source, body.place, body.wiki)
    g.about = load_id = service.begin(wanted, body.name, body.default)
    address = url_for("corpora_api.show_load", load_id=load_id)
    return _load(service.find_load(load_id)).as_json(), 202, {"Location": address}


@blueprint.get("/loads/<load_id>")
@described(forms.LoadForm, problems=(404,), tag=CORPORA)
def show_load(load_id: str) -> Response:
    """A load and its progress."""
    return jsonify(_load(service.find_load(load_id)).as_json())


@blueprint.post("/loads/<load_id>/<any(pause, resume, cancel):change>")
@for_operators(*service.REFUSALS)
@audited("changed a load: {change}")
@described(forms.LoadForm, problems=CHANGING, tag=CORPORA)
def change_load(load_id: str, change: str) -> Response:
    """Pause, resume or cancel a load. Cancelling deletes what it has loaded."""
    service.change_load(load_id, change)
    return jsonify(_load(service.find_load(load_id)).as_json())


def _corpus(one: Listed) -> forms.CorpusEntry:
    of_info = {name: getattr(one.info, name, None) for name in ("pages", "built", "fingerprint", "language")}
    return forms.CorpusEntry.of(one, default=one.standard, **of_info)


def _load(load: Load) -> forms.LoadForm:
    unknown = {**dict.fromkeys(forms.LoadProgress.model_fields), "pages": 0}
    progress = {**unknown, **load.progress, "seconds_left": load.progress.get("left")}
    return forms.LoadForm.of(load, default=load.standard, progress=progress)
