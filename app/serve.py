"""The web server around the application: gunicorn on a socket that is opened first, so that errors are one sentence."""

from __future__ import annotations

import errno
import os
import socket
import sys
import time
from typing import Any

from app.starting import PATIENCE, CannotStart
from retrieval.settings import Settings

THREADS = 16


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
    """Run gunicorn on the socket with one process, in which everything is opened. Returns 0."""
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

            return create_server(settings)

    Server().run()
    return 0


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
