"""The queue between web processes and workers, in DBOS's tables.

A process that only serves pages uses nothing else of DBOS.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Collection, Sequence
from typing import Any

from dbos import DBOS, DBOSClient, Queue, WorkflowStatus, error
from dbos._queue import queue_worker_thread  # not public, but it can be woken: docs/architecture.md

from app.tables.database import database_url
from retrieval.settings import Settings

NAME = "esoteric"
QUEUE = "checks"
WORKFLOW = "check"
VERSION = "1"  # of the workflow; fixed, so that a restart after an edit resumes unfinished checks
CLIENT_CONNECTIONS = 5
SECONDS_BETWEEN_POLLS = 0.1  # at least, after `wake` caused a poll


class CheckQueue:
    """Puts checks into the queue, removes them, and polls it if this process runs checks.

    DBOS polls queues at intervals and has no public way to wake it. So its own threads ignore this queue (`DBOS.listen_queues`),
    and the same loop runs in a thread of ours, with an event that wakes it.
    """

    def __init__(self, settings: Settings) -> None:
        self.url = database_url(settings).render_as_string(hide_password=False)
        self._client: DBOSClient | None = None
        self._alarm = Alarm()
        self._polling: threading.Thread | None = None

    def open(self) -> None:
        """Create DBOS's tables if needed, and connect."""
        logging.getLogger("dbos").setLevel(logging.ERROR)
        DBOS.migrate(self.url)
        self._client = DBOSClient(
            system_database_url=self.url,
            system_database_pool_size=CLIENT_CONNECTIONS,
            application_name=NAME,
            retry_connection_errors=False,  # a page says that the database is away instead of hanging
        )

    def close(self) -> None:
        """Disconnect."""
        client, self._client = self._client, None
        if client is not None:
            client.destroy()

    def put(self, check_id: str, place: int = 0) -> None:
        """Queue a check, unless it is queued or the queue is not open. Low places go first."""
        if self._client is not None:
            self._client.enqueue(
                {
                    "workflow_name": WORKFLOW,
                    "queue_name": QUEUE,
                    "workflow_id": check_id,
                    "app_version": VERSION,
                    "priority": max(1, place),
                },
                check_id,
            )

    def poll(self, dbos: DBOS, queue: Queue) -> None:
        """Take checks from the queue in a thread: at the queue's interval, and at once when woken."""
        self._alarm = Alarm()
        polled = (self._alarm, dbos, queue)
        self._polling = threading.Thread(target=queue_worker_thread, args=polled, name="queue", daemon=True)
        self._polling.start()

    def stop_polling(self) -> None:
        """Take no more checks."""
        self._alarm.set()
        if self._polling is not None:
            self._polling.join(10)

    def wake(self) -> None:
        """Poll now, if this process runs checks: one has been queued, or there is room for one."""
        self._alarm.wake()

    def pause(self, seconds: float) -> None:
        """Do not poll for some seconds: an earlier poll would find no room."""
        self._alarm.pause(seconds)

    def forget(self, ids: Sequence[str]) -> None:
        """Stop these checks and remove them from the queue, if it is open."""
        if self._client is not None and ids:
            self._client.cancel_workflows(list(ids))
            self._client.delete_workflows(list(ids))

    def states(self, ids: Sequence[str]) -> dict[str, str]:
        """Id -> status in DBOS; unknown ids are left out."""
        workflows = self._workflows(workflow_ids=list(ids)) if ids else []
        return {workflow.workflow_id: workflow.status for workflow in workflows}

    def executors(self) -> set[str]:
        """The executors of running checks."""
        running = self._workflows(status="PENDING", queue_name=QUEUE)
        return {workflow.executor_id for workflow in running if workflow.executor_id}

    def take_back(self, executors: Collection[str]) -> None:
        """Queue the running checks of dead executors again. Only one process at a time may do this."""
        for workflow in self._workflows(status="PENDING", queue_name=QUEUE, executor_id=sorted(executors)):
            with contextlib.suppress(error.DBOSNonExistentWorkflowError):  # deleted in the meantime
                self._client.resume_workflow(workflow.workflow_id, queue_name=QUEUE)  # type: ignore[union-attr]

    def _workflows(self, **conditions: Any) -> list[WorkflowStatus]:
        assert self._client is not None  # only workers ask, whose queue is open
        return self._client.list_workflows(**conditions, load_input=False, load_output=False)


class Alarm(threading.Event):
    """An event for a polling loop: `wake` ends one wait early, `set` ends the loop.

    After an early wake, the next wait lasts at least `SECONDS_BETWEEN_POLLS`: DBOS counts a check only once it runs, so an
    immediate second poll would take more than `WORKERS`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._woken = threading.Event()
        self._early = False
        self._pause = 0.0  # its end, by the monotonic clock

    def wake(self) -> None:
        """End the current wait, or the next one, but not within a pause."""
        self._woken.set()

    def pause(self, seconds: float) -> None:
        """Let no wait end for some seconds."""
        self._pause = time.monotonic() + seconds

    def set(self) -> None:
        """Stop."""
        super().set()
        self._woken.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Whether to stop. Returns when set, when woken, or after a number of seconds."""
        if self._early:
            super().wait(SECONDS_BETWEEN_POLLS)
            timeout = None if timeout is None else max(0.0, timeout - SECONDS_BETWEEN_POLLS)
        if not self.is_set():
            self._early = self._woken.wait(timeout)
            self._woken.clear()
            super().wait(max(0.0, self._pause - time.monotonic()))
        return self.is_set()
