"""Whether the process lives, and whether it can check claims yet."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from app.jobs.signs_of_life import Workers
from app.openapi import forms
from app.openapi.describing import described
from app.problems import Problem
from app.web.services import services
from retrieval.settings import Settings

blueprint = Blueprint("health", __name__)

UNATTENDED = "No worker is running, so checks have to wait. Start one with `python -m app worker` on the same DATABASE."


def web_is_alive(settings: Settings) -> bool:
    """Whether a web application answers on HOST:PORT."""
    import http.client

    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    connection = http.client.HTTPConnection(host, settings.port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < 500  # a name that is not trusted is an answer too
    except OSError:
        return False
    finally:
        connection.close()


def worker_is_alive(settings: Settings) -> bool:
    """Whether a worker of this host gave a sign lately."""
    from sqlalchemy.exc import SQLAlchemyError

    from app.database import open_engine

    engine = open_engine(settings)
    try:
        return Workers(engine, settings.worker_timeout).alive_here()
    except SQLAlchemyError:
        return False
    finally:
        engine.dispose()


@blueprint.get("/healthz")
@described(forms.Health, tag="Health")
def healthz() -> Response:
    """The process answers."""
    return jsonify(status="alive")


@blueprint.get("/readyz")
@described(forms.Readiness, tag="Health")
def readyz() -> Response:
    """A claim would be taken and run: the database takes it, the store is open, the models are loaded and somebody works
    on checks; else 503 and the reason."""
    own = services()
    if fault := own.probe.fault():
        raise Problem(503, fault, {"Retry-After": "1"})
    corpus = own.resources.corpus()
    if own.readiness.reason:
        raise Problem(503, own.readiness.reason, {"Retry-After": "1"})
    if not own.jobs.attended():
        raise Problem(503, UNATTENDED, {"Retry-After": "1"})
    return jsonify(status="ready", corpus={"fingerprint": corpus.fingerprint, "pages": corpus.pages})
