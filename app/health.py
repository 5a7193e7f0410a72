"""Whether the process lives, and whether it can check claims yet."""

from __future__ import annotations

import logging
import threading
from typing import Any

from flask import Blueprint, Response, jsonify

from app.jobs import Jobs
from app.parts import parts
from app.problems import Problem
from retrieval.errors import EsotericError

log = logging.getLogger(__name__)
blueprint = Blueprint("health", __name__)

LOADING = "The models are still being loaded. Ask again in a few seconds."
AGAIN = 1.0  # seconds between two looks for a corpus


class Readiness:
    """Starts what takes long in the background, so that the first page does not wait for it.

    reason: why no check can be run yet, empty when ready.
    """

    def __init__(self, jobs: Jobs, resources: Any) -> None:
        self.jobs = jobs
        self.resources = resources
        self.reason = LOADING

    def start(self) -> None:
        """Launch the jobs and load corpus and models, trying until they are there, without waiting for it."""
        threading.Thread(target=self._start, name="readiness", daemon=True).start()

    def _start(self) -> None:
        try:
            self.jobs.launch()
        except Exception:
            log.exception("The jobs cannot be launched")
            self.reason = "Checks cannot be started. See the server's log, and start the program again."
            return
        self.load()

    def load(self) -> None:
        """Load corpus and models, trying until they are there."""
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
