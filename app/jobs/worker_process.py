"""`python -m app worker`: checks claims from the shared queue until it is stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from app.jobs.jobs import Work
from app.jobs.readiness import Readiness
from app.tables.database import open_engine
from app.tables.migrations import prepare_tables
from retrieval.resources import Resources
from retrieval.settings import Settings


def work(settings: Settings, resources: Any = None) -> int:
    """Load corpus and models, then take checks. Ends the process, with 0 when asked to stop and 1 if it cannot start.
    resources: as for `Work`."""
    resources = resources or Resources(settings)
    engine = open_engine(settings)
    prepare_tables(engine)
    worker = Work(settings, resources, engine).worker
    readiness = Readiness(worker, resources)
    stop, failed = threading.Event(), threading.Event()

    def begin() -> None:
        try:
            worker.sign_on(lambda: readiness.obstacle)
            readiness.load()  # before it takes a check, so that none fails because this worker is not ready
            worker.launch()
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
    with contextlib.suppress(SQLAlchemyError):  # then others notice its silence
        worker.leave()
    sys.stdout.flush()
    sys.stderr.flush()
    # Do not wait for its threads: others resume the checks.
    os._exit(1 if failed.is_set() else 0)
