"""Signing in and out, and a person's own account: their tokens and password."""

from __future__ import annotations

from flask import Blueprint, abort, g, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from app.accounts import openid
from app.accounts.service import KEY, REFUSED, accounts, begin_session, own_address, viewer
from app.http.problems import Problem
from app.http.security import person
from app.tables.ownership import Account
from app.tables.people import AccountError

blueprint = Blueprint("accounts", __name__)

WRONG = "Name or password is wrong. Try again, or ask the person who runs this server for a new password."


@blueprint.before_request
def only_with_accounts() -> None:
    """Without accounts these pages do not exist."""
    if not accounts().settings.accounts:
        abort(404)


@blueprint.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    """The sign-in form; redirects if already signed in."""
    if viewer():
        return redirect(own_address(request.args.get("next", "")), 303)
    return _sign_in_page()


@blueprint.post("/sign-in")
def take_password() -> ResponseReturnValue:
    """Sign in, or say only that name or password is wrong."""
    own, name = accounts(), request.form.get("name", "")
    try:
        own.attempts.take(f"address {person()}")
        own.attempts.take(f"name {name.strip().casefold()[:64]}")
    except Problem as problem:
        return make_response(_sign_in_page(problem), problem.status, problem.headers)
    found = own.people.check_password(name, request.form.get("password", ""))
    if found is None:
        own.audit.add(person(), REFUSED)
        return make_response(_sign_in_page(Problem(401, WRONG)), 401)
    begin_session(found)
    return redirect(own_address(request.form.get("next", "")), 303)


@blueprint.get("/sign-in/openid")
def ask_provider() -> ResponseReturnValue:
    """Off to the provider."""
    if not openid.is_set(accounts().settings):
        abort(404)
    return openid.ask(url_for("accounts.provider_answered", _external=True))


@blueprint.get("/sign-in/openid/done")
def provider_answered() -> ResponseReturnValue:
    """Back from the provider."""
    if not openid.is_set(accounts().settings):
        abort(404)
    begin_session(openid.answered())
    return redirect(url_for("home.home"), 303)


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End this session."""
    g.was = viewer()
    if key := session.get(KEY):
        accounts().sessions.end(key)
    session.clear()
    return redirect(url_for("accounts.sign_in"), 303)


@blueprint.get("/account")
def account() -> ResponseReturnValue:
    """Your name and role, and your tokens."""
    return _account_page()


@blueprint.post("/account/tokens")
def make_token() -> ResponseReturnValue:
    """A new token, shown only on the page that answers."""
    try:
        return _account_page(token=accounts().tokens.add(_me(), request.form.get("name", "")))
    except AccountError as error:
        return make_response(_account_page(Problem(422, str(error))), 422)


@blueprint.post("/account/tokens/revoke")
def revoke_token() -> ResponseReturnValue:
    """Revoke a token."""
    accounts().tokens.revoke(_me(), request.form.get("name") or "-")
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/account/password")
def change_password() -> ResponseReturnValue:
    """A new password, given the old one; every other session ends."""
    own, me = accounts(), _me()
    try:
        own.attempts.take(f"name {me.name}")
        if own.people.check_password(me.name, request.form.get("old", "")) is None:
            raise Problem(403, "The old password is wrong. Type it again.")
        own.people.change(me, password=request.form.get("new", ""))
    except (AccountError, Problem) as error:
        problem = error if isinstance(error, Problem) else Problem(422, str(error))
        return make_response(_account_page(problem), problem.status, problem.headers)
    own.sessions.end_all(me)
    begin_session(me)
    return redirect(url_for("accounts.account"), 303)


def _me() -> Account:
    found = viewer()
    assert found is not None  # `_let_in` has seen to it
    return found


def _sign_in_page(problem: Problem | None = None) -> str:
    next_ = request.values.get("next", "")
    with_openid = openid.is_set(accounts().settings)
    name = request.form.get("name", "")[:64]
    return render_template("accounts/sign_in.html", problem=problem, next=next_, name=name, with_openid=with_openid)


def _account_page(problem: Problem | None = None, token: str = "") -> str:
    return render_template("accounts/account.html", problem=problem, token=token, tokens=accounts().tokens.of(_me()))
