"""The rules of a route, declared above its function: who may use it, its line in the audit log, how large a body may be.

@blueprint.post("/checks")
@audited("asked for a check")
@takes(1_500_000, files=True)
def start() -> ResponseReturnValue: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from flask import current_app, request

View = TypeVar("View", bound=Callable[..., Any])

MAX_BODY = 256 * 1024  # bytes, where a route says nothing else
LARGE_TEXT = 1_500_000  # bytes: a text of 100,000 characters, each percent-encoded
LARGEST_BODY = 8_000_000  # bytes: 2,000 claims with such a text, each escaped


@dataclass(frozen=True)
class Rules:
    """open: also for people who have not signed in. audited: its line in the audit log, with values of the address and of
    `g.details` in braces; empty: none. body: the most bytes that a request may have. files: whether it may also hold as
    many bytes of files as the settings allow.
    """

    open: bool = False
    audited: str = ""
    body: int = MAX_BODY
    files: bool = False


def open_to_all(view: View) -> View:
    """People need not have signed in."""
    return _noted(view, open=True)


def audited(what: str) -> Callable[[View], View]:
    """What a person did, as in "renamed {name}", for the audit log."""
    return lambda view: _noted(view, audited=what)


def takes(body: int = MAX_BODY, *, files: bool = False) -> Callable[[View], View]:
    """How large a body may be. See `Rules`."""
    return lambda view: _noted(view, body=body, files=files)


def rules_of(view: Callable[..., Any] | None) -> Rules:
    """The rules declared above a view; the defaults if there are none."""
    found: Rules = getattr(view, "rules", Rules())
    return found


def rules() -> Rules:
    """Of the view that answers this request."""
    return rules_of(current_app.view_functions.get(request.endpoint or ""))


def _noted(view: View, **more: Any) -> View:
    view.rules = replace(rules_of(view), **more)  # type: ignore[attr-defined]
    return view
