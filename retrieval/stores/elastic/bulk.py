"""Sends documents to Elasticsearch in parallel, with bounded memory and many retries.

If the server is unavailable, overloaded or out of disk, a request is sent again until it succeeds. Every operation
carries a number and the server keeps the highest, so sending twice changes nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from retrieval.errors import StoreAway, StoreError, StoreIncomplete
from retrieval.stores.elastic.server import Server, reason_of

BULK_THREADS = 3
BYTES_A_REQUEST = 8_000_000  # so few that a server with 512 MB accepts all requests in flight
REQUESTS_WAITING = BULK_THREADS + 1  # besides those in flight; bounds the memory
SECONDS_A_BULK_REQUEST = 120.0
SECONDS_OF_PATIENCE = 1_800.0  # without any success until a load stops, to be resumed later
FIRST_PAUSE, LONGEST_BULK_PAUSE = 0.25, 10.0  # seconds before an operation is sent again
SECONDS_BETWEEN_REPORTS = 30.0

WAIT = frozenset({408, 429, 500, 502, 503, 504})


class Operation(NamedTuple):
    """A document to write or delete. lines: its NDJSON with line breaks; one line deletes, two write."""

    page_id: str
    lines: bytes


class Bulk:
    """Accepts operations from one thread and sends them from several. `add` and `wait` raise the errors of sending."""

    def __init__(self, server: Server, target: str, report: Callable[[str], None]) -> None:
        """target: an alias; if it is gone, the server must not create an index with that name."""
        self.rejected = 0
        self.added = 0  # documents that the server reported as new
        self.uncertain = 0  # reports that an earlier attempt at the same operation may have changed
        self._server, self._target, self._report = server, target, report
        self._operations: list[Operation] = []
        self._bytes = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._places = threading.BoundedSemaphore(BULK_THREADS + REQUESTS_WAITING)
        self._pool = ThreadPoolExecutor(BULK_THREADS, thread_name_prefix="bulk")
        self._sent: list[Future[None]] = []
        self._last_success = self._last_report = time.monotonic()

    def add(self, operation: Operation) -> None:
        """Queue one operation."""
        self._operations.append(operation)
        self._bytes += len(operation.lines)
        if self._bytes >= BYTES_A_REQUEST:
            self._submit()

    def wait(self) -> None:
        """Wait until the server has stored everything added so far."""
        self._submit()
        for future in self._sent:
            future.result()
        self._sent = []

    def close(self) -> None:
        """Stop sending; operations that no `wait` has confirmed may be lost."""
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self) -> None:
        if not self._operations:
            return
        self._places.acquire()
        for future in [future for future in self._sent if future.done()]:
            self._sent.remove(future)
            future.result()
        sent = self._pool.submit(self._send, self._operations)
        sent.add_done_callback(lambda _: self._places.release())
        self._sent.append(sent)
        self._operations, self._bytes = [], 0

    def _send(self, operations: Sequence[Operation]) -> None:
        resent = False
        for pause in pauses():
            try:
                operations, why = self._send_once(operations, resent)
            except StoreAway as error:
                why = str(error)
            if not operations:
                return
            resent = True
            self._hold(why)
            if self._stopped.wait(pause):
                raise StoreAway(f"The load was stopped while it waited: {why}")

    def _send_once(self, operations: Sequence[Operation], resent: bool) -> tuple[list[Operation], str]:
        """The operations that must be sent again, and why."""
        client = self._server.client.options(request_timeout=SECONDS_A_BULK_REQUEST, max_retries=0)
        with self._server.asked():
            answer = client.bulk(
                index=self._target,
                # Lines that are JSON already go out as they are.
                operations=[b"".join(operation.lines for operation in operations)],  # type: ignore[list-item]
                require_alias=True,
                filter_path="items.*.status,items.*.result,items.*.error.type,items.*.error.reason",
            )
        unsent: list[Operation] = []
        why = ""
        with self._lock:
            for operation, item in zip(operations, answer["items"], strict=True):
                (result,) = item.values()
                if result["status"] in WAIT:
                    unsent.append(operation)
                    why = f"Elasticsearch at {self._server} cannot take pages now ({reason_of(result)})."
                else:
                    self._count(operation, result, resent)
            if len(unsent) < len(operations):
                self._last_success = time.monotonic()
        return unsent, why

    def _count(self, operation: Operation, result: dict[str, Any], resent: bool) -> None:
        status, outcome = result["status"], result.get("result", "")
        if status == 409 or (resent and outcome in ("updated", "not_found")):
            self.uncertain += 1  # a later operation on the page, or an earlier attempt at this one, arrived first
        elif outcome in ("created", "deleted"):
            self.added += 1 if outcome == "created" else -1
        elif "index_not_found" in str(result.get("error")):
            raise StoreIncomplete(
                f"The index that was being loaded at {self._server} is gone. "
                "Run the same command with `--restart` to start over."
            )
        elif status >= 400 and outcome != "not_found":
            self.rejected += 1
            self._report(f"Page {operation.page_id[:80]!r} was rejected by Elasticsearch: {reason_of(result)}.")

    def _hold(self, why: str) -> None:
        """Report the failure now and then; raise StoreError if nothing has succeeded for too long."""
        now = time.monotonic()
        with self._lock:
            if now - self._last_success > SECONDS_OF_PATIENCE:
                raise StoreError(f"{why} The load stopped; run the same command again to resume.")
            if now - self._last_report > SECONDS_BETWEEN_REPORTS or self._last_report <= self._last_success:
                self._last_report = now
                self._report(f"{why} The load waits and resumes by itself.")


def pauses() -> Iterator[float]:
    """Seconds before each further attempt, without end: doubled up to a limit."""
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(LONGEST_BULK_PAUSE, 2 * pause)
