"""The services that views use, made once by `create_app`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import current_app

from app.http.security import RateLimit
from app.jobs.checked_before import CheckedBefore
from app.jobs.jobs import Work
from app.jobs.loads.runner import LoadRunner
from app.jobs.readiness import Readiness
from app.tables.loads import Loads
from app.tables.probe import Probe

if TYPE_CHECKING:
    from app.jobs.readers.documents import Uploads
    from app.jobs.readers.texts import TextReader


@dataclass(frozen=True)
class Services(Work):
    """The work of every process, and what only one that serves pages needs."""

    before: CheckedBefore
    uploads: Uploads
    text_reader: TextReader
    loads: Loads
    runner: LoadRunner
    readiness: Readiness
    probe: Probe
    rate: RateLimit


def services() -> Services:
    """The services of the application that answers this request."""
    found: Services = current_app.extensions["esoteric"]
    return found
