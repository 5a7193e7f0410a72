"""What every view works with, made once by `create_app`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import current_app

from app.http.security import RateLimit
from app.jobs.checked_before import CheckedBefore
from app.jobs.jobs import Jobs
from app.jobs.loads.runner import LoadRunner
from app.jobs.readiness import Readiness
from app.tables.checks import Checks
from app.tables.decisions import Decisions
from app.tables.loads import Loads
from app.tables.probe import Probe
from app.tables.texts import Texts
from retrieval.settings import Settings

if TYPE_CHECKING:
    from app.jobs.readers.documents import Uploads
    from app.jobs.readers.texts import TextReader


@dataclass(frozen=True)
class Services:
    """The application's own objects."""

    settings: Settings
    resources: Any
    checks: Checks
    jobs: Jobs
    readiness: Readiness
    probe: Probe
    rate: RateLimit
    uploads: Uploads
    texts: Texts
    before: CheckedBefore
    text_reader: TextReader
    decisions: Decisions
    loads: Loads
    runner: LoadRunner


def services() -> Services:
    """The services of the application that answers this request."""
    own: Services = current_app.extensions["esoteric"]
    return own
