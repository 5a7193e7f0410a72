"""Two at a time, turn by turn among people."""

from __future__ import annotations

import threading

from app.jobs.readers.turns import Turns


def test_who_waits_longest_is_next_whoever_brought_more() -> None:
    turns, gate, done = Turns(1, "test"), threading.Event(), threading.Semaphore(0)
    order: list[str] = []

    def work(name: str) -> None:
        gate.wait(60)
        order.append(name)
        done.release()

    for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
        turns.add(name[0], lambda name=name: work(name))  # type: ignore[misc]
    assert [turns.pending(person) for person in "abcd"] == [3, 2, 1, 0]
    gate.set()
    for _ in range(6):
        assert done.acquire(timeout=60)
    assert order == ["a1", "a2", "b1", "c1", "a3", "b2"]


def test_two_at_a_time_and_what_fails_holds_nobody_up() -> None:
    turns, gate = Turns(2, "test"), threading.Event()
    begun, done = threading.Semaphore(0), threading.Semaphore(0)

    def work() -> None:
        begun.release()
        gate.wait(60)
        done.release()

    for person in "aab":
        turns.add(person, work)
    assert begun.acquire(timeout=60)
    assert begun.acquire(timeout=60)
    assert not begun.acquire(blocking=False)
    gate.set()
    assert all(done.acquire(timeout=60) for _ in range(3))
