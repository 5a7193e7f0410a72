"""Whether the process lives, and whether it can check claims yet."""

from __future__ import annotations

import logging
import threading
from typing import Any

from flask import Blueprint, Response, jsonify

from app.jobs.jobs import Jobs
from app.jobs.signs_of_life import Workers
from app.problems import Problem
from app.web.services import services
from retrieval.errors import EsotericError
from retrieval.settings import Settings

log = logging.getLogger(__name__)
blueprint = Blueprint("health", __name__)

LOADING = "The models are still being loaded. Ask again in a few seconds."
UNATTENDED = "No worker runs, so checks wait. Start one with `python -m app worker` on the same DATABASE."
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
        """Load corpus and models, trying until they are there; without work in this process, the corpus alone."""
        pause = threading.Event()
        while self.reason:
            try:
                if self.jobs.settings.workers:
                    self.resources.warm_up()
                else:
                    self.resources.corpus()
                self.reason = ""
            except EsotericError as error:
                self.reason = str(error)
                pause.wait(AGAIN)
            except Exception:
                log.exception("Loading failed")
                self.reason = "The models cannot be loaded. See the server's log."
                pause.wait(10 * AGAIN)


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

    try:
        return Workers(open_engine(settings), settings.worker_timeout).alive_here()
    except SQLAlchemyError:
        return False


@blueprint.get("/healthz")
def healthz() -> Response:
    """The process answers."""
    return jsonify(status="alive")


@blueprint.get("/readyz")
def readyz() -> Response:
    """The store is open, the models are loaded and somebody works on checks; else 503 and the reason."""
    own = services()
    corpus = own.resources.corpus()
    if own.readiness.reason:
        raise Problem(503, own.readiness.reason, {"Retry-After": "1"})
    if not own.jobs.attended():
        raise Problem(503, UNATTENDED, {"Retry-After": "1"})
    return jsonify(status="ready", corpus={"fingerprint": corpus.fingerprint, "pages": corpus.pages})
