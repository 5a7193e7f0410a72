"""Loads corpus and models in the background before the first check."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from app.jobs.worker import Worker
from retrieval.errors import EsotericError

log = logging.getLogger(__name__)

LOADING = "The models are still being loaded. Try again in a few seconds."
NOT_LAUNCHED = "Checks cannot be started yet. See the server's log; the program keeps trying."
NOT_LOADED = "The models cannot be loaded. See the server's log."
SECONDS_BETWEEN_TRIES = 1.0  # to find a corpus; ten times as long after an unexpected error


class Readiness:
    """Launches the worker and loads the models without delaying the first page. reason: why no check can run yet, or empty."""

    def __init__(self, worker: Worker, resources: Any) -> None:
        self.worker = worker
        self.resources = resources
        self.reason = LOADING

    @property
    def obstacle(self) -> str:
        """The reason, unless waiting is enough."""
        return "" if self.reason == LOADING else self.reason

    def start(self) -> None:
        """Launch the worker and load corpus and models in the background, retrying until that succeeds."""
        threading.Thread(target=self._start, name="readiness", daemon=True).start()

    def load(self) -> None:
        """Load corpus and models, retrying until that succeeds; only the corpus if no checks run in this process."""
        works = self.worker.settings.workers
        self._try(self.resources.warm_up if works else self.resources.corpus, NOT_LOADED)
        self.reason = ""

    def _start(self) -> None:
        self._try(self._launch, NOT_LAUNCHED)
        self.reason = LOADING
        self.load()

    def _launch(self) -> None:
        try:
            self.worker.launch()
        except Exception:
            with contextlib.suppress(Exception):
                self.worker.close()
            raise

    def _try(self, work: Callable[[], object], sentence: str) -> None:
        """Repeat the work until it succeeds: a disk may be full, or the database away. sentence: why, after an unexpected error."""
        while True:
            try:
                work()
                return
            except EsotericError as error:
                self.reason = str(error)
                time.sleep(SECONDS_BETWEEN_TRIES)
            except Exception:
                log.exception("The program is not ready yet")
                self.reason = sentence
                time.sleep(10 * SECONDS_BETWEEN_TRIES)
