"""Where files are: those of the program, and the heartbeats of workers."""

from __future__ import annotations

import socket
from pathlib import Path

from retrieval.settings import Settings

ROOT = Path(__file__).resolve().parent.parent  # of the checkout


def sign_of_worker(settings: Settings) -> Path:
    """The file that a worker on this host touches with every heartbeat."""
    return settings.data / "workers" / socket.gethostname()
