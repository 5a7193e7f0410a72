"""Whether the process answers, and whether it can check claims yet."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from app.http.openapi import described
from app.http.problems import Problem
from app.http.routes import open_to_all
from app.http.services import services
from retrieval.output.forms import CorpusForm, Form

blueprint = Blueprint("health", __name__)


class Health(Form):
    """The process answers."""

    status: str


class Readiness(Form):
    """Whether claims are accepted and checked. language_model: why it is left out for a minute; empty if it is not."""

    status: str
    corpus: CorpusForm
    language_model: str


@blueprint.get("/healthz")
@open_to_all
@described(Health, tag="Health")
def healthz() -> Response:
    """The process answers."""
    return jsonify(Health(status="alive").as_json())


@blueprint.get("/readyz")
@open_to_all
@described(Readiness, tag="Health")
def readyz() -> Response:
    """Claims are accepted and checked: the database works, the corpus is open, the models are loaded and a worker runs.
    Otherwise 503 and the reason.
    """
    if fault := services().probe.fault():
        raise Problem(503, fault, {"Retry-After": "1"})
    corpus = services().resources.corpus()
    if obstacle := services().readiness.reason or services().worker.obstacle():
        raise Problem(503, obstacle, {"Retry-After": "1"})
    left_out = services().resources.left_out()
    return jsonify(Readiness.of(status="ready", corpus=corpus, language_model=left_out).as_json())
