"""Two web processes and two workers on one PostgreSQL: what is lost when one of them goes? Nothing."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest

from tests.app.fake import STAGES
from tests.app.fleet import SILENCE, Fleet
from tests.services import PostgreSQL

STEPS = ["begin", *STAGES, "finish"]


@pytest.fixture(scope="module")
def fleet(postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    fleet = Fleet(tmp_path_factory.mktemp("fleet"), postgresql.database())
    try:
        fleet.start()
        yield fleet
    finally:
        fleet.close()


def assert_each_ended_once(fleet: Fleet, ids: list[str]) -> None:
    """Done, with one verdict, every step recorded once; and any web process shows it."""
    until = time.monotonic() + 20  # a row is done a moment before its last step is recorded
    while any(fleet.steps().get(check_id) != STEPS for check_id in ids) and time.monotonic() < until:
        time.sleep(0.2)
    endings, steps = fleet.endings(), fleet.steps()
    for number, check_id in enumerate(ids):
        assert (endings[check_id], steps[check_id]) == (1, STEPS)
        shown = fleet.webs[number % 2 - 1].client.get(f"/api/checks/{check_id}").json()
        assert (shown["state"], shown["verdict"]["label"]) == ("done", "SUPPORTED")


def test_a_check_is_seen_and_cancelled_from_any_web_process(fleet: Fleet) -> None:
    first, second = fleet.webs
    assert first.client.get("/readyz").status_code == 200
    check_id = first.submit("To be watched.")
    running = second.wait(check_id, lambda check: check["state"] == "running" and check["stages"][1]["done"])
    assert running["stages"][0]["state"] == "done"
    assert second.client.post(f"/api/checks/{check_id}/cancel").json()["state"] == "cancelled"
    assert first.client.get(f"/api/checks/{check_id}").json()["state"] == "cancelled"
    token = first.client.get("/").text.split('name="csrf_token" value="')[1].split('"')[0]
    second.client.cookies.update(first.client.cookies)
    started = second.client.post("/checks", data={"claim": "A form of the other.", "csrf_token": token})
    assert started.status_code == 303
    fleet.wait(lambda states: not states["queued"] and not states["running"])


def test_fifty_claims_survive_a_worker_killed_in_the_middle(fleet: Fleet) -> None:
    before = fleet.wait(lambda _: True)["done"]
    ids = fleet.submit(50, "Claim")
    fleet.wait(lambda states: states["done"] >= before + 10)
    fleet.workers[0].send(signal.SIGKILL)
    left = fleet.wait(lambda _: True)
    assert left["queued"]
    assert left["running"]
    fleet.wait(lambda states: states["done"] == before + 50)
    assert_each_ended_once(fleet, ids)
    taken_over = fleet.rows("SELECT count(*) FROM checks WHERE attempts = 2")[0][0]
    assert taken_over in (1, 2), "it had two checks at most, and one at least"
    fleet.hire("worker-3").wait_until_it_works()


def test_a_worker_that_was_only_frozen_writes_nothing_twice(fleet: Fleet) -> None:
    before = fleet.wait(lambda _: True)["done"]
    frozen = fleet.workers[1]
    ids = fleet.submit(12, "Frozen")
    fleet.wait(lambda states: states["running"] >= 3)
    frozen.send(signal.SIGSTOP)
    try:
        fleet.wait(lambda states: states["done"] == before + 12)
    finally:
        frozen.send(signal.SIGCONT)
    time.sleep(SILENCE / 2)  # for it to go on with what it believes to be its own
    assert_each_ended_once(fleet, ids)
    after = fleet.submit(6, "Thawed")
    fleet.wait(lambda states: states["done"] == before + 18)
    assert_each_ended_once(fleet, after)


def test_a_worker_that_is_told_to_stop_hands_its_checks_on(fleet: Fleet) -> None:
    before = fleet.wait(lambda _: True)["done"]
    ids = fleet.submit(8, "Handed on")
    fleet.wait(lambda states: states["running"] >= 3)
    fleet.workers[1].send(signal.SIGTERM)
    assert fleet.workers[1].process.wait(20) == 0
    fleet.wait(lambda states: states["done"] == before + 8)
    assert_each_ended_once(fleet, ids)


def test_a_database_that_crashes_and_comes_back_loses_nothing(fleet: Fleet, postgresql: PostgreSQL) -> None:
    if postgresql.folder is None:
        pytest.skip("The server of TEST_POSTGRESQL is not ours to stop.")
    before = fleet.wait(lambda _: True)["done"]
    ids = fleet.submit(8, "Crash")
    fleet.wait(lambda states: states["running"] >= 1)
    postgresql.stop()
    refused = fleet.webs[0].client.get("/history")
    assert refused.status_code == 503
    assert "database" in refused.text
    assert fleet.webs[0].client.get("/healthz").status_code == 200
    postgresql.start()
    fleet.wait(lambda states: states["done"] == before + 8)
    assert_each_ended_once(fleet, ids)


def test_without_a_worker_the_application_says_so(fleet: Fleet) -> None:
    for worker in fleet.workers:
        worker.close()
    check_id = fleet.webs[0].submit("Waits for somebody.")
    until = time.monotonic() + 30
    while (ready := fleet.webs[1].client.get("/readyz")).status_code == 200:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert "No worker runs" in ready.json()["detail"]
    assert fleet.webs[1].client.get(f"/api/checks/{check_id}").json()["state"] == "queued"
