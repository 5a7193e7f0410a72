"""Starts the web server. It opens its socket first, so that an error there is one sentence."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import resource
import socket
import time

from app.errors import CannotStart
from app.starting import LOCK_PATIENCE
from retrieval.command import NOT_STARTED
from retrieval.settings import Settings

OPEN_FILES = 8_192


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises CannotStart."""
    until = time.monotonic() + LOCK_PATIENCE
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
            if time.monotonic() > until:
                raise CannotStart(
                    f"Port {port} of {host} is in use by another program. Stop it, or set PORT to another number."
                ) from None
            time.sleep(0.1)


def serve(settings: Settings, listener: socket.socket) -> int:
    """Answer requests until the process is asked to stop. Returns 0, or 2 if the application does not start."""
    from app import create_server
    from app.http.routes import LARGEST_BODY
    from app.serve.processes import keep_serving

    logging.getLogger("waitress").setLevel(logging.ERROR)
    allow_open_files()
    print(f"ESOTERIC is at {address_of(listener)} (Ctrl-C stops it)", flush=True)
    try:
        keep_serving(
            lambda: create_server(settings), listener, largest_body=settings.upload_megabytes * 1_000_000 + LARGEST_BODY
        )
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
