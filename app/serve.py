"""The web server around the application: waitress on a socket that is opened first, so that errors are one sentence."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time

from app.starting import PATIENCE, CannotStart
from retrieval.settings import Settings

THREADS = 16
FILES = 8_192
GRACE = 2.0  # seconds that requests may still take when the process is told to stop


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


def serve(settings: Settings, listener: socket.socket) -> int:
    """Answer requests on the socket until the process is told to stop; ends the process then."""
    from app import create_server
    from app.security import MAX_BODY
    from app.web.connections import answer_requests, open_server

    logging.getLogger("waitress").setLevel(logging.ERROR)
    allow_open_files()
    address = address_of(listener)
    stopping = threading.Event()
    server = open_server(
        create_server(settings), listener, THREADS, largest_body=settings.upload_megabytes * 1_000_000 + MAX_BODY
    )

    def stop(*_: object) -> None:
        stopping.set()
        server.pull_trigger()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    print(f"ESOTERIC is at {address} (Ctrl-C stops it)", flush=True)
    answer_requests(server, stopping, GRACE)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # at once, whatever its threads do: checks are durable and go on at the next start


def allow_open_files() -> None:
    """As many as this process may have: a connection may hold a socket and a file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, FILES) if most > 0 else FILES, most))


def address_of(listener: socket.socket) -> str:
    """Where to look."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
