"""Identifies who sends a request before every view, and refuses whom the route is not for: no view can forget to. The route
declares whom it is for (`app/http/routes.py`).

People sign in with a password, through a trusted proxy (ACCOUNT_HEADER) or an OpenID provider; programs send a token. If
ACCOUNTS is off, `viewer` is None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from flask import Flask, abort, current_app, g, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from app.http.problems import Problem, wants_json
from app.http.routes import Rules, Who, rules
from app.http.security import ACCOUNT, SAFE, RateLimit, is_loopback, person
from app.tables.audit import Audit
from app.tables.database import storable
from app.tables.ownership import Account, Owned, may_change, may_see
from app.tables.people import People
from app.tables.sessions import Sessions
from app.tables.tokens import Tokens
from retrieval.settings import Settings

Row = TypeVar("Row", bound=Owned)

KEY = "key"  # name of the session's key in the cookie
SIGN_IN = "Sign in first. Programs send a token: Authorization: Bearer TOKEN."
WRONG_TOKEN = "This token is not valid; it may have been revoked. Make another on your account's page."
READERS = "Your account may read but not change anything. Ask an admin to let you check claims."
TOKENS_HERE = "A token cannot change accounts. Sign in with a browser."
TOO_MANY = "There were more than {} attempts to sign in within a minute. Wait a moment, then try again."

SIGNED_IN, REFUSED = "signed in", "was refused"


@dataclass(frozen=True)
class Accounts:
    """People, their sessions and tokens, and the audit log."""

    settings: Settings
    people: People
    sessions: Sessions
    tokens: Tokens
    audit: Audit
    attempts: RateLimit

    @classmethod
    def of(cls, engine: sa.Engine, settings: Settings) -> Accounts:
        attempts = RateLimit(settings.login_limit, TOO_MANY.format(settings.login_limit))
        return cls(settings, People(engine), Sessions(engine, settings), Tokens(engine), Audit(engine), attempts)

    def give_password(self, person: Account, password: str) -> None:
        """Change a person's password and end their sessions. Raises AccountError."""
        self.people.change(person, password=password)
        self.sessions.end_all(person)

    @property
    def audited(self) -> bool:
        """Whether the audit log is written: with accounts, or on a server that other machines can reach."""
        return self.settings.accounts or not is_loopback(self.settings.host)


def accounts() -> Accounts:
    """The accounts of the application that answers this request."""
    found: Accounts = current_app.extensions["accounts"]
    return found


def viewer() -> Account | None:
    """Who sends this request; None without accounts."""
    found: Account | None = g.get(ACCOUNT)
    return found


def names() -> dict[str, str]:
    """Id -> name of everybody, to show owners; empty without accounts."""
    return accounts().people.names() if viewer() else {}


def init_app(app: Flask, made: Accounts) -> None:
    """Identify the viewer before every view, and write the audit log after it."""
    app.extensions["accounts"] = made
    if made.settings.accounts:
        app.before_request(_identify)
    app.before_request(_admit)
    if made.audited:
        app.after_request(_write_audit)

    @app.context_processor
    def viewer_parts() -> dict[str, Any]:
        found = viewer()
        return {
            "account": found,
            "with_accounts": made.settings.accounts,
            "may_check": found is None or found.may_check,
            "may_change": lambda row: may_change(row, found),
        }


def begin_session(account: Account) -> None:
    """Start a session in this browser, dropping everything of the old one, its id and the forms' token included."""
    session.clear()
    session[KEY] = accounts().sessions.begin(account)
    accounts().audit.add(account.name, SIGNED_IN)


def own_address(text: str) -> str:
    """Where to go after signing in: a path on this server only."""
    good = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if good else url_for("home.home")


def _identify() -> None:
    if request.endpoint != "static":  # a file is the same for everybody
        setattr(g, ACCOUNT, _by_token() or _by_proxy() or _by_session())


def _admit() -> ResponseReturnValue | None:
    """Refuse whom the route is not for."""
    route = rules()
    if not accounts().settings.accounts:
        if route.who in (Who.ARRIVING, Who.HOLDERS, Who.ADMINS):
            abort(404)
    elif route.who in (Who.EVERYBODY, Who.ARRIVING):
        return None
    elif viewer() is None:
        if request.method == "GET" and not wants_json():
            return redirect(url_for("accounts.sign_in", next=request.script_root + request.full_path.rstrip("?")), 303)
        raise Problem(401, SIGN_IN, {"WWW-Authenticate": 'Bearer realm="ESOTERIC"'})
    if why := refusal(route):
        raise Problem(403, why)
    return None


def refusal(route: Rules) -> str:
    """Why the viewer, who has signed in if there are accounts, may not use a route; empty if they may."""
    found, settings = viewer(), accounts().settings
    if route.who in (Who.HOLDERS, Who.ADMINS) and "Authorization" in request.headers:
        return TOKENS_HERE
    if route.who in (Who.PEOPLE, Who.OPERATORS) and request.method not in SAFE and found and not found.may_check:
        return READERS
    if route.who in (Who.ADMINS, Who.OPERATORS) and found:
        return "" if found.is_admin else route.refusals[0]
    if route.who is Who.OPERATORS and (settings.trusted_proxies or not is_loopback(settings.host)):
        return route.refusals[1]
    return ""


def _by_token() -> Account | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        return None
    if found := accounts().tokens.find(token.strip()):
        return found
    raise Problem(401, WRONG_TOKEN, {"WWW-Authenticate": 'Bearer error="invalid_token"'})


def _by_proxy() -> Account | None:
    name = request.environ.get("esoteric.account", "")
    return accounts().people.by_proxy(name, accounts().settings.account_role) if name else None


def _by_session() -> Account | None:
    key = session.get(KEY)
    if not isinstance(key, str):
        return None
    found = accounts().sessions.find(key)
    if found is None:
        session.clear()  # it has ended
    return found


def _write_audit(response: Any) -> Any:
    what = rules().audited
    if what and response.status_code < 400:
        details = {**(request.view_args or {}), **g.get("details", {})}
        about = g.get("about") or next((value for name, value in details.items() if name.endswith("_id")), "")
        found = viewer() or g.get("was")  # `was`: has just signed out
        accounts().audit.add(found.name if found else person(), what.format(**details), str(about))
    return response


def find_row(read: Callable[[str], Row | None], row_id: str, missing: str, to_change: bool = False) -> Row:
    """The row that `read` gives for an id from a request. Raises Problem 404, which says `missing`, if there is none or
    the viewer may not see it; with `to_change`, 403 if they may not change it.
    """
    found = read(row_id) if storable(row_id) else None
    if found is None or not may_see(found, viewer()):
        raise Problem(404, missing)
    if to_change and not may_change(found, viewer()):
        raise Problem(403, "This belongs to somebody else. Only they and admins may change or delete it.")
    return found
