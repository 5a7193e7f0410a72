"""The queue between web processes and workers, in DBOS's tables.

A process that only serves pages uses nothing else of DBOS.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from app.tables.database import database_url
from retrieval.settings import Settings

if TYPE_CHECKING:
    from dbos import DBOSClient

NAME = "esoteric"
QUEUE = "checks"
WORKFLOW = "check"
VERSION = "1"  # of the workflow; fixed, so that a restart after an edit resumes unfinished checks
CLIENT_CONNECTIONS = 5
LEAST_BETWEEN_LOOKS = 0.1  # seconds between a requested poll and the next one


class CheckQueue:
    """Puts checks into the queue and removes them."""

    def __init__(self, settings: Settings) -> None:
        self.url = database_url(settings).render_as_string(hide_password=False)
        self._client: DBOSClient | None = None
        self._taking: QueueThread | None = None

    def open(self) -> None:
        """Create DBOS's tables if needed, and connect."""
        from dbos import DBOS, DBOSClient

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

    def taken_by(self, thread: QueueThread | None) -> None:
        """Set the thread that polls the queue in this process; None once it takes no more checks."""
        self._taking = thread

    def wake(self) -> None:
        """Poll the queue, if this process takes checks: one has come, or there is room."""
        if self._taking is not None:
            self._taking.wake()

    def pause(self, seconds: float) -> None:
        """Do not poll the queue for some seconds: what is polled earlier finds no room."""
        if self._taking is not None:
            self._taking.pause(seconds)

    def forget(self, ids: Sequence[str]) -> None:
        """Stop these checks and remove them from the queue."""
        if self._client is not None and ids:
            self._client.cancel_workflows(list(ids))
            self._client.delete_workflows(list(ids))

    def states(self, ids: Sequence[str]) -> dict[str, str]:
        """Id -> status in DBOS; unknown ids are left out."""
        if self._client is None or not ids:
            return {}
        found = self._client.list_workflows(workflow_ids=list(ids), load_input=False, load_output=False)
        return {workflow.workflow_id: workflow.status for workflow in found}

    def executors(self) -> set[str]:
        """The executors of running checks."""
        if self._client is None:
            return set()
        pending = self._client.list_workflows(status="PENDING", queue_name=QUEUE, load_input=False, load_output=False)
        return {workflow.executor_id for workflow in pending if workflow.executor_id}

    def take_back(self, executors: Collection[str]) -> None:
        """Queue the running checks of dead executors again. Only one process at a time may do this."""
        from dbos import error

        if self._client is None or not executors:
            return
        begun = self._client.list_workflows(
            status="PENDING", queue_name=QUEUE, executor_id=sorted(executors), load_input=False, load_output=False
        )
        for workflow in begun:
            with contextlib.suppress(error.DBOSNonExistentWorkflowError):  # deleted in the meantime
                self._client.resume_workflow(workflow.workflow_id, queue_name=QUEUE)


class Alarm(threading.Event):
    """An event for a polling loop: `wake` ends one wait early, `set` ends the loop.

    After an early wake, the next wait lasts at least `LEAST_BETWEEN_LOOKS`: DBOS counts a check only once it runs, so an
    immediate second poll would take more than `WORKERS`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._woken = threading.Event()
        self._early = False
        self._pause = 0.0  # until when

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
            super().wait(LEAST_BETWEEN_LOOKS)
            timeout = None if timeout is None else max(0.0, timeout - LEAST_BETWEEN_LOOKS)
        if not self.is_set():
            self._early = self._woken.wait(timeout)
            self._woken.clear()
            super().wait(max(0.0, self._pause - time.monotonic()))
        return self.is_set()


class QueueThread:
    """The thread that takes checks from the queue: at the queue's intervals, and at once when woken.

    DBOS polls queues at intervals and has no way to wake it. So its threads ignore this queue (`DBOS.listen_queues`), and
    the same loop runs here, with an event that wakes it.
    """

    def __init__(self, dbos: Any, queue: Any) -> None:
        from dbos._queue import queue_worker_thread  # no public name lets it be woken: docs/architecture.md

        self._alarm = Alarm()
        self._thread = threading.Thread(
            target=queue_worker_thread, args=(self._alarm, dbos, queue), name="queue", daemon=True
        )
        self._thread.start()

    def wake(self) -> None:
        """Poll the queue."""
        self._alarm.wake()

    def pause(self, seconds: float) -> None:
        """Do not poll the queue for some seconds."""
        self._alarm.pause(seconds)

    def stop(self) -> None:
        """Take no more checks."""
        self._alarm.set()
        self._thread.join(10)
