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
from app.tables.people import AccountError
from retrieval.settings import Settings

BY = "command line"
UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def change_people(settings: Settings, options: Any) -> int:
    """Run the command `options.what`. Raises AccountError. Passwords are typed, or read from a line of standard input."""
    engine = open_engine(settings)
    prepare_tables(engine)
    try:
        print(ACTIONS[options.what](Accounts.of(engine, settings), options))
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


def _add(accounts: Accounts, options: Any) -> str:
    password = None if options.without_password else _read_password()
    person = accounts.people.add(options.name, options.role, password)
    accounts.audit.add(BY, "added a person", person.name)
    return f"Added {person.name}, {person.role}."


def _remove(accounts: Accounts, options: Any) -> str:
    person = accounts.people.find(options.name)
    accounts.people.remove(person)
    accounts.audit.add(BY, "removed a person", person.name)
    return f"Removed {person.name}. Only admins can still see what they did not share."


def _password(accounts: Accounts, options: Any) -> str:
    person = accounts.people.find(options.name)
    accounts.give_password(person, _read_password())
    accounts.audit.add(BY, "changed a password", person.name)
    return f"{person.name} has a new password and is signed out everywhere. Tokens stay valid."


def _role(accounts: Accounts, options: Any) -> str:
    person = accounts.people.find(options.name)
    accounts.people.change(person, role=options.role)
    accounts.audit.add(BY, f"gave the role {options.role}", person.name)
    return f"{person.name} is {options.role} from now on."


def _token(accounts: Accounts, options: Any) -> str:
    person = accounts.people.find(options.name)
    if options.revoke:
        if not accounts.tokens.revoke(person, options.token):
            raise AccountError(f"{person.name} has no token named {options.token!r}.")
        accounts.audit.add(BY, "revoked a token", person.name)
        return f"The token {options.token} of {person.name} is revoked."
    token = accounts.tokens.add(person, options.token)
    accounts.audit.add(BY, "made a token", person.name)
    print("Copy this token now: it is not shown again.", file=sys.stderr)
    return token


def _list(accounts: Accounts, options: Any) -> str:
    people = accounts.people.all()
    lines = [f"{one.name:24} {one.role:8} {one.signs_in:18} since {one.created[:10]}" for one in people]
    return "\n".join(lines) or "No accounts yet. Add one: python -m app user add NAME --role admin"


ACTIONS = {"add": _add, "remove": _remove, "password": _password, "role": _role, "token": _token, "list": _list}


def _read_password() -> str:
    """A password, typed twice on a terminal; otherwise a line of standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password (12 characters or more): ")
    if getpass.getpass("Again: ") != password:
        raise AccountError("The two passwords differ. Start again.")
    return password
