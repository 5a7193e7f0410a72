"""`python -m app`: the web application on HOST:PORT. `python -m app worker`: a process that checks claims. For operators:
backup, restore, user, audit."""

# PYTHON_ARGCOMPLETE_OK: lets the shell ask this module for completions (`completed` in retrieval/command.py)

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from app import without_collecting
from app.errors import CannotStart
from app.starting import (
    check_accounts,
    check_exposure,
    check_roles,
    claim_data_folder,
    prepare_database,
    web_is_alive,
    worker_is_alive,
)
from app.tables.roles import CHECKER, ROLES
from retrieval.command import NOT_STARTED, Commands, Option, Parser, file, flag, option, run
from retrieval.settings import Settings

DESCRIPTION = "Start the web application, or a worker beside it. Settings come from the environment and esoteric.toml; docs/settings.md lists them."
EXAMPLE = "Example: PORT=8080 DATA=/srv/esoteric python -m app"
NAME = option("name", metavar="NAME")
FILE = file("file", "FILE", nargs="?")
commands, people = Commands(), Commands()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns 2 if it cannot start; with --health, 1 if nothing is alive."""
    os.umask(0o077)  # files with claims are for this user only
    try:
        return run(parser(), arguments)
    except CannotStart as error:
        print(error, file=sys.stderr)
        return NOT_STARTED


def parser() -> Parser:
    """The whole command line. Without a command it starts the web application."""
    whole = Parser("python -m app", description=DESCRIPTION, epilog=EXAMPLE)
    whole.set_defaults(run=_start, health=False)
    _health("web application")(whole)
    return whole.add_commands(commands, required=False)


def _health(what: str) -> Option:
    help_ = f"start nothing: exit 0 if the {what} on this host is alive"
    return option("--health", action="store_true", default=argparse.SUPPRESS, help=help_)


@commands.add(
    "check claims only, over a shared DATABASE",
    "DATABASE=postgresql://user:password@host/esoteric python -m app worker",
    _health("worker"),
    name="worker",
)
@commands.add(
    "serve pages and API, and check claims too unless WORKERS is 0 (the default)",
    "PORT=8080 python -m app web",
    _health("web application"),
    name="web",
)
def _start(options: argparse.Namespace) -> int:
    settings, role = Settings.from_environment(), options.command or "web"
    if options.health:  # runs every few seconds, so it loads next to nothing
        alive = worker_is_alive(settings) if role == "worker" else web_is_alive(settings)
        print("alive" if alive else f"The {role} on this host does not respond.")
        return 0 if alive else 1
    from app.http.logs import start_logs
    from retrieval.recipes import find_recipe

    start_logs(settings)
    check_roles(settings, role)
    find_recipe(settings.recipe)
    lock = claim_data_folder(settings)
    prepare_database(settings)
    if role == "worker":
        with without_collecting():
            from app.jobs.worker_process import work

        code = work(settings)
    else:
        from app.serve.processes import listen, serve

        for warning in filter(None, (check_exposure(settings), check_accounts(settings))):
            print(warning, file=sys.stderr)
        code = serve(settings, listen(settings.host, settings.port))
    lock.close()
    return code


@commands.add("put a backup into an empty database", "python -m app restore esoteric-backup.zip", FILE, name="restore")
@commands.add(
    "write everything but the corpus into one file, while the application runs",
    "python -m app backup esoteric-backup.zip",
    FILE,
    name="backup",
)
def _copy(options: argparse.Namespace) -> int:
    from app.tables.backup import back_up, restore

    settings, file = Settings.from_environment(), options.file
    if file is None:
        raise CannotStart(f"Name the file: python -m app {options.command} esoteric-backup.zip")
    if options.command == "restore":
        with claim_data_folder(settings):
            rows = restore(settings, file)
    else:
        rows = back_up(settings, file)
    print(", ".join(f"{count:,} {name}" for name, count in rows.items()))
    return 0


@people.add("list everybody", "python -m app user list", name="list")
@people.add(
    "make or revoke a token for a program",
    "python -m app user token ada newsroom",
    NAME,
    option("token", metavar="TOKEN-NAME", help="what the token is for"),
    flag("--revoke", "revoke it: it no longer opens anything"),
    name="token",
)
@people.add(
    "give somebody another role",
    "python -m app user role ada reader",
    NAME,
    option("role", choices=ROLES, metavar="ROLE", help=", ".join(ROLES)),
    name="role",
)
@people.add("give somebody another password", "python -m app user password ada", NAME, name="password")
@people.add("remove somebody; what they made stays", "python -m app user remove ada", NAME, name="remove")
@people.add(
    "add somebody; you are asked for the password",
    "python -m app user add ada --role admin",
    NAME,
    option("--role", choices=ROLES, default=CHECKER, help="default: %(default)s"),
    flag("--without-password", "they sign in at a proxy in front"),
    name="add",
)
@commands.add(
    "list who did what",
    "python -m app audit --since 7d",
    option("--since", default="1d", metavar="WHEN", help="a day, a moment, or 90m, 12h, 7d ago (default: 1d)"),
    flag("--json", "one object a line"),
    name="audit",
)
@commands.add(
    "manage who signs in: add, remove, password, role, token, list",
    "python -m app user add ada --role admin",
    name="user",
    commands=people,
)
def _accounts(options: argparse.Namespace) -> int:
    from app.accounts.command import change_people, print_audit

    settings = Settings.from_environment()
    settings.data.mkdir(parents=True, exist_ok=True)
    prepare_database(settings)
    return print_audit(settings, options) if options.command == "audit" else change_people(settings, options)


if __name__ == "__main__":
    sys.exit(main())
