"""The pages to sign in and out, and the page of your account with its tokens and password."""

from __future__ import annotations

from flask import Blueprint, abort, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from app.accounts import openid
from app.accounts.service import KEY, REFUSED, accounts, begin_session, own_address, viewer
from app.http.problems import Problem, page_with
from app.http.routes import about_accounts, audited, for_signing_in
from app.http.security import person
from app.tables.ownership import Account
from app.tables.people import AccountError

blueprint = Blueprint("accounts", __name__)

WRONG = "Name or password is wrong. Try again, or ask the person who runs this server for a new password."


@blueprint.get("/sign-in")
@for_signing_in
def sign_in() -> ResponseReturnValue:
    """The sign-in form; redirects if already signed in."""
    if viewer():
        return redirect(own_address(request.args.get("next", "")), 303)
    return _sign_in_page()


@blueprint.post("/sign-in")
@for_signing_in
def take_password() -> ResponseReturnValue:
    """Sign in. A refusal does not tell whether name or password is wrong."""
    name = request.form.get("name", "")
    try:
        accounts().attempts.take(f"address {person()}")
        accounts().attempts.take(f"name {name.strip().casefold()[:64]}")
    except Problem as error:
        return page_with(error, _sign_in_page)
    found = accounts().people.check_password(name, request.form.get("password", ""))
    if found is None:
        accounts().audit.add(person(), REFUSED)
        return page_with(Problem(401, WRONG), _sign_in_page)
    begin_session(found)
    return redirect(own_address(request.form.get("next", "")), 303)


@blueprint.get("/sign-in/openid")
@for_signing_in
def ask_provider() -> ResponseReturnValue:
    if not openid.is_set(accounts().settings):
        abort(404)
    return openid.ask(url_for("accounts.provider_answered", _external=True))


@blueprint.get("/sign-in/openid/done")
@for_signing_in
def provider_answered() -> ResponseReturnValue:
    if not openid.is_set(accounts().settings):
        abort(404)
    begin_session(openid.answered())
    return redirect(url_for("home.home"), 303)


@blueprint.post("/sign-out")
@about_accounts
@audited("signed out")
def sign_out() -> ResponseReturnValue:
    g.was = viewer()
    if key := session.get(KEY):
        accounts().sessions.end(key)
    session.clear()
    return redirect(url_for("accounts.sign_in"), 303)


@blueprint.get("/account")
@about_accounts
def account() -> ResponseReturnValue:
    """Your name and role, and your tokens."""
    return _account_page()


@blueprint.post("/account/tokens")
@about_accounts
@audited("made a token")
def make_token() -> ResponseReturnValue:
    """Make a token, which only this answer shows."""
    try:
        return _account_page(token=accounts().tokens.add(_me(), request.form.get("name", "")))
    except AccountError as error:
        return page_with(error, _account_page)


@blueprint.post("/account/tokens/revoke")
@about_accounts
@audited("revoked a token")
def revoke_token() -> ResponseReturnValue:
    accounts().tokens.revoke(_me(), request.form.get("name") or "-")
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/account/password")
@about_accounts
@audited("changed their password")
def change_password() -> ResponseReturnValue:
    """Change your password, which ends your other sessions."""
    me = _me()
    try:
        accounts().attempts.take(f"name {me.name}")
        if accounts().people.check_password(me.name, request.form.get("old", "")) is None:
            raise Problem(403, "The old password is wrong. Type it again.")
        accounts().people.change(me, password=request.form.get("new", ""))
    except (AccountError, Problem) as error:
        return page_with(error, _account_page)
    accounts().sessions.end_all(me)
    begin_session(me)
    return redirect(url_for("accounts.account"), 303)


def _me() -> Account:
    found = viewer()
    assert found is not None  # `about_accounts` lets nobody else through
    return found


def _sign_in_page(problem: Problem | None = None) -> str:
    next_ = request.values.get("next", "")
    with_openid = openid.is_set(accounts().settings)
    name = request.form.get("name", "")[:64]
    return render_template("accounts/sign_in.html", problem=problem, next=next_, name=name, with_openid=with_openid)


def _account_page(problem: Problem | None = None, token: str = "") -> str:
    return render_template("accounts/account.html", problem=problem, token=token, tokens=accounts().tokens.of(_me()))
