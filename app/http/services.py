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
from app.jobs.reports import ReportRuns
from app.jobs.retention import Retention
from app.jobs.sources import Sources
from app.tables.checks import Checks
from app.tables.claim_tables import ClaimTables
from app.tables.collections import Collections
from app.tables.decisions import Decisions
from app.tables.deletions import Deletions
from app.tables.documents import Documents
from app.tables.loads import Loads
from app.tables.probe import Probe
from app.tables.reports import Reports
from app.tables.texts import Texts
from retrieval.settings import Settings

if TYPE_CHECKING:
    from app.jobs.readers.documents import Uploads
    from app.jobs.readers.texts import TextReader


@dataclass(frozen=True)
class Services:
    """The application's own objects: tables, work in the background, what a request is measured by."""

    settings: Settings
    resources: Any
    checks: Checks
    decisions: Decisions
    reports: Reports
    collections: Collections
    texts: Texts
    claim_tables: ClaimTables
    documents: Documents
    deletions: Deletions
    sources: Sources
    jobs: Jobs
    report_runs: ReportRuns
    retention: Retention
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
    own: Services = current_app.extensions["esoteric"]
    return own
