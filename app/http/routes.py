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
    ADMINS = auto()  # admins, in a browser and not with a token
    OPERATORS = auto()  # admins; without accounts everybody, if no other machine can reach the server


@dataclass(frozen=True)
class Rules:
    """refusals: sentences for those who may not use it. audited: its line in the audit log, if any, with names in braces that
    the address and `g.details` fill in. body: bytes of the largest request, beside files. files: whether it may have any."""

    who: Who = Who.PEOPLE
    refusals: tuple[str, ...] = ()
    audited: str = ""
    body: int = MAX_BODY
    files: bool = False


def for_admins(refusal: str) -> Callable[[View], View]:
    """Admins may use it, in a browser. refusal: the sentence for others."""
    return _for(Who.ADMINS, refusal)


def for_operators(refusal: str, elsewhere: str) -> Callable[[View], View]:
    """Admins may use it; without accounts, everybody on the server's machine. refusal, elsewhere: the sentences for other
    people and for other machines."""
    return _for(Who.OPERATORS, refusal, elsewhere)


def audited(what: str) -> Callable[[View], View]:
    """The line in the audit log, such as "renamed {name}"."""
    return lambda view: _with_rules(view, audited=what)


def takes(body: int = MAX_BODY, *, files: bool = False) -> Callable[[View], View]:
    """The largest body. See `Rules`."""
    return lambda view: _with_rules(view, body=body, files=files)


def rules_of(view: Callable[..., Any] | None) -> Rules:
    """The rules declared above a view; the defaults if there are none."""
    return getattr(view, "rules", Rules())


def rules() -> Rules:
    """The rules of the view that answers this request."""
    return rules_of(current_app.view_functions.get(request.endpoint or ""))


def _for(who: Who, *refusals: str) -> Callable[[View], View]:
    def declare(view: View) -> View:
        if rules_of(view).who is not Who.PEOPLE:
            raise TypeError(f"{view.__name__} says twice who may use it.")
        return _with_rules(view, who=who, refusals=refusals)

    return declare


open_to_all = _for(Who.EVERYBODY)
for_signing_in = _for(Who.ARRIVING)
about_accounts = _for(Who.HOLDERS)


def _with_rules(view: View, **more: Any) -> View:
    view.rules = replace(rules_of(view), **more)  # type: ignore[attr-defined]
    return view
