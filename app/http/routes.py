"""The rules of a route, declared above its function: who may use it, its line in the audit log, its largest body.

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

MAX_BODY = 256 * 1024  # bytes, unless a route says otherwise
LARGE_TEXT = 1_500_000  # bytes: a text of 100,000 characters, each percent-encoded
LARGEST_BODY = 8_000_000  # bytes: 2,000 claims with such a text, each escaped


@dataclass(frozen=True)
class Rules:
    """open: whether people may use it without signing in. audited: its line in the audit log, if any; names in braces are
    filled in from the address and from `g.details`. body: most bytes of a request. files: whether it may also have files,
    up to the limit of the settings.
    """

    open: bool = False
    audited: str = ""
    body: int = MAX_BODY
    files: bool = False


def open_to_all(view: View) -> View:
    """People may use it without signing in."""
    return _noted(view, open=True)


def audited(what: str) -> Callable[[View], View]:
    """The line in the audit log, such as "renamed {name}"."""
    return lambda view: _noted(view, audited=what)


def takes(body: int = MAX_BODY, *, files: bool = False) -> Callable[[View], View]:
    """The largest body. See `Rules`."""
    return lambda view: _noted(view, body=body, files=files)


def rules_of(view: Callable[..., Any] | None) -> Rules:
    """The rules declared above a view; the defaults if there are none."""
    found: Rules = getattr(view, "rules", Rules())
    return found


def rules() -> Rules:
    """The rules of the view that answers this request."""
    return rules_of(current_app.view_functions.get(request.endpoint or ""))


def _noted(view: View, **more: Any) -> View:
    view.rules = replace(rules_of(view), **more)  # type: ignore[attr-defined]
    return view
