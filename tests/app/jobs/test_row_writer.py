"""What a running check's row is told: seldom, but never too late, and never after its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from app.jobs import row_writer
from app.jobs.row_writer import RowWriter, Stopped
from app.tables.checks import Checks
from app.tables.database import open_engine
from app.tables.migrations import prepare_tables
from app.tables.stored_check import StoredCheck
from retrieval.settings import Settings
from retrieval.types import Claim, FactCheck

FOUND = FactCheck(Claim("", "A claim."), "fast", notes=("found",))
WITHIN = replace(FOUND, notes=("within",))
LONGER = 60  # seconds, on a busy machine


@pytest.fixture
def checks(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checks]:
    engine = open_engine(Settings(data=tmp_path_factory.mktemp("rows"), database=database))
    checks = Checks(engine)
    prepare_tables(engine)
    yield checks
    engine.dispose()


@pytest.fixture
def taken(checks: Checks) -> StoredCheck:
    check = checks.take_up(checks.add("A claim.", "fast", 1000))
    assert check is not None
    return check


@pytest.fixture
def updates(checks: Checks) -> list[str]:
    seen: list[str] = []
    sa.event.listen(checks.engine, "before_cursor_execute", lambda *given: seen.append(given[2]))
    return seen


def stages(done: int) -> list[dict[str, object]]:
    return [{"name": "spans", "state": "running", "done": done}]


def soon(true: Callable[[], object]) -> None:
    end = time.monotonic() + LONGER
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def row(checks: Checks, check: StoredCheck) -> StoredCheck:
    stored = checks.get(check.id)
    assert stored is not None
    return stored


def test_what_comes_at_once_is_written_together(checks: Checks, taken: StoredCheck, updates: list[str]) -> None:
    with RowWriter(checks, taken.id, taken.attempts) as writer:
        before = time.monotonic()
        for done in range(500):
            writer.tell(FOUND, FOUND, stages(done))
        took = time.monotonic() - before
        writer.flush()
    writes = sum(statement.startswith("UPDATE checks") for statement in updates)
    assert 1 <= writes <= took / 0.1 + 2
    assert row(checks, taken).stages == stages(499)


def test_a_stage_that_tells_nothing_more_does_not_hold_back_what_was_told(checks: Checks, taken: StoredCheck) -> None:
    with RowWriter(checks, taken.id, taken.attempts) as writer:
        writer.tell(FOUND, FOUND, stages(0))
        soon(lambda: row(checks, taken).state == "running")
        assert row(checks, taken).complete.notes == ("found",)
        writer.tell(FOUND, WITHIN, stages(1))
        soon(lambda: row(checks, taken).latest.notes == ("within",))
        assert row(checks, taken).complete.notes == ("found",)


def test_a_stage_does_not_wait_for_a_write_that_has_begun(
    checks: Checks, taken: StoredCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, begun, ends, clock = checks.write, threading.Event(), threading.Event(), [0.0]

    def slowly(*given: Any) -> bool:
        begun.set()
        assert ends.wait(LONGER)
        return write(*given)

    monkeypatch.setattr(checks, "write", slowly)
    monkeypatch.setattr(row_writer, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    with RowWriter(checks, taken.id, taken.attempts) as writer:
        writer.tell(FOUND, FOUND, stages(0))
        clock[0] = 1.0
        assert begun.wait(LONGER)
        writer.tell(FOUND, FOUND, stages(1))
        ends.set()
        writer.flush()
    assert row(checks, taken).stages == stages(1)


def test_a_reply_that_was_paid_for_is_written_before_it_is_read(checks: Checks, taken: StoredCheck) -> None:
    with RowWriter(checks, taken.id, taken.attempts) as writer:
        writer.tell(FOUND, WITHIN, stages(1), at_once=True)
        assert row(checks, taken).latest.notes == ("within",)


def test_what_was_found_before_an_error_is_written(checks: Checks, taken: StoredCheck) -> None:
    def work() -> None:
        with RowWriter(checks, taken.id, taken.attempts) as writer:
            writer.tell(FOUND, FOUND, stages(1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert row(checks, taken).complete.notes == ("found",)


def test_nothing_is_written_after_the_end(checks: Checks, taken: StoredCheck, updates: list[str]) -> None:
    with RowWriter(checks, taken.id, taken.attempts) as writer:
        writer.tell(FOUND, FOUND, stages(1))
        writer.close()
        written = len(updates)
    time.sleep(0.3)
    assert len(updates) == written


@pytest.mark.parametrize("way", ["cancelled", "deleted", "taken over"])
def test_work_that_nobody_waits_for_is_stopped(checks: Checks, taken: StoredCheck, way: str) -> None:
    def work() -> None:
        with RowWriter(checks, taken.id, taken.attempts) as writer:
            writer.tell(FOUND, FOUND, stages(0))
            ways = {"cancelled": checks.cancel, "taken over": checks.take_up}
            ways.get(way, lambda check_id: checks.delete([check_id]))(taken.id)
            end = time.monotonic() + LONGER
            while time.monotonic() < end:
                writer.tell(FOUND, FOUND, stages(1))
                time.sleep(0.01)

    with pytest.raises(Stopped):
        work()
    if way == "taken over":
        assert row(checks, taken).state == "queued"


def test_a_database_that_was_away_is_told_later(
    checks: Checks, taken: StoredCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.jobs.row_writer.DATABASE_TRY_EVERY", 0.05)
    refused: list[str] = []

    def refuse(*given: object) -> None:
        if str(given[2]).startswith("UPDATE checks") and len(refused) < 2:
            refused.append(str(given[2]))
            raise sa.exc.OperationalError(str(given[2]), {}, ValueError("the server is away"))

    sa.event.listen(checks.engine, "before_cursor_execute", refuse)
    with RowWriter(checks, taken.id, taken.attempts) as writer:
        writer.tell(FOUND, FOUND, stages(1))
        soon(lambda: row(checks, taken).state == "running")
    assert len(refused) == 2
