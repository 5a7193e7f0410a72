"""The rules of a route, declared above its function: who may use it, its line in the audit log, its largest body.

@blueprint.post("/checks")
@audited("asked for a check")
@takes(1_500_000, files=True)
def start() -> ResponseReturnValue: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, TypeVar

from flask import current_app, request

View = TypeVar("View", bound=Callable[..., Any])

MAX_BODY = 256 * 1024  # bytes, unless a route says otherwise
LARGE_TEXT = 1_500_000  # bytes: a text of 100,000 characters, each percent-encoded
LARGEST_BODY = 8_000_000  # bytes: 2,000 claims with such a text, each escaped


class Who(Enum):
    """Who may use a route. `app/accounts/service.py` refuses everybody else, before the view runs."""

    PEOPLE = auto()  # whoever has signed in, and everybody without accounts; readers only read
    EVERYBODY = auto()  # signed in or not
    ARRIVING = auto()  # everybody; the route does not exist without accounts, nor do the next two
    HOLDERS = auto()  # whoever has signed in, readers too, but in a browser and not with a token
    ADMINS = auto()  # the same, if they are admins
    OPERATORS = auto()  # admins; without accounts everybody, if no other machine can reach the server


@dataclass(frozen=True)
class Rules:
    """refusals: sentences for those who may not. audited: its line in the audit log, if any; names in braces are filled in
    from the address and from `g.details`. body: most bytes of a request. files: whether it may also have files, up to the
    limit of the settings.
    """

    who: Who = Who.PEOPLE
    refusals: tuple[str, ...] = ()
    audited: str = ""
    body: int = MAX_BODY
    files: bool = False


def open_to_all(view: View) -> View:
    """Everybody may use it, without signing in."""
    return _for(Who.EVERYBODY)(view)


def for_signing_in(view: View) -> View:
    """Everybody may use it on a server with accounts."""
    return _for(Who.ARRIVING)(view)


def about_accounts(view: View) -> View:
    """Whoever has signed in with a browser may use it, for their own account."""
    return _for(Who.HOLDERS)(view)


def for_admins(refusal: str) -> Callable[[View], View]:
    """Admins may use it, with a browser. refusal: what others are told."""
    return _for(Who.ADMINS, refusal)


def for_operators(refusal: str, elsewhere: str) -> Callable[[View], View]:
    """Admins may use it; without accounts, everybody at the server's machine. refusal: what other people are told, elsewhere:
    what other machines are.
    """
    return _for(Who.OPERATORS, refusal, elsewhere)


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


def _for(who: Who, *refusals: str) -> Callable[[View], View]:
    def declare(view: View) -> View:
        if rules_of(view).who is not Who.PEOPLE:
            raise TypeError(f"{view.__name__} says twice who may use it.")
        return _noted(view, who=who, refusals=refusals)

    return declare


def _noted(view: View, **more: Any) -> View:
    view.rules = replace(rules_of(view), **more)  # type: ignore[attr-defined]
    return view
