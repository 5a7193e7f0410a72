"""The tables behind the jobs keep their promises on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
import sqlalchemy as sa

from app.tables.checks import Checks, QueueFull
from app.tables.database import now, open_engine, shared_secret
from app.tables.migrations import prepare_tables
from app.tables.workers import Workers
from retrieval.settings import Settings
from retrieval.types import Claim, FactCheck, Label, Verdict


@pytest.fixture(scope="module")
def engine(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[sa.Engine]:
    engine = open_engine(Settings(data=tmp_path_factory.mktemp("tables"), database=database))
    yield engine
    engine.dispose()


@pytest.fixture
def checks(engine: sa.Engine) -> Checks:
    checks = Checks(engine)
    prepare_tables(engine)
    checks.delete(checks.some(1000))
    return checks


@pytest.fixture
def workers(engine: sa.Engine) -> Workers:
    """No process has given a sign; one silent for 100 s is dead."""
    workers = Workers(engine, 100)
    prepare_tables(engine)
    for executor in workers.alive():
        workers.leave(executor)
    return workers


def record(check_id: str) -> FactCheck:
    return FactCheck(Claim(check_id, "Warsaw is a city."), "fast")


class TestTables:
    def test_a_check_lives_from_queued_to_done(self, checks: Checks) -> None:
        check_id = checks.add("Straße: “ünï” 🦉", "fast", 10)
        attempt = checks.take_up(check_id).attempts
        assert attempt == 1
        stages, whole, within = [{"name": "spans"}], record(check_id), replace(record(check_id), notes=("within",))
        assert checks.write(check_id, attempt, whole, None, stages)
        assert checks.write(check_id, attempt, None, within, stages)
        running = checks.get(check_id)
        assert running is not None
        assert (running.state, running.complete, running.latest, running.stages) == ("running", whole, within, stages)
        assert checks.write(check_id, attempt, replace(whole, notes=("whole",)), None, stages)
        assert checks.finish(check_id, attempt, replace(whole, notes=("whole",)), "key")
        stored = checks.get(check_id)
        assert stored is not None
        assert (stored.state, stored.claim, stored.complete.notes) == ("done", "Straße: “ünï” 🦉", ("whole",))
        assert checks.earlier("key") == check_id
        assert not checks.cancel(check_id)
        assert [check.id for check in checks.latest(5, search="STRASSE")] == [check_id]

    def test_a_check_is_found_by_its_name_and_by_its_claim(self, checks: Checks) -> None:
        check_id = checks.add("Warsaw is a city.", "fast", 10)
        other = checks.add("Rome is a city.", "fast", 10)
        attempt = checks.take_up(check_id).attempts
        for name in ("Straße, “ünï” 🦉", "Maps & plans"):
            assert checks.rename(checks.get(check_id), name)
        assert checks.write(check_id, attempt, record(check_id), None, []), "a name stops no work"
        verdict = Verdict(Label.SUPPORTED, {}, "It is one.", "test")
        assert checks.finish(check_id, attempt, replace(record(check_id), verdict=verdict), "key")
        assert (checks.get(check_id).name, checks.get(check_id).claim) == ("Maps & plans", "Warsaw is a city.")
        for words, found in (("MAPS", [check_id]), ("a city", [other, check_id]), ("strasse", []), ("%", [])):
            assert [one.id for one in checks.latest(5, search=words)] == found
            assert checks.count(words) == len(found)
        assert [one.name for one in checks.latest(5)] == [None, "Maps & plans"]
        for words, label, found in (("", "SUPPORTED", [check_id]), ("maps", "REFUTED", []), ("rome", "SUPPORTED", [])):
            assert [one.id for one in checks.latest(5, search=words, label=label)] == found
            assert checks.count(words, label=label) == len(found)
        assert checks.rename(checks.get(check_id), "")
        assert (checks.get(check_id).name, checks.latest(5, search="maps")) == (None, [])
        gone = checks.get(other)
        checks.delete([other])
        assert not checks.rename(gone, "Too late")

    def test_an_attempt_that_was_taken_over_writes_nothing_more(self, checks: Checks) -> None:
        check_id = checks.add("Claim.", "fast", 10)
        first = checks.take_up(check_id).attempts
        assert checks.write(check_id, first, record(check_id), None, [])
        second = checks.take_up(check_id).attempts
        late = replace(record(check_id), notes=("late",))
        assert not checks.write(check_id, first, None, late, [])
        assert not checks.write(check_id, first, late, None, [])
        assert not checks.fail(check_id, "Late.", first)
        assert not checks.finish(check_id, first, late, "late")
        assert checks.write(check_id, second, record(check_id), None, [])
        assert checks.finish(check_id, second, record(check_id), "key")
        stored = checks.get(check_id)
        assert stored is not None
        assert (stored.state, stored.cache_key, stored.latest.notes, stored.attempts) == ("done", "key", (), 2)

    def test_many_at_once_take_no_more_places_than_there_are(self, checks: Checks) -> None:
        full: list[QueueFull] = []

        def add(person: str) -> None:
            try:
                checks.add("Claim.", "fast", 5, person=person)
            except QueueFull as error:
                full.append(error)

        threads = [threading.Thread(target=add, args=(str(number),)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (checks.count(), len(full)) == (5, 7)

    def test_tables_are_made_by_many_at_once(self, engine: sa.Engine) -> None:
        failed: list[Exception] = []

        def make() -> None:
            try:
                prepare_tables(engine)
                shared_secret(engine)
            except Exception as error:
                failed.append(error)

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed
        assert shared_secret(engine) == shared_secret(engine)

    def test_unfinished_ones_are_listed_by_age(self, checks: Checks) -> None:
        ids = [checks.add("Claim.", "fast", 10) for _ in range(3)]
        checks.cancel(ids[1])
        assert checks.unfinished() == [ids[0], ids[2]]
        assert checks.unfinished(older_than=60) == []
        assert now(60) < now()

    def test_workers_live_while_their_heart_beats(self, workers: Workers) -> None:
        impatient = Workers(workers.engine, 0.5)
        for executor in ("first", "second", "second"):
            impatient.beat(executor)
        assert workers.alive() == {"first", "second"}
        impatient.leave("first")
        assert workers.alive() == {"second"}
        until = time.monotonic() + 10
        while impatient.alive():
            assert time.monotonic() < until
            time.sleep(0.2)
        assert workers.alive() == {"second"}

    def test_why_nobody_takes_checks(self, workers: Workers) -> None:
        assert workers.obstacle() is None
        workers.beat("first", "The corpus is away.")
        workers.beat("second", "The corpus is missing.")
        assert workers.obstacle() == "The corpus is away."
        workers.beat("second")
        assert workers.obstacle() == ""


def test_an_end_is_awaited_where_nothing_else_is_at_work(checks: Checks) -> None:
    first, second = (checks.add(claim, "fast", 10) for claim in ("Rome is a city.", "Bonn is a city."))
    begun = time.monotonic()
    checks.await_end(first, 600)
    assert time.monotonic() - begun < 300, "another one waits too"
    checks.cancel(second)
    checks.await_end(first, 0.05)
    assert checks.get(first).unfinished  # type: ignore[union-attr]
    timer = threading.Timer(0.1, checks.cancel, (first,))
    timer.start()
    checks.await_end(first, 600)
    assert not checks.get(first).unfinished  # type: ignore[union-attr]
    timer.join()
