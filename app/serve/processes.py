"""Starts the web server: first its socket, so that an error there is one sentence; then gunicorn's process, and the process
that answers requests, which gunicorn watches and replaces if it dies.

Gunicorn's workers read requests in the threads that answer them, so a few slow clients occupy all threads. This worker serves
with `app/serve/connections.py` instead, which has deadlines.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import resource
import socket
import sys
import threading
import time
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from app import create_server
from app.errors import CannotStart
from app.http.routes import LARGEST_BODY
from app.serve.connections import answer_requests, open_server
from app.starting import LOCK_PATIENCE
from retrieval.command import NOT_STARTED
from retrieval.settings import Settings

WEB_THREADS = 16
OPEN_FILES = 8_192  # that the process may have, if the system allows it
STOPPING_GRACE = 2.0  # seconds that requests may still take when the process is asked to stop
LOOP_SILENCE = 120  # seconds without a turn of its loop after which the worker is replaced


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises CannotStart."""
    deadline = time.monotonic() + LOCK_PATIENCE
    while True:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, port), family=family, backlog=256)
        except (OSError, OverflowError) as error:
            in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            if not in_use:
                why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
                raise CannotStart(
                    f"Cannot listen on {host}:{port} ({why}). Set HOST or PORT to another value."
                ) from None
            if time.monotonic() > deadline:
                raise CannotStart(
                    f"Port {port} of {host} is in use by another program. Stop it, or set PORT to another number."
                ) from None
            time.sleep(0.1)


class Serving(Worker):  # type: ignore[misc]
    """A gunicorn worker around our server."""

    def run(self) -> None:
        """Answer requests until asked to stop, or until gunicorn's process has died; ends the process."""
        listener = socket.socket(fileno=os.dup(self.sockets[0].fileno()))
        server = open_server(self.wsgi, listener, WEB_THREADS, self.app.largest_body)
        self.stopping, self.wake = threading.Event(), server.pull_trigger
        if not self.alive:
            self.stopping.set()  # asked to stop while it started
        answer_requests(server, self.stopping, STOPPING_GRACE, self.look_around)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)  # does not wait for its threads: the next start resumes the checks

    def look_around(self) -> None:
        """Tell gunicorn that this worker is alive; stop if gunicorn has died."""
        self.notify()
        if os.getppid() != self.ppid:
            self.stopping.set()

    def handle_exit(self, *_: Any) -> None:
        """Stop, after a short time for requests that have begun."""
        self.alive = False
        if hasattr(self, "stopping"):
            self.stopping.set()
            self.wake()

    handle_quit = handle_exit


class Log(Logger):  # type: ignore[misc]
    """Sends gunicorn's errors, and nothing else, to the log of the program."""

    def setup(self, cfg: Config) -> None:
        """See gunicorn."""
        self.error_log.propagate = True
        self.error_log.setLevel(logging.ERROR)


class Watching(Arbiter):  # type: ignore[misc]
    """Gunicorn's process. No signal starts a second worker beside the first, because they would share DATA."""

    handle_hup = Arbiter.handle_term

    def ignore(self) -> None:
        """Do nothing."""

    handle_ttin = handle_ttou = handle_usr2 = ignore


class Served(BaseApplication):  # type: ignore[misc]
    """The application for gunicorn, in one process, because rate limits are counted in its memory."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        self.settings, self.listener = settings, listener
        self.largest_body = settings.upload_megabytes * 1_000_000 + LARGEST_BODY
        super().__init__()

    def load_config(self) -> None:
        """See gunicorn."""
        chosen = {
            "bind": f"fd://{os.dup(self.listener.fileno())}",
            "worker_class": Serving,
            "logger_class": Log,
            "workers": 1,
            "timeout": LOOP_SILENCE,
            "graceful_timeout": int(3 * STOPPING_GRACE),
            "control_socket_disable": True,
        }
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Make the application, in the worker."""
        return create_server(self.settings)


def serve(settings: Settings, listener: socket.socket) -> int:
    """Answer requests until the process is asked to stop. Returns 0, or 2 if the application does not start."""
    logging.getLogger("waitress").setLevel(logging.ERROR)
    allow_open_files()
    print(f"ESOTERIC is at {address_of(listener)} (Ctrl-C stops it)", flush=True)
    served = Served(settings, listener)
    listener.close()
    try:
        Watching(served).run()
    except SystemExit as ended:
        return NOT_STARTED if ended.code else 0
    return 0


def allow_open_files() -> None:
    """Raise the limit of open files as far as allowed: a connection may hold a socket and a file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, OPEN_FILES) if most > 0 else OPEN_FILES, most))


def address_of(listener: socket.socket) -> str:
    """The address of the server, for people."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
