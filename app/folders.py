"""Where files are: the program's own, and those by which processes know of each other."""

from __future__ import annotations

import socket
from pathlib import Path

from retrieval.settings import Settings

ROOT = Path(__file__).resolve().parent.parent  # of templates, static files, the sample


def sign_of_worker(settings: Settings) -> Path:
    """The file that a worker of this host touches whenever it has given a sign to the others."""
    return settings.data / "workers" / socket.gethostname()
