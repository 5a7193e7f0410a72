"""`python -m app`: the web application, one process, on HOST:PORT."""

from __future__ import annotations

import argparse
import errno
import fcntl
import os
import socket
import sys
import time
from typing import IO, Any

from retrieval.errors import SettingError
from retrieval.settings import Settings

THREADS = 16
PATIENCE = 3.0  # seconds for an earlier process to go away, so that a restart after a crash succeeds

DESCRIPTION = "Start the web application. Settings come from the environment; the README lists them."
EXAMPLE = "example: PORT=8080 DATA=/srv/esoteric python -m app"


class CannotStart(Exception):
    """One sentence that says why and what to do."""


def main() -> int:
    """Serve until stopped. Returns 2 where it could not start."""
    parser = argparse.ArgumentParser("python -m app", description=DESCRIPTION, epilog=EXAMPLE)
    parser.parse_args()
    os.umask(0o077)  # what people check is nobody else's business
    try:
        settings = Settings.from_environment()
        lock = claim_data_folder(settings)
        prepare_database(settings)
        listener = listen(settings.host, settings.port)
    except (CannotStart, SettingError) as error:
        print(error, file=sys.stderr)
        return 2
    serve(settings, listener)
    lock.close()
    return 0


def claim_data_folder(settings: Settings) -> IO[str]:
    """One process a folder, as two would take each other's checks for abandoned ones. Held until the file is closed."""
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        lock = open(settings.data / "app.lock", "a", encoding="ascii")  # noqa: SIM115
    except OSError as error:
        raise CannotStart(
            f"The folder {settings.data} cannot be written ({error.strerror}). Set DATA to a folder that can."
        ) from None
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except OSError:
            if time.monotonic() > until:
                raise CannotStart(
                    f"Another ESOTERIC works in {settings.data}. Stop it, or set DATA to another folder."
                ) from None
            time.sleep(0.1)


def prepare_database(settings: Settings) -> None:
    """Make the table of checks. Raises CannotStart."""
    from sqlalchemy.exc import SQLAlchemyError

    from app.checks import Checks, open_engine

    try:
        engine = open_engine(settings)
        Checks(engine).create_table()
        engine.dispose()
    except (SQLAlchemyError, ImportError) as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        name, remedy = f"{settings.data}/checks.sqlite", "Move the file away, and checks start anew."
        if settings.database:
            name, remedy = "that DATABASE names", "Set DATABASE to an SQLAlchemy URL that works, or leave it out."
        raise CannotStart(f"The database of checks {name} cannot be opened ({why}). {remedy}") from None


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises CannotStart."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, port), family=family, backlog=256)
        except (OSError, OverflowError) as error:
            in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            if not in_use:
                why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
                raise CannotStart(f"Cannot listen on {host}:{port} ({why}). Set HOST and PORT to others.") from None
            if time.monotonic() > until:
                raise CannotStart(
                    f"Port {port} of {host} is in use by another program. Stop it, or set PORT to another number."
                ) from None
            time.sleep(0.1)


def serve(settings: Settings, listener: socket.socket) -> None:
    """Run gunicorn on the socket with one worker, in which everything is opened."""
    from gunicorn.app.base import BaseApplication

    address = address_of(listener)
    descriptor = listener.detach()  # gunicorn copies and closes it

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            options: dict[str, Any] = {
                "bind": f"fd://{descriptor}",
                "workers": 1,
                "worker_class": "gthread",
                "threads": THREADS,
                "timeout": 120,
                "graceful_timeout": 2,
                "loglevel": "warning",
                "control_socket_disable": True,
                "proc_name": "esoteric",
                "when_ready": lambda _: print(f"ESOTERIC is at {address} (Ctrl-C stops it)", flush=True),
                "worker_exit": leave,
            }
            for name, value in options.items():
                if name in self.cfg.settings:  # older versions have no control socket
                    self.cfg.set(name, value)

        def load(self) -> Any:
            from app import create_server

            return create_server()

    Server().run()


def leave(_: Any, __: Any) -> None:
    """End the worker at once, whatever its threads do: checks are durable and go on at the next start."""
    error = sys.exc_info()[1]
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(error.code if isinstance(error, SystemExit) and isinstance(error.code, int) else 0)


def address_of(listener: socket.socket) -> str:
    """Where to look."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


if __name__ == "__main__":
    sys.exit(main())
