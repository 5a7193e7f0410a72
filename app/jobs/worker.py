"""Runs the checks in the queue, and takes over those of workers that died.

A check is a DBOS workflow without recorded steps. A process may die at any point: finished stages are stored in the
check's row, so the next worker resumes at the first unfinished one.

DBOS by itself resumes only workflows with the same executor id. Here every process has its own id and sends a heartbeat
every few seconds. Workflows of processes without heartbeats go back to the queue, where DBOS gives each to exactly one
worker. A process that was only slow can no longer write to their rows.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from app.folders import sign_of_worker
from app.jobs.attempt import Steps
from app.jobs.queue import NAME, QUEUE, VERSION, WORKFLOW, CheckQueue, QueueThread
from app.tables.checks import Checks
from app.tables.database import is_shared, patiently
from app.tables.workers import Workers
from retrieval.settings import Settings

if TYPE_CHECKING:
    from app.jobs.reports import ReportRuns
    from app.jobs.sources import Sources

log = logging.getLogger(__name__)

ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")  # DBOS' words
QUEUEING_GRACE = (
    30.0  # seconds that a check may be in the table but not in the queue: its submitter is about to queue it
)
POLL_EVERY = 0.1  # seconds between two looks at the queue, for checks that other processes put there
LET_GO = 0.02  # seconds after its end until DBOS no longer counts a check as running; a look before that takes nothing
SIGNS = 5  # heartbeats within the time after which a silent process counts as dead
WORKER_CONNECTIONS = 4  # to the database for DBOS itself, plus one for each running check

LOST = "The work on this check was interrupted and could not be resumed. Check the claim again."


class Worker:
    """The part of a process that runs checks. At most one per process, because DBOS is a singleton."""

    def __init__(
        self,
        settings: Settings,
        sources: Sources,
        checks: Checks,
        queue: CheckQueue,
        workers: Workers,
        reports: ReportRuns,
    ) -> None:
        self.settings = settings
        self.checks = checks
        self.queue = queue
        self.workers = workers
        self.reports = reports
        self.steps = Steps(settings, sources, checks)
        self.executor = f"{socket.gethostname()}-{uuid.uuid4().hex[:12]}"
        self._taking: QueueThread | None = None
        self._launched = threading.Event()
        self._stopped = threading.Event()
        self._signs = threading.Thread(target=self._give_signs, name="signs of life", daemon=True)
        self._waits: Callable[[], str] = str

    def sign_on(self, waits: Callable[[], str] = str) -> None:
        """Start sending heartbeats before taking any check; otherwise others would take it over. waits: see `Jobs.sign_on`."""
        self._waits = waits
        self._sign()
        self._signs.start()

    def launch(self) -> None:
        """Wait for work. The queue must be open."""
        from dbos import DBOS

        if not self._signs.is_alive():
            self.sign_on()
        dbos = DBOS(
            config={
                "name": NAME,
                "system_database_url": self.queue.url,
                "sys_db_pool_size": WORKER_CONNECTIONS + self.settings.workers,
                "application_version": VERSION,
                "executor_id": self.executor,
                "console_log_level": "ERROR",
                "log_level": "ERROR",
            }
        )
        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(self._workflow())
        DBOS.listen_queues([])
        DBOS.launch()
        queue = DBOS.register_queue(
            QUEUE,
            worker_concurrency=self.settings.workers,
            polling_interval_sec=POLL_EVERY,
            on_conflict="always_update",
        )
        self._taking = QueueThread(dbos, queue)
        self.queue.taken_from_by(self._taking.wake)
        self._launched.set()

    def close(self) -> None:
        """Stop. Running checks are resumed by other workers or at the next launch."""
        from dbos import DBOS

        self._stopped.set()
        self.queue.taken_from_by(None)
        if self._taking is not None:
            self._taking.stop()
        DBOS.destroy(destroy_registry=True)
        self.leave()

    def leave(self) -> None:
        """Let the others take over at once, because this process is about to end."""
        self._stopped.set()
        self._signs.join(SIGNS)
        with contextlib.suppress(OSError):
            sign_of_worker(self.settings).unlink()
        self.workers.leave(self.executor)

    def take_over(self) -> None:
        """Return the checks of dead processes to the queue."""
        begun = self.queue.executors()  # first, so that checks taken after this look are left alone
        if dead := begun - self._alive():
            log.warning("Taking over the checks of %s", ", ".join(sorted(dead)))
            with self.workers.one_takes_over():
                self.queue.take_back(dead)

    def repair(self) -> None:
        """Queue checks whose process died before queueing them, fail those that the queue gave up, continue reports."""
        ids = self.checks.unfinished(older_than=QUEUEING_GRACE)
        states = self.queue.states(ids)
        for check_id in ids:
            if check_id not in states:
                self.queue.put(check_id, self.checks.place(check_id))
            elif states[check_id] in ENDED:
                self.checks.fail(check_id, LOST)
        self.reports.feed_all()

    def _alive(self) -> set[str]:
        """The living processes. This one counts even if it was suspended since its last heartbeat. SQLite allows no other."""
        return {self.executor} | (self.workers.alive() if is_shared(self.settings) else set())

    def _sign(self) -> None:
        """To the others through the database, to the health check of this host by a file."""
        self.workers.sign(self.executor, self._waits())
        with contextlib.suppress(OSError):  # a full disk is reported elsewhere
            file = sign_of_worker(self.settings)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()

    def _give_signs(self) -> None:
        pause = max(self.settings.worker_timeout, 1) / SIGNS
        while not self._stopped.is_set():
            try:
                self._sign()
                if self._launched.is_set():
                    self.take_over()
                    self.repair()
            except Exception as error:
                if not self._stopped.is_set():
                    why = str(error).splitlines()[0] if isinstance(error, SQLAlchemyError) else repr(error)
                    log.warning("The heartbeat could not be written; trying again (%s)", why)
            (self._stopped if self._launched.is_set() else self._launched).wait(pause)

    def _workflow(self) -> Callable[[str], None]:
        def check_workflow(check_id: str) -> None:  # DBOS takes functions, no methods
            self.steps.run(check_id)
            patiently(lambda: self.reports.after(check_id))
            self.queue.wake(LET_GO)

        return check_workflow
