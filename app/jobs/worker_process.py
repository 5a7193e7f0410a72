"""`python -m app worker`: checks claims of the shared queue until it is stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from app.jobs.jobs import open_work
from app.jobs.readiness import Readiness
from app.tables.database import open_engine
from app.tables.migrations import prepare_tables
from retrieval.resources import Resources
from retrieval.settings import Settings


def work(settings: Settings, resources: Any = None) -> int:
    """Load corpus and models, then take checks from the queue. Ends the process: 0 when asked to stop, 1 if it cannot start.

    resources: what checks read and run with, `retrieval.resources.Resources(settings)` unless given.
    """
    resources = resources or Resources(settings)
    engine = open_engine(settings)
    prepare_tables(engine)
    jobs = open_work(settings, resources, engine).jobs
    readiness = Readiness(jobs, resources)
    stop, failed = threading.Event(), threading.Event()

    def begin() -> None:
        try:
            jobs.sign_on(lambda: readiness.obstacle)
            readiness.load()  # before the first check is taken: no claim fails because this worker is not ready
            jobs.launch()
        except Exception as error:
            print(
                f"The queue cannot be opened ({error}). Check that DATABASE is right and the server is running.",
                file=sys.stderr,
            )
            failed.set()
            stop.set()
        else:
            print("ESOTERIC works on checks (Ctrl-C stops it)", flush=True)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=begin, name="begin", daemon=True).start()
    stop.wait()
    with contextlib.suppress(SQLAlchemyError):  # then its silence tells them, a little later
        jobs.leave()
    sys.stdout.flush()
    sys.stderr.flush()
    # At once, whatever its threads do: checks are durable, and others resume them.
    os._exit(1 if failed.is_set() else 0)
