"""Loads corpus and models in the background before the first check."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from typing import Any

from app.jobs.jobs import Jobs
from retrieval.errors import EsotericError

log = logging.getLogger(__name__)

LOADING = "The models are still being loaded. Try again in a few seconds."
CORPUS_LOOK_EVERY = 1.0  # seconds between two attempts to find a corpus


class Readiness:
    """Launches the jobs and loads the models, without delaying the first page. reason: why no check can run yet, if so."""

    def __init__(self, jobs: Jobs, resources: Any) -> None:
        self.jobs = jobs
        self.resources = resources
        self.reason = LOADING

    @property
    def obstacle(self) -> str:
        """The reason, unless waiting is enough."""
        return "" if self.reason == LOADING else self.reason

    def start(self) -> None:
        """Launch the jobs and load corpus and models in the background, trying until it succeeds."""
        threading.Thread(target=self._start, name="readiness", daemon=True).start()

    def _start(self) -> None:
        while not self._launched():
            time.sleep(10 * CORPUS_LOOK_EVERY)
        self.load()

    def _launched(self) -> bool:
        """Launch the jobs; False if that failed, as with a full disk or while the database is away."""
        try:
            self.jobs.launch()
        except Exception:
            log.exception("The jobs cannot be launched")
            self.reason = "Checks cannot be started yet. See the server's log; the program keeps trying."
            with contextlib.suppress(Exception):
                self.jobs.close()
            return False
        self.reason = LOADING
        return True

    def load(self) -> None:
        """Load corpus and models, trying until it succeeds; only the corpus if no checks run in this process."""
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
                pause.wait(CORPUS_LOOK_EVERY)
            except Exception:
                log.exception("Loading failed")
                self.reason = "The models cannot be loaded. See the server's log."
                pause.wait(10 * CORPUS_LOOK_EVERY)
