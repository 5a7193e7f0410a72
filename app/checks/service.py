"""Finds, starts and renames checks, stores decisions about them, and writes them as JSON."""

from __future__ import annotations

import threading

from flask import g, url_for

from app.accounts.service import find_row, viewer
from app.checks.forms import CheckForm, CheckSummary, Created
from app.documents.service import refuse_hidden
from app.http.paging import A_PAGE, Page, read_page
from app.http.problems import Problem, read_name
from app.http.security import person
from app.http.services import services
from app.jobs.jobs import Submitted
from app.tables import ownership
from app.tables.database import storable
from app.tables.decisions import LONGEST_AUTHOR, LONGEST_NOTE, CheckGone, Decision
from app.tables.stored_check import DONE, FAILED, LONGEST_CHECK_NAME, StoredCheck
from retrieval.output.record import Json, evidence_forms, public_check
from retrieval.stores.named import together
from retrieval.text.claims import read_claim
from retrieval.types import Label

NO_CHECK = "There is no check with this id; it may have been deleted. Look for it in the history."
BEST_SENTENCES = 10  # of the scored sentences, in the public JSON
HELD_AT_ONCE = 4  # requests that wait for news; each takes a thread of the server
_held = threading.BoundedSemaphore(HELD_AT_ONCE)


def find_check(check_id: str, to_change: bool = False, wait: float = 0) -> StoredCheck:
    """The check with this id. Raises Problem 404 if the viewer may not see it, 403 if they may not change it.

    wait: seconds to wait for news of the check; if many requests wait already, this one does not.
    """
    if wait and storable(check_id) and _held.acquire(blocking=False):
        try:
            services().checks.await_news(check_id, wait)
        finally:
            _held.release()
    return find_row(services().checks.get, check_id, NO_CHECK, to_change)


def page_of_checks(search: str, verdict: str, before: str | None, limit: int = A_PAGE) -> Page[StoredCheck]:
    """A page of the checks that the viewer may see, newest first. before: id of the check after which it begins. Raises
    Problem 404 if that does not exist.
    """
    if before:
        find_check(before)
    return read_page(lambda rows: services().checks.latest(rows, before or None, search, viewer(), verdict), limit)


def rename_check(found: StoredCheck, name: str) -> None:
    """Rename a check; an empty name removes the one it has. Raises Problem 422."""
    services().checks.rename(found, read_name(name, LONGEST_CHECK_NAME))


def submit(text: str, recipe: str, fresh: bool, against: str = "", shared: bool = False) -> Submitted:
    """Start a check for the viewer. Raises what `read_claim` and `Work.submit` raise."""
    settings = services().settings
    claim = read_claim(text, settings.claim_length)
    services().rate.take(person())
    refuse_hidden(against)
    whose = (person(), viewer(), shared)
    submitted = services().submit(claim, recipe or settings.recipe, fresh, against, *whose)
    g.about = submitted.id
    return submitted


def read_against(against: str | list[str] | None) -> str:
    """The name of what to check against; a request gives one name, several or none. Raises ClaimError."""
    return together(against if isinstance(against, list) else [against or ""])


def live_json(check: StoredCheck) -> Json:
    """The public JSON of a check, with the best sentences so far."""
    waiting: Json = {}
    if check.unfinished:
        waiting = {"error": None, "waiting_for": check.error or services().worker.obstacle()}
        waiting["waiting_before"] = services().checks.waiting_before(check)
    shown = public_check(check.latest, state=check.state, created=check.created, finished=check.finished)
    best = evidence_forms(check.latest, check.latest.sentences[:BEST_SENTENCES])
    decisions, shared = services().decisions.of_check(check.id), ownership.open_to_all(check)
    return CheckForm.of(shown, check, sentences=best, decisions=decisions, shared=shared, **waiting).as_json()


def summary(check: StoredCheck, decision: Decision | None) -> CheckSummary:
    """A check in a list."""
    return CheckSummary.of(check, verdict=check, decision=decision, url=url_for("checks.check", check_id=check.id))


def created(submitted: Submitted) -> Created:
    """The answer to a request that started a check."""
    return Created.of(submitted, url=url_for("checks.check", check_id=submitted.id))


def can_be_decided(check: StoredCheck) -> bool:
    """Whether a person can sign a verdict: the check is done or has failed."""
    return check.state in (DONE, FAILED)


def decide(check: StoredCheck, label: str, note: str, author: str, seen: int | None) -> Decision:
    """Store a decision, signed with the viewer's name if there are accounts. label: empty to withdraw. seen: number of
    decisions that the author saw. Raises Problem and DecidedMeanwhile.
    """
    if not can_be_decided(check):
        raise Problem(
            409,
            f"This check is {check.state}, and you can decide only about one that is done or has failed. Wait for its end, "
            "or check the claim again.",
        )
    if account := viewer():
        author = account.name
    if label and label not in [str(known) for known in Label]:
        raise Problem(422, f"{label[:40]!r} is not a verdict. Choose one of: {', '.join(map(str, Label))}.")
    author, note = " ".join(author.split()), note.strip()
    if not author:
        raise Problem(422, "Your name is missing. A decision is signed with a name.")
    if len(author) > LONGEST_AUTHOR or len(note) > LONGEST_NOTE:
        raise Problem(
            422, f"A name has at most {LONGEST_AUTHOR} characters, a note at most {LONGEST_NOTE:,}. Shorten it."
        )
    if not (storable(author) and storable(note)):
        raise Problem(422, "The name or the note contains a character that cannot be stored. Type it again.")
    if not label and not services().decisions.of_check(check.id):
        raise Problem(422, "Nobody has signed a verdict yet, so there is nothing to withdraw. Choose a verdict.")
    try:
        return services().decisions.add(check.id, Label(label) if label else None, note, author, person(), seen)
    except CheckGone:
        raise Problem(404, NO_CHECK) from None
