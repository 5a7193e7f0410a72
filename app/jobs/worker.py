"""Runs the checks in the queue, and takes over those of workers that died.

A check is a DBOS workflow without recorded steps. A process may die at any point: finished stages are in the check's row,
so the next worker resumes at the first unfinished one.

By itself, DBOS resumes only workflows of the same executor id. Here each process has its id and sends heartbeats. Checks of
silent processes go back to the queue, where DBOS gives each to one worker. A process that was only slow can no longer write
to their rows.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import uuid
from collections.abc import Callable

from dbos import DBOS
from sqlalchemy.exc import SQLAlchemyError

from app.folders import sign_of_worker
from app.jobs.attempt import Steps
from app.jobs.queue import NAME, QUEUE, VERSION, WORKFLOW, CheckQueue
from app.jobs.reports import ReportRuns
from app.jobs.sources import Sources
from app.tables.checks import Checks
from app.tables.database import is_shared, patiently
from app.tables.workers import Workers
from retrieval.settings import Settings

log = logging.getLogger(__name__)

ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")  # states in DBOS
QUEUEING_GRACE = 30.0  # seconds that a check may be in the table and not in the queue, before another process queues it
POLL_SHARED = 0.1  # seconds between two polls of the queue, for checks from other processes
POLL_ALONE = 1.0  # seconds, where there is no other process: each check wakes the poll
RELEASE_SECONDS = 0.02  # after its end until DBOS stops counting a check as running; an earlier poll takes nothing
BEATS = 5  # heartbeats within the time after which a silent process counts as dead
WORKER_CONNECTIONS = 4  # of DBOS to the database, beside one for each running check

UNATTENDED = "No worker is running, so checks have to wait. Start one with `python -m app worker` on the same DATABASE."
LOST = "The work on this check was interrupted and could not be resumed. Check the claim again."


class Worker:
    """Runs the checks of a process, if WORKERS is above 0. One may run in a process, because DBOS is a singleton."""

    def __init__(
        self, settings: Settings, sources: Sources, checks: Checks, queue: CheckQueue, reports: ReportRuns
    ) -> None:
        self.settings, self.checks, self.queue, self.reports = settings, checks, queue, reports
        self.steps = Steps(settings, sources, checks)
        self.workers = Workers(checks.engine, settings.worker_timeout)
        self._beating: threading.Thread | None = None

    def sign_on(self, waits: Callable[[], str] = str) -> None:
        """Begin the heartbeats. Call it before checks are taken, or others take them over. waits: says why none is taken yet."""
        self.executor = f"{socket.gethostname()}-{uuid.uuid4().hex[:12]}"
        self._waits, self._launched, self._stopped = waits, threading.Event(), threading.Event()
        self._sign()
        self._beating = threading.Thread(target=self._keep_beating, name="heartbeat", daemon=True)
        self._beating.start()

    def launch(self) -> None:
        """Queue what was submitted before; if WORKERS is above 0, run checks in this process."""
        self.queue.open()  # first: from here on, whoever submits a check queues it
        for check_id in self.checks.unfinished():
            self.queue.put(check_id, self.checks.place(check_id))
        self.reports.feed_all()
        if self.settings.workers:
            self._take_checks()

    def close(self) -> None:
        """Stop running checks. Other workers or the next launch resume them."""
        if self._beating is not None:
            self._stopped.set()
            self.queue.stop_polling()
            DBOS.destroy(destroy_registry=True)
            self.leave()
        self.queue.close()

    def leave(self) -> None:
        """Let others take over at once, because this process is about to end."""
        if self._beating is None:
            return
        self._stopped.set()
        self._beating.join(BEATS)
        self._beating = None
        with contextlib.suppress(OSError):
            sign_of_worker(self.settings).unlink()
        self.workers.leave(self.executor)

    def obstacle(self) -> str:
        """Why no worker runs checks, here or elsewhere; empty if one does."""
        obstacle = "" if self.settings.workers else self.workers.obstacle()
        return UNATTENDED if obstacle is None else obstacle

    def _take_checks(self) -> None:
        if self._beating is None:
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
        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(lambda check_id: self._check(check_id))
        DBOS.listen_queues([])
        DBOS.launch()
        queue = DBOS.register_queue(
            QUEUE,
            worker_concurrency=self.settings.workers,
            polling_interval_sec=POLL_SHARED if is_shared(self.settings) else POLL_ALONE,
            on_conflict="always_update",
        )
        self.queue.poll(dbos, queue)
        self._launched.set()

    def take_over(self) -> None:
        """Return the checks of dead processes to the queue."""
        running = self.queue.executors()  # first, so that checks that are taken afterwards are left alone
        if dead := running - self._alive():
            log.warning("Taking over the checks of %s", ", ".join(sorted(dead)))
            with self.workers.one_takes_over():
                self.queue.take_back(dead)
        self.queue.wake()  # only now, so that the interrupted checks go first

    def repair(self) -> None:
        """Queue checks whose process died before it queued them, fail those that DBOS has given up, and feed reports."""
        ids = self.checks.unfinished(older_than=QUEUEING_GRACE)
        states = self.queue.states(ids)
        for check_id in ids:
            if check_id not in states:
                self.queue.put(check_id, self.checks.place(check_id))
                self.queue.wake()
            elif states[check_id] in ENDED:
                self.checks.fail(check_id, LOST)
        self.reports.feed_all()

    def _alive(self) -> set[str]:
        """The living processes: always this one, even if it was suspended. With SQLite there is no other."""
        return {self.executor} | (self.workers.alive() if is_shared(self.settings) else set())

    def _sign(self) -> None:
        """Send a heartbeat: to other processes through the database, to this host's health check by a file."""
        self.workers.beat(self.executor, self._waits())
        with contextlib.suppress(OSError):  # `Probe` reports a full disk
            file = sign_of_worker(self.settings)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()

    def _keep_beating(self) -> None:
        pause = max(self.settings.worker_timeout, 1) / BEATS
        stopped, launched = self._stopped, self._launched  # the next launch replaces them
        while not stopped.is_set():
            try:
                self._sign()
                if launched.is_set():
                    self.take_over()
                    self.repair()
            except Exception as error:
                if not stopped.is_set():
                    why = str(error).splitlines()[0] if isinstance(error, SQLAlchemyError) else repr(error)
                    log.warning("The heartbeat could not be written; trying again (%s)", why)
            (stopped if launched.is_set() else launched).wait(pause)

    def _check(self, check_id: str) -> None:
        """The workflow of a check."""
        self.steps.run(check_id)
        patiently(lambda: self.reports.after(check_id))
        # First the pause: whoever submits a check from here on wakes the poll, which then waits.
        self.queue.pause(RELEASE_SECONDS)
        if patiently(self.checks.any_unfinished):
            self.queue.wake()
