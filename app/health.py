"""Whether the process lives, and whether it can check claims yet."""

from __future__ import annotations

import logging
import threading
from typing import Any

from flask import Blueprint, Response, jsonify

from app.parts import parts
from app.problems import Problem
from retrieval.errors import EsotericError

log = logging.getLogger(__name__)
blueprint = Blueprint("health", __name__)

LOADING = "The models are still being loaded. Ask again in a few seconds."
AGAIN = 1.0  # seconds between two looks for a corpus


class Readiness:
    """Loads corpus and models in the background, trying until they are there. reason: why not yet, empty when ready."""

    def __init__(self, resources: Any) -> None:
        self.resources = resources
        self.reason = LOADING

    def start(self) -> None:
        """Begin, without waiting."""
        threading.Thread(target=self._load, name="readiness", daemon=True).start()

    def _load(self) -> None:
        pause = threading.Event()
        while self.reason:
            try:
                self.resources.warm_up()
                self.reason = ""
            except EsotericError as error:
                self.reason = str(error)
                pause.wait(AGAIN)
            except Exception:
                log.exception("Loading failed")
                self.reason = "The models cannot be loaded. See the server's log."
                pause.wait(10 * AGAIN)


@blueprint.get("/healthz")
def healthz() -> Response:
    """The process answers."""
    return jsonify(status="alive")


@blueprint.get("/readyz")
def readyz() -> Response:
    """The store is open and the models are loaded; else 503 and the reason."""
    own = parts()
    corpus = own.resources.corpus()
    if own.readiness.reason:
        raise Problem(503, own.readiness.reason, {"Retry-After": "1"})
    return jsonify(status="ready", corpus={"fingerprint": corpus.fingerprint, "pages": corpus.pages})
