"""`python -m app`: the web application on HOST:PORT. `python -m app worker`: a process that checks claims. And what those
who run them need: backup, restore, user, audit."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

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
from retrieval.command import NOT_STARTED, Parser, run
from retrieval.settings import Settings

DESCRIPTION = "Start the web application, or a worker beside it. Settings come from the environment and esoteric.toml; docs/settings.md lists them."
EXAMPLE = "example: PORT=8080 DATA=/srv/esoteric python -m app"


def main() -> int:
    """Serve or work until stopped. Returns 2 where it could not start; with --health, 1 where nothing is alive."""
    os.umask(0o077)  # what people check is nobody else's business
    try:
        return run(_parser())
    except CannotStart as error:
        print(error, file=sys.stderr)
        return NOT_STARTED


def _parser() -> Parser:
    parser = Parser("python -m app", description=DESCRIPTION, epilog=EXAMPLE)
    parser.set_defaults(run=_start, health=False)
    _add_health(parser, "web application")
    roles = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    web = roles.add_parser("web", help="pages and API, and checks too unless WORKERS is 0 (the default)")
    _add_health(web, "web application")
    worker = roles.add_parser("worker", help="checks only, over a shared DATABASE")
    _add_health(worker, "worker")
    for name, help in (("backup", "everything but the corpus into one file, while it runs"), ("restore", "a backup into an empty database")):  # fmt: skip
        copying = roles.add_parser(name, help=help)
        copying.add_argument("file", nargs="?", type=Path, metavar="FILE")
        copying.set_defaults(run=_copy)
    _add_user(roles.add_parser("user", help="people who sign in: add, remove, password, role, token, list"))
    audit = roles.add_parser("audit", help="who did what", epilog="example: python -m app audit --since 7d")
    audit.add_argument(
        "--since", default="1d", metavar="WHEN", help="a day, a moment, or 90m, 12h, 7d ago (default: 1d)"
    )
    audit.add_argument("--json", action="store_true", help="one object a line")
    audit.set_defaults(run=_accounts)
    return parser


def _add_health(parser: Parser, what: str) -> None:
    told = f"start nothing: exit 0 if the {what} on this host is alive"
    parser.add_argument("--health", action="store_true", default=argparse.SUPPRESS, help=told)


def _add_user(parser: Parser) -> None:
    parser.epilog = "example: python -m app user add ada --role admin"
    whats = parser.add_subparsers(dest="what", required=True, metavar="WHAT", parser_class=Parser)
    helps = {
        "add": "add somebody; the password is asked for",
        "remove": "remove somebody; what they made stays",
        "password": "give somebody another password",
        "role": "give somebody another role",
        "token": "make or revoke a token for a program",
    }
    commands = {name: whats.add_parser(name, help=help) for name, help in helps.items()}
    for command in commands.values():
        command.add_argument("name", metavar="NAME")
    commands["add"].add_argument("--role", choices=ROLES, default=CHECKER, help=f"default: {CHECKER}")
    commands["add"].add_argument("--without-password", action="store_true", help="they sign in at a proxy in front")
    commands["role"].add_argument("role", choices=ROLES, metavar="ROLE")
    commands["token"].add_argument("token", metavar="TOKEN-NAME", help="what the token is for")
    commands["token"].add_argument("--revoke", action="store_true", help="revoke it: it no longer opens anything")
    whats.add_parser("list", help="who there is")
    parser.set_defaults(run=_accounts)


def _start(options: argparse.Namespace) -> int:
    settings, role = Settings.from_environment(), options.command or "web"
    if options.health:  # asked every few seconds, so it loads next to nothing
        return _tell_health(settings, role)
    from app.http.logs import start_logs
    from retrieval.recipes import find_recipe

    start_logs(settings)
    check_roles(settings, role)
    find_recipe(settings.recipe)
    lock = claim_data_folder(settings)
    prepare_database(settings)
    if role == "worker":
        from app.jobs.worker_process import work

        code = work(settings)
    else:
        from app.serve.listening import listen, serve

        for told in (check_exposure(settings), check_accounts(settings)):
            if told:
                print(told, file=sys.stderr)
        code = serve(settings, listen(settings.host, settings.port))
    lock.close()
    return code


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


def _accounts(options: argparse.Namespace) -> int:
    from app.accounts.command import change_people, print_audit

    settings = Settings.from_environment()
    settings.data.mkdir(parents=True, exist_ok=True)
    prepare_database(settings)
    return print_audit(settings, options) if options.command == "audit" else change_people(settings, options)


def _tell_health(settings: Settings, role: str) -> int:
    alive = worker_is_alive(settings) if role == "worker" else web_is_alive(settings)
    print("alive" if alive else f"The {role} on this host does not respond.")
    return 0 if alive else 1


if __name__ == "__main__":
    sys.exit(main())
