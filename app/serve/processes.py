"""The process that answers requests, and gunicorn's process, which starts and watches it, and replaces it if it dies.

Gunicorn's workers read requests in the threads that answer them, so a few slow clients occupy all threads. This worker serves
with `app/serve/connections.py` instead, which has deadlines.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from app.serve.connections import answer_requests, open_server

WEB_THREADS = 16
STOPPING_GRACE = 2.0  # seconds that requests may still take when the process is asked to stop
LOOP_SILENCE = 120  # seconds without a turn of its loop after which the worker is replaced


class Serving(Worker):  # type: ignore[misc]
    """A gunicorn worker around our server."""

    def run(self) -> None:
        """Answer until asked to stop, or until gunicorn's process has died; ends the process."""
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

    def __init__(self, make: Callable[[], Any], listener: socket.socket, largest_body: int) -> None:
        self.make, self.listener, self.largest_body = make, listener, largest_body
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
        return self.make()


def keep_serving(make: Callable[[], Any], listener: socket.socket, largest_body: int) -> None:
    """Answer until this process is asked to stop. Then raises SystemExit, whose code is 0 if the application started.

    make: makes the application, in the worker.
    """
    served = Served(make, listener, largest_body)
    listener.close()
    Watching(served).run()
