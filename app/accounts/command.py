"""The commands `python -m app user …` and `python -m app audit`, for operators on the server's machine."""

from __future__ import annotations

import getpass
import json
import re
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from app.accounts.service import Accounts
from app.tables.database import open_engine
from app.tables.migrations import prepare_tables
from app.tables.ownership import Account
from app.tables.people import AccountError
from retrieval.settings import Settings

BY = "command line"
UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def change_people(settings: Settings, options: Any) -> int:
    """Run the command `options.what`. Raises AccountError. Passwords are typed, or read from a line of standard input."""
    engine = open_engine(settings)
    prepare_tables(engine)
    try:
        print(_run(Accounts.of(engine, settings), options))
    finally:
        engine.dispose()
    return 0


def print_audit(settings: Settings, options: Any) -> int:
    """Print the audit log since `options.since`. Raises AccountError if that is not a time."""
    moment = since(options.since)
    engine = open_engine(settings)
    prepare_tables(engine)
    for line in Accounts.of(engine, settings).audit.since(moment):
        if options.json:
            print(json.dumps(vars(line)))
        else:
            print(f"{line.at}  {line.who:20}  {line.what}{' ' if line.about else ''}{line.about}")
    engine.dispose()
    return 0


def since(text: str) -> str:
    """The stored form of `2026-11-01`, `2026-11-01T09:00`, or `90m`, `12h`, `7d` ago."""
    if ago := re.fullmatch(r"(\d{1,6})([mhd])", text):
        moment = datetime.now(UTC) - timedelta(**{UNITS[ago[2]]: int(ago[1])})
    else:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise AccountError(
                f"--since {text[:40]!r} is not a time. Give a day such as 2026-11-01, or an age such as 12h or 7d."
            ) from None
        moment = moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _run(accounts: Accounts, options: Any) -> str:
    """Run a command and record it in the audit log; returns what to print."""
    if options.what == "list":
        people = accounts.people.all()
        lines = [f"{one.name:24} {one.role:8} {one.signs_in:18} since {one.created[:10]}" for one in people]
        return "\n".join(lines) or "No accounts yet. Add one: python -m app user add NAME --role admin"
    if options.what == "add":
        password = None if options.without_password else _read_password()
        person = accounts.people.add(options.name, options.role, password)
        done, text = "added a person", f"Added {person.name}, {person.role}."
    else:
        person = accounts.people.find(options.name)
        done, text = CHANGES[options.what](accounts, person, options)
    accounts.audit.add(BY, done, person.name)
    return text


def _remove(accounts: Accounts, person: Account, options: Any) -> tuple[str, str]:
    accounts.people.remove(person)
    return "removed a person", f"Removed {person.name}. Only admins can still see what they did not share."


def _password(accounts: Accounts, person: Account, options: Any) -> tuple[str, str]:
    accounts.give_password(person, _read_password())
    text = f"{person.name} has a new password and is signed out everywhere. Tokens stay valid."
    return "changed a password", text


def _role(accounts: Accounts, person: Account, options: Any) -> tuple[str, str]:
    accounts.people.change(person, role=options.role)
    return f"gave the role {options.role}", f"{person.name} is {options.role} from now on."


def _token(accounts: Accounts, person: Account, options: Any) -> tuple[str, str]:
    if options.revoke:
        if not accounts.tokens.revoke(person, options.token):
            raise AccountError(f"{person.name} has no token named {options.token!r}.")
        return "revoked a token", f"The token {options.token} of {person.name} is revoked."
    token = accounts.tokens.add(person, options.token)
    print("Copy this token now: it is not shown again.", file=sys.stderr)
    return "made a token", token


# Each changes a person; returns the line for the audit log, and what to print.
CHANGES = {"remove": _remove, "password": _password, "role": _role, "token": _token}


def _read_password() -> str:
    """A password, typed twice on a terminal; otherwise a line of standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password (12 characters or more): ")
    if getpass.getpass("Again: ") != password:
        raise AccountError("The two passwords differ. Start again.")
    return password
