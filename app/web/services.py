"""What every view works with, made once by `create_app`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import current_app, g, request

from app.accounts.ownership import Owned, may_change, may_see
from app.accounts.signing_in import viewer
from app.asking.checked_before import CheckedBefore
from app.database import storable
from app.jobs.checks import Checks
from app.jobs.jobs import Jobs, Submitted
from app.jobs.stored_check import LONGEST_NAME, StoredCheck
from app.probe import Probe
from app.problems import Problem, unknown_check
from app.readiness import Readiness
from app.reports.decisions import Decisions
from app.reports.texts import Texts
from app.security import RateLimit, person
from app.sources.documents import Uploaded
from app.sources.opening import GONE, NothingToRead
from retrieval.errors import StoreError
from retrieval.output.headline import LABELS
from retrieval.settings import Settings
from retrieval.stores.named import UPLOAD, parts_of
from retrieval.text.claims import read_claim

if TYPE_CHECKING:
    from app.reports.text_reading import TextReader
    from app.sources.uploads import Uploads


LONGEST_SEARCH = 500  # characters


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
    """The services of the application that answers this request."""
    own: Services = current_app.extensions["esoteric"]
    return own


def find_check(check_id: str, to_change: bool = False) -> StoredCheck:
    """The check of this id. Raises Problem 404 where who asks may not see it either, 403 where they may not change it."""
    if storable(check_id) and (check := services().checks.get(check_id)) and may_see(check, viewer()):
        if to_change:
            refuse_others(check)
        return check
    raise unknown_check()


def rename_check(found: StoredCheck, given: str) -> None:
    """Give a check another name; without words, none. Raises Problem 422."""
    name = " ".join(given.split())
    if not storable(name):
        raise Problem(422, "The name contains a character that cannot be stored. Type it again.")
    if len(name) > LONGEST_NAME:
        raise Problem(422, f"The name has {len(name):,} characters, and at most {LONGEST_NAME} are kept. Shorten it.")
    services().checks.rename(found, name)


def read_search(search: str, verdict: str) -> tuple[str, str]:
    """The search words, and a label or nothing. Raises Problem 400."""
    search = search.strip()[:LONGEST_SEARCH]
    if not storable(search):
        raise Problem(400, "The search contains a character that cannot be stored. Type it again.")
    return search, verdict if verdict in LABELS else ""


def find_documents(documents_id: str, to_change: bool = False) -> Uploaded:
    """The documents of this id. Raises as `find_check` does."""
    found = services().jobs.documents.get(documents_id) if storable(documents_id) else None
    if found and may_see(found, viewer()):
        if to_change:
            refuse_others(found)
        return found
    raise Problem(404, "There are no documents with this number. They may have been deleted.")


def web_host() -> str:
    """Where questions are sent if the open web is read, as `web_hint.html` says; empty if it is switched off."""
    from retrieval.web.engines import searched_at

    settings = services().settings
    return searched_at(settings) if settings.searches_web else ""


def corpus_parts() -> dict[str, Any]:
    """What `against.html` says of the settings' corpus and the open web, and why there is no corpus if it cannot be
    read.
    """
    fetches, left_out = services().settings.fetches_pages, services().resources.left_out()
    try:
        return {
            "web_host": web_host(),
            "fetches_pages": fetches,
            "left_out": left_out,
            "corpus": services().resources.corpus(),
            "corpus_problem": "",
        }
    except StoreError as error:
        without = {"corpus": None, "corpus_problem": str(error), "left_out": left_out}
        return {"web_host": web_host(), "fetches_pages": fetches, **without}


def upload() -> str:
    """Take the files of this request; returns the id of the documents. Raises what `Uploads.take` raises."""
    own, shared = services(), request.form.get("shared") == "1"
    own.rate.take(person())
    name, language = request.form.get("name", ""), request.form.get("language", "")
    g.about = own.uploads.take(request.files.getlist("files"), name, person(), viewer(), shared, language)
    return str(g.about)


def submit(text: str, recipe: str, fresh: bool, against: str = "", shared: bool = False) -> Submitted:
    """Start a check on behalf of who sent this request. Raises what `read_claim` and `Jobs.submit` raise."""
    own = services()
    claim = read_claim(text, own.settings.claim_length)
    own.rate.take(person())
    refuse_hidden(against)
    submitted = own.jobs.submit(claim, recipe or own.settings.recipe, fresh, against, person(), viewer(), shared)
    g.about = submitted.id
    return submitted


def refuse_hidden(against: str) -> None:
    """Raises NothingToRead where uploads are named that who asks may not see, as where they are not there."""
    if viewer() is None:
        return
    for part in parts_of(against):
        if part.startswith(UPLOAD):
            found = services().jobs.documents.get(part.removeprefix(UPLOAD)) if storable(part) else None
            if found is None or not may_see(found, viewer()):
                raise NothingToRead(GONE)


def refuse_others(found: Owned) -> None:
    """Raises Problem 403 where who asks may not change it."""
    if not may_change(found, viewer()):
        raise Problem(403, "This belongs to somebody else. Only they and admins may change or delete it.")
