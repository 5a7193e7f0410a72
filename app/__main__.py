"""`python -m app`: the web application, one process, on HOST:PORT. `python -m app worker`: a process that checks claims."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from app.logs import start_logs
from app.starting import CannotStart, check_exposure, check_roles, claim_data_folder, prepare_database
from retrieval.command import NOT_STARTED, Parser, run
from retrieval.recipes import find_recipe
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
    parser.add_argument(
        "role",
        nargs="?",
        choices=("web", "worker", "backup", "restore"),
        default="web",
        help="web (default): pages and API, and checks too unless WORKERS is 0; worker: checks only, over a shared DATABASE; backup FILE: everything but the corpus into one file, while it runs; "
        "restore FILE: into an empty database",
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="of backup and restore")
    parser.add_argument(
        "--health", action="store_true", help="start nothing: exit 0 if the worker on this host is alive"
    )
    parser.set_defaults(run=_start)
    return parser


def _start(options: argparse.Namespace) -> int:
    settings, role = Settings.from_environment(), options.role
    start_logs(settings)
    if options.health:
        return _tell_health(settings, role)
    if role in ("backup", "restore"):
        return _copy(settings, role, options.file)
    check_roles(settings, role)
    find_recipe(settings.recipe)
    lock = claim_data_folder(settings)
    prepare_database(settings)
    if role == "worker":
        from app.jobs.worker_process import work

        code = work(settings)
    else:
        from app.serve import listen, serve

        if told := check_exposure(settings):
            print(told, file=sys.stderr)
        code = serve(settings, listen(settings.host, settings.port))
    lock.close()
    return code


def _copy(settings: Settings, role: str, file: Path | None) -> int:
    from app.backup import back_up, restore

    if file is None:
        raise CannotStart(f"Name the file: python -m app {role} esoteric-backup.zip")
    if role == "restore":
        with claim_data_folder(settings):
            rows = restore(settings, file)
    else:
        rows = back_up(settings, file)
    print(", ".join(f"{count:,} {name}" for name, count in rows.items()))
    return 0


def _tell_health(settings: Settings, role: str) -> int:
    from app.web.health import web_is_alive, worker_is_alive

    alive = worker_is_alive(settings) if role == "worker" else web_is_alive(settings)
    print("alive" if alive else f"The {role} on this host does not respond.")
    return 0 if alive else 1


if __name__ == "__main__":
    sys.exit(main())
