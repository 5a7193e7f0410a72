"""The page of people, on which admins do what `python -m app user` does."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts.service import accounts, viewer
from app.http.problems import page_with
from app.http.routes import audited, for_admins
from app.tables.ownership import Account
from app.tables.people import AccountError
from app.tables.roles import CHECKER, ROLES

blueprint = Blueprint("people", __name__, url_prefix="/people")

ADMINS = "Only admins see and change who has an account here. Ask one of them."
OWN = "Change your own password on your account's page, which asks for the old one."
SURE = "Nobody was removed. Tick the box that says you are sure, then try again."


@blueprint.errorhandler(AccountError)
def refused(error: AccountError) -> ResponseReturnValue:
    """The page again, with why nothing was changed."""
    return page_with(error, lambda problem: _page(problem.detail))


@blueprint.get("")
@for_admins(ADMINS)
def index() -> ResponseReturnValue:
    return _page()


@blueprint.post("")
@for_admins(ADMINS)
@audited("added a person")
def add() -> ResponseReturnValue:
    """Add somebody. Without a password, they sign in at a proxy, if ACCOUNT_HEADER names one."""
    password = request.form.get("password", "")
    without = not password and bool(accounts().settings.account_header)
    person = accounts().people.add(
        request.form.get("name", ""), request.form.get("role", ""), None if without else password
    )
    return _done(person, f"Added {person.name}, {person.role}.")


@blueprint.post("/role")
@for_admins(ADMINS)
@audited("gave the role {role}")
def change_role() -> ResponseReturnValue:
    """Give somebody another role; the last admin keeps theirs."""
    person, role = _chosen_person(), request.form.get("role", "")
    accounts().people.change(person, role=role, keep_admin=True)
    return _done(person, f"{person.name} is {role} from now on.", role=role)


@blueprint.post("/password")
@for_admins(ADMINS)
@audited("changed a password")
def change_password() -> ResponseReturnValue:
    """Give somebody another password; all their sessions end."""
    person = _chosen_person()
    if person == viewer():
        raise AccountError(OWN)
    accounts().give_password(person, request.form.get("password", ""))
    return _done(person, f"{person.name} has a new password and is signed out everywhere. Tokens stay valid.")


@blueprint.post("/tokens")
@for_admins(ADMINS)
@audited("revoked all tokens")
def revoke_tokens() -> ResponseReturnValue:
    person = _chosen_person()
    accounts().tokens.revoke(person)
    return _done(person, f"The tokens of {person.name} are revoked.")


@blueprint.post("/remove")
@for_admins(ADMINS)
@audited("removed a person")
def remove() -> ResponseReturnValue:
    """Remove somebody, after confirmation; the last admin stays."""
    person = _chosen_person()
    if request.form.get("sure") != "yes":
        raise AccountError(SURE)
    accounts().people.remove(person, keep_admin=True)
    return _done(person, f"Removed {person.name}. Only admins can still see what they did not share.")


def _chosen_person() -> Account:
    """The person whom the form names. Raises AccountError."""
    return accounts().people.find(request.form.get("person", ""))


def _done(person: Account, message: str, **details: str) -> ResponseReturnValue:
    """Go back to the page, which shows the message. details: for the audit log."""
    g.about, g.details = person.name, details
    flash(message)
    themselves = person == viewer()  # who may no longer be an admin
    return redirect(url_for("accounts.account" if themselves else "people.index"), 303)


def _page(problem: str = "") -> str:
    typed = {"name": request.form.get("name", "")[:64], "role": request.form.get("role", CHECKER)}
    return render_template(
        "people/people.html",
        people=accounts().people.all(),
        tokens=accounts().tokens.counts(),
        roles=ROLES,
        with_header=bool(accounts().settings.account_header),
        problem=problem,
        typed=typed,
    )
