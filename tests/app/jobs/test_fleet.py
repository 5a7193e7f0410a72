"""Two web processes and two workers on one PostgreSQL: what is lost when one of them goes? Nothing.

Checks wait at a gate inside the stage `AT` until the test has seen who holds them and done its harm.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import partial

import pytest

from tests import waiting
from tests.app.fake import CORPUS, PAGES, STAGES
from tests.app.fleet import SLOTS, Fleet, WorkerProcess
from tests.services import PostgreSQL

pytestmark = pytest.mark.slow

AT = STAGES[2]


@pytest.fixture(scope="module")
def fleet(postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    fleet = Fleet(tmp_path_factory.mktemp("fleet"), postgresql.database())
    try:
        fleet.start()
        yield fleet
    finally:
        fleet.close()


@pytest.fixture(autouse=True)
def _all_is_over_before_the_next(fleet: Fleet) -> Iterator[None]:
    yield
    fleet.gate.open()


until = partial(waiting.until, limit=120)


def assert_each_ended_once(fleet: Fleet, ids: list[str]) -> None:
    """Done, with one verdict, every stage of it whole, each page written once; and any web process shows it."""
    # A row is done a moment before its work is.
    until(lambda: all(fleet.works().get(check_id) == "SUCCESS" for check_id in ids))
    endings, stages, pages = fleet.endings(), fleet.stages(), fleet.pages()
    for number, check_id in enumerate(ids):
        assert endings[check_id] == 1
        assert stages[check_id] == [(name, "done") for name in STAGES]
        assert pages[check_id] == len(PAGES)
        shown = fleet.webs[number % 2 - 1].client.get(f"/api/checks/{check_id}").json()
        assert (shown["state"], shown["verdict"]["label"]) == ("done", "SUPPORTED")


def assert_taken_over(fleet: Fleet, ids: list[str], held: set[str]) -> None:
    """These were taken up a second time, and no others."""
    assert fleet.attempts(ids) == {check_id: 2 if check_id in held else 1 for check_id in ids}


def test_a_check_is_seen_and_cancelled_from_any_web_process(fleet: Fleet) -> None:
    first, second = fleet.webs
    assert first.client.get("/readyz").status_code == 200
    fleet.gate.close(AT)
    check_id = first.submit("To be watched.")
    running = second.wait(check_id, lambda check: check["stages"] and check["stages"][2]["done"])
    assert running["state"] == "running"
    assert [stage["state"] for stage in running["stages"]] == ["done", "done", "running", "waiting", "waiting"]
    assert second.client.post(f"/api/checks/{check_id}/cancel").json()["state"] == "cancelled"
    assert first.client.get(f"/api/checks/{check_id}").json()["state"] == "cancelled"
    # Its worker has stopped, though the gate is closed.
    until(lambda: "To be watched." in [claim for _, claim in fleet.gate.left(AT)])
    fleet.gate.open()
    token = first.client.get("/").text.split('name="csrf_token" value="')[1].split('"')[0]
    second.client.cookies.update(first.client.cookies)
    started = second.client.post("/checks", data={"claim": "A form of the other.", "csrf_token": token})
    assert started.status_code == 303
    fleet.wait(lambda states: states == {"cancelled": 1, "done": 1})
    assert [claim for _, claim in fleet.gate.went(AT)] == ["A form of the other."]


def test_fifty_claims_survive_a_worker_killed_in_the_middle(fleet: Fleet) -> None:
    killed, other = fleet.workers
    before = fleet.states()["done"]
    ids = fleet.submit(10, "Early claim")
    fleet.wait(lambda states: states["done"] == before + 10)
    fleet.gate.close(AT)
    ids += fleet.submit(40, "Claim")
    held, kept = fleet.held(killed, AT), fleet.held(other, AT)
    killed.send(signal.SIGKILL)
    killed.process.wait(10)
    states = fleet.states()
    assert (states["done"], states["running"], states["queued"]) == (before + 10, 2 * SLOTS, 40 - 2 * SLOTS)
    assert fleet.held(other, AT) == kept
    fleet.gate.open()
    fleet.wait(lambda states: states["done"] == before + 50)
    assert_each_ended_once(fleet, ids)
    assert_taken_over(fleet, ids, held)
    went = sorted(claim for _, claim in fleet.gate.went(AT) if "laim " in claim)
    assert went == sorted([f"Early claim {n}." for n in range(10)] + [f"Claim {n}." for n in range(40)])
    fleet.hire("worker-3")


def test_a_worker_that_was_only_frozen_writes_nothing_twice(fleet: Fleet) -> None:
    _, frozen, other = fleet.workers
    before = fleet.states()["done"]
    fleet.gate.close(AT)
    ids = fleet.submit(12, "Frozen")
    held = fleet.held(frozen, AT)
    claims = {f"Frozen {ids.index(check_id)}." for check_id in held}
    assert not held & fleet.held(other, AT)
    fleet.freeze(frozen)
    try:
        fleet.gate.open()
        fleet.wait(lambda states: states["done"] == before + 12)
    finally:
        frozen.send(signal.SIGCONT)
    until(lambda: {(frozen.process.pid, claim) for claim in claims} <= set(fleet.gate.left(AT)))  # it knows by now
    assert {(other.process.pid, claim) for claim in claims} <= set(fleet.gate.went(AT))
    assert_each_ended_once(fleet, ids)
    assert_taken_over(fleet, ids, held)
    until(lambda: fleet.lives(frozen))
    fleet.gate.close(AT)
    after = fleet.submit(6, "Thawed")
    assert fleet.held(frozen, AT) <= set(after)  # it is done with the old ones and works again
    fleet.gate.open()
    fleet.wait(lambda states: states["done"] == before + 18)
    assert_each_ended_once(fleet, ids + after)
    assert_taken_over(fleet, ids + after, held)


def test_a_worker_that_is_told_to_stop_hands_its_checks_on(fleet: Fleet) -> None:
    leaving = fleet.workers[1]
    before = fleet.states()["done"]
    fleet.gate.close(AT)
    ids = fleet.submit(8, "Handed on")
    held = fleet.held(leaving, AT)
    leaving.send(signal.SIGTERM)
    assert leaving.process.wait(20) == 0
    fleet.gate.open()
    fleet.wait(lambda states: states["done"] == before + 8)
    assert_each_ended_once(fleet, ids)
    assert_taken_over(fleet, ids, held)


def test_a_database_that_crashes_and_comes_back_loses_nothing(fleet: Fleet, postgresql: PostgreSQL) -> None:
    if postgresql.folder is None:
        pytest.skip("The server of TEST_POSTGRESQL is not ours to stop.")
    before = fleet.states()["done"]
    fleet.gate.close(AT)
    ids = fleet.submit(8, "Crash")
    fleet.held(fleet.workers[2], AT)
    postgresql.stop()
    refused = fleet.webs[0].client.get("/history")
    assert refused.status_code == 503
    assert "database" in refused.text
    assert fleet.webs[0].client.get("/healthz").status_code == 200
    fleet.gate.open()
    postgresql.start()
    fleet.wait(lambda states: states["done"] == before + 8)
    assert_each_ended_once(fleet, ids)


def test_without_a_worker_the_application_says_so(fleet: Fleet) -> None:
    for worker in fleet.workers:
        worker.close()
    check_id = fleet.webs[0].submit("Waits for somebody.")
    until(lambda: fleet.webs[1].client.get("/readyz").status_code == 503)
    assert "No worker is running" in fleet.webs[1].client.get("/readyz").json()["detail"]
    check = fleet.webs[1].client.get(f"/api/checks/{check_id}").json()
    assert check["state"] == "queued"
    assert "No worker is running" in check["waiting_for"]
    assert "No worker is running" in fleet.webs[0].client.get(f"/checks/{check_id}").text


def test_a_check_says_that_its_worker_waits_for_the_corpus(fleet: Fleet) -> None:
    """As after a restart of everything at once: the corpus's server comes last, or not at all."""
    check_id = fleet.webs[0].submit("Waits for the corpus.")
    fleet.gate.close(CORPUS)
    worker = WorkerProcess(fleet.folder / "worker-late", fleet.database, fleet.gate.folder)
    fleet.workers.append(worker)
    said = fleet.webs[1].wait(check_id, lambda check: "is away" in (check["waiting_for"] or ""), limit=120)
    assert said["state"] == "queued"
    assert "The corpus is away." in fleet.webs[0].client.get(f"/checks/{check_id}").text
    fleet.gate.open()
    worker.wait_until_it_works()
    assert not fleet.webs[0].wait(check_id, lambda check: check["state"] == "done", limit=120).get("waiting_for")


def test_nothing_ended_twice_in_all_of_this(fleet: Fleet) -> None:
    """What a frozen worker might have written late would be seen by now."""
    done = {row[0] for row in fleet.rows("SELECT id FROM checks WHERE state = 'done'")}
    assert fleet.endings() == dict.fromkeys(done, 1)
