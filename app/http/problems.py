"""Turns every error into a page, or into RFC 9457 problem+json for programs. It says what happened and what to do next."""

from __future__ import annotations

import errno
import json
import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus

from flask import Response, current_app, g, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, SecurityError

from app.errors import Busy, TurnedOff, Unusable
from app.http.logs import request_id
from app.jobs.sources import NothingToRead
from app.tables.database import storable
from app.tables.people import AccountError
from retrieval.errors import ClaimError, EsotericError, ModelError, RecipeError, StoreError

log = logging.getLogger(__name__)

RETRY_AFTER = 5  # seconds
SENTENCES = {
    400: "The request cannot be read. Send it again as the documentation describes.",
    404: "There is nothing at this address. Start again from the home page.",
    413: "What you sent is too large. Send one claim, a text of at most 100,000 characters, or at most 2,000 claims.",
    415: "The request must be JSON. Send it with the header Content-Type: application/json.",
    431: "The request's headers are too large. Delete this site's cookies and try again.",
    500: "Something went wrong inside the program. Try again; the server's log says what it was.",
}
TITLES = {  # of a page, where HTTP's own words say little to a person
    400: "This could not be read",
    403: "Not allowed",
    404: "Nothing is here",
    413: "Too large",
    422: "This cannot be used",
    500: "Something went wrong",
    503: "Not possible right now",
    507: "The disk is full",
}
TOO_LARGE_TO_UPLOAD = (
    "What you sent is too large: all files together may have {:,} MB. Split them, or save only what should be read, and "
    "send the parts one by one."
)
NO_TOKEN = (
    "The form could not be matched to this browser, as happens after a long pause or with cookies turned off. Go back, "
    "reload the page and send it again."
)
OTHER_HOST = "This application does not answer to that host name. To allow it, add the name to TRUSTED_HOSTS."
DISK_FULL = "The server's disk is full, so nothing can be stored. Free some space on it, then try again."
NO_DATABASE = "The database of checks cannot be used right now. Check that the disk is not full, then try again."
STATUS: Mapping[type[EsotericError], int] = {  # of the first class that an error is an instance of
    NothingToRead: 404,
    ClaimError: 422,
    RecipeError: 422,
    Unusable: 422,
    AccountError: 422,
    TurnedOff: 403,
    Busy: 503,
    StoreError: 503,
    ModelError: 503,
    EsotericError: 500,
}


class Problem(Exception):
    """A refusal: its status, a sentence for people, and headers to send with it."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}


def as_problem(error: Exception) -> Problem:
    """Any error as a problem."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, EsotericError):
        status = next(status for kind, status in STATUS.items() if isinstance(error, kind))
        wait = getattr(error, "retry_after", RETRY_AFTER)
        return Problem(status, str(error), {"Retry-After": str(wait)} if status == 503 else None)
    if isinstance(error, HTTPException):
        return _http_problem(error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        log.error("The disk is full")
        return Problem(507, DISK_FULL, {"Retry-After": "60"})
    if isinstance(error, OperationalError):
        log.error("The database of checks failed: %s", error.orig)
        return Problem(503, NO_DATABASE, {"Retry-After": str(RETRY_AFTER)})
    log.error("Unexpected error at %s", request.path, exc_info=error)
    return Problem(500, SENTENCES[500])


def page_with(error: Exception, page: Callable[[Problem], str]) -> Response:
    """The page with the form again, and with the error."""
    problem = as_problem(error)
    return make_response(page(problem), problem.status, problem.headers)


def read_name(typed: str, longest: int) -> str:
    """The name that somebody typed, without needless spaces; it may be empty. Raises Problem 422."""
    name = " ".join(typed.split())
    if not storable(name):
        raise Problem(422, "The name contains a character that cannot be stored. Type it again.")
    if len(name) > longest:
        raise Problem(422, f"The name has {len(name):,} characters; at most {longest} are allowed. Shorten it.")
    return name


def wants_json() -> bool:
    """Whether the request is for an address that programs read."""
    path = request.path
    return path.startswith("/api/") or path in ("/healthz", "/readyz") or path.endswith((".json", ".jsonld"))


def problem_json(problem: Problem) -> Response:
    """The problem as RFC 9457 has it."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
        "instance": request.path,
        "request": request_id(),
    }
    return current_app.response_class(
        json.dumps(body), problem.status, problem.headers, mimetype="application/problem+json"
    )


def answer(error: Exception) -> Response:
    """The answer to any error."""
    if isinstance(error, HTTPException) and (error.code or 500) < 400:
        return error.get_response()  # type: ignore[return-value]  # a redirect is no problem
    problem = as_problem(error)
    if wants_json():
        return problem_json(problem)
    if isinstance(error, SecurityError):  # a page needs addresses, which cannot be built for this host
        return current_app.response_class(problem.detail, problem.status, mimetype="text/plain")
    title = TITLES.get(problem.status) or HTTPStatus(problem.status).phrase
    page = render_template("http/problem.html", problem=problem, title=title)
    return make_response(page, problem.status, problem.headers)


def _http_problem(error: HTTPException) -> Problem:
    status = error.code or 500
    if isinstance(error, CSRFError):
        return Problem(400, NO_TOKEN)
    if isinstance(error, SecurityError):
        return Problem(400, OTHER_HOST)
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        return Problem(
            405, f"This address does not accept {request.method}. Use one of: {allowed}.", {"Allow": allowed}
        )
    most = g.get("most_uploaded", 0)
    if status == 413 and most and (request.content_length or most + 1) > most:  # else a text in a form's field
        return Problem(413, TOO_LARGE_TO_UPLOAD.format(most // 1_000_000))
    return Problem(status, SENTENCES.get(status, f"{error.description or error.name} Try again."))
