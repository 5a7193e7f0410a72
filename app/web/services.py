"""What every view works with, made once by `create_app`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import current_app, request

from app.asking.checked_before import CheckedBefore
from app.database import storable
from app.jobs.checks import Checks, StoredCheck
from app.jobs.jobs import Jobs, Submitted
from app.jobs.probe import Probe
from app.jobs.readiness import Readiness
from app.problems import Problem, unknown_check
from app.reports.decisions import Decisions
from app.reports.texts import Texts
from app.security import RateLimit, person
from app.sources.documents import Uploaded
from retrieval.settings import Settings
from retrieval.text.claims import read_claim

if TYPE_CHECKING:
    from app.reports.reading import TextReader
    from app.sources.uploads import Uploads


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


def services() -> Services:
    """Those of the application that answers this request."""
    own: Services = current_app.extensions["esoteric"]
    return own


def find_check(check_id: str) -> StoredCheck:
    """The check of this id. Raises Problem 404."""
    if storable(check_id) and (check := services().checks.get(check_id)):
        return check
    raise unknown_check()


def find_documents(documents_id: str) -> Uploaded:
    """The documents of this id. Raises Problem 404."""
    if storable(documents_id) and (found := services().jobs.documents.get(documents_id)):
        return found
    raise Problem(404, "There are no documents with this number. They may have been deleted.")


def upload() -> str:
    """Take the files of this request; returns the id of the documents. Raises what `Uploads.take` raises."""
    own = services()
    own.rate.take(person())
    return own.uploads.take(request.files.getlist("files"), request.form.get("name", ""), person())


def submit(text: str, recipe: str, fresh: bool, against: str = "") -> Submitted:
    """Start a check on behalf of who sent this request. Raises what `read_claim` and `Jobs.submit` raise."""
    own = services()
    claim = read_claim(text, own.settings.claim_length)
    own.rate.take(person())
    return own.jobs.submit(claim, recipe or own.settings.recipe, fresh, against, person())
