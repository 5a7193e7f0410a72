"""Background work with a limit, in which people take turns."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

MOST_PENDING_OF_A_PERSON = 4  # jobs of one kind that wait or run

Work = Callable[[], None]


class Turns:
    """Runs jobs, `at_once` at a time; whoever was served longest ago is next. Thread-safe."""

    def __init__(self, at_once: int, name: str) -> None:
        self._at_once, self._name = at_once, name
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[Work]] = {}  # in the order in which people are served
        self._running: dict[str, int] = {}

    def add(self, person: str, work: Work) -> None:
        """Run the work when it is this person's turn."""
        with self._lock:
            self._waiting.setdefault(person, deque()).append(work)
            if sum(self._running.values()) >= self._at_once:
                return
            person, work = self._next()
        threading.Thread(target=self._work, args=(person, work), name=self._name, daemon=True).start()

    def pending(self, person: str) -> int:
        """Number of this person's jobs that wait or run."""
        with self._lock:
            return len(self._waiting.get(person, ())) + self._running.get(person, 0)

    def _next(self) -> tuple[str, Work]:
        """Take the next job, under the lock: of those with the fewest running jobs, from who has waited longest."""
        person = min(self._waiting, key=lambda name: self._running.get(name, 0))
        jobs = self._waiting.pop(person)
        work = jobs.popleft()
        if jobs:
            self._waiting[person] = jobs  # at the end
        self._running[person] = self._running.get(person, 0) + 1
        return person, work

    def _work(self, person: str, work: Work) -> None:
        while True:
            try:
                work()
            finally:
                with self._lock:
                    self._running[person] -= 1
                    if not self._running[person]:
                        del self._running[person]
            with self._lock:
                if not self._waiting or sum(self._running.values()) >= self._at_once:
                    return
                person, work = self._next()
