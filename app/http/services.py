"""The services that views use, made once by `create_app`."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from flask import current_app

from app.http.security import RateLimit
from app.jobs.checked_before import CheckedBefore
from app.jobs.jobs import Work
from app.jobs.loads.runner import LoadRunner
from app.jobs.readers.documents import Uploads
from app.jobs.readers.texts import TextReader
from app.jobs.readiness import Readiness
from app.tables.loads import Loads, home_of
from app.tables.probe import Probe
from retrieval.settings import Settings


class Services(Work):
    """The parts of every process, and those that only a process that serves pages needs."""

    def __init__(self, settings: Settings, resources: Any, engine: sa.Engine) -> None:
        super().__init__(settings, resources, engine)
        self.before = CheckedBefore(engine, resources)
        self.uploads = Uploads(settings, self.documents)
        self.text_reader = TextReader(settings, self.texts, resources, self.before.prepare)
        self.loads = Loads(engine, home_of(settings.data))
        self.runner = LoadRunner(settings, self.loads)
        self.readiness = Readiness(self.worker, resources)
        self.probe = Probe(settings)
        self.rate = RateLimit(settings.rate_limit)


def services() -> Services:
    """The services of the application that answers this request."""
    opened: Services = current_app.extensions["esoteric"]
    return opened
