"""Durable work: cancel, queue, two at once, death in any stage."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app.checks.service import HELD_AT_ONCE
from app.jobs.attempt import SWITCHED
from app.jobs.row_writer import WRITE_EVERY
from app.tables.checks import table
from app.tables.database import now
from app.tables.workers import table as workers
from retrieval.settings import Settings
from retrieval.types import CorpusInfo
from tests.app.conftest import CLAIM, token, wait, working_app
from tests.app.fake import STAGES, STEPS, FakeResources
from tests.app.gate import PAUSE, Gate
from tests.app.process import Server, free_port
from tests.waiting import until

AT = STAGES[1]


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> FakeResources:
    return FakeResources(tmp_path_factory.mktemp("gate"))


@pytest.fixture(scope="module")
def app(data: Path, resources: FakeResources, database: str) -> Iterator[Flask]:
    yield from working_app(Settings(data=data, database=database, queue_limit=2, workers=2), resources)


def waits(client: FlaskClient, check_id: str) -> None:
    """Return once the check waits at the gate."""
    until(lambda: (stages := client.get(f"/api/checks/{check_id}").json["stages"]) and stages[1]["done"] == STEPS - 1)


ODD = ("%00", "a%00b", "%ED%A0%80", "%F0%9F%98", "x" * 5000)  # NUL, half a character, part of one


@pytest.mark.parametrize("odd", ODD)
def test_an_address_that_no_database_takes_is_not_there(client: FlaskClient, odd: str) -> None:
    for path in (f"/checks/{odd}", f"/api/checks/{odd}", f"/api/documents/{odd}", f"/checks/{odd}.json"):
        assert client.get(path).status_code == 404, path
    assert client.get(f"/api/checks?before={odd}").status_code == 404
    assert client.post("/api/checks", json={"claim": CLAIM, "against": "upload:\x00"}).status_code == 404
    assert client.get(f"/history?q={odd}").status_code in (200, 400)
    assert client.get(f"/?claim={odd}&against={odd}").status_code == 200


@pytest.mark.parametrize("way", ["api", "form", "delete"])
def test_cancel_stops_the_work_within_a_second(app: Flask, resources: FakeResources, gate: Gate, way: str) -> None:
    """In the stage's own time: it is at work until it is stopped, `PAUSE` seconds or more at each step."""
    client, stage = app.test_client(), resources.stages[STAGES.index(AT)]
    claim = f"To be stopped by {way}."
    check_id = client.post("/api/checks", json={"claim": claim}).json["id"]
    waits(client, check_id)
    if way == "api":
        assert client.post(f"/api/checks/{check_id}/cancel").json["state"] == "cancelled"
    else:
        path = f"/checks/{check_id}/{'cancel' if way == 'form' else 'delete'}"
        assert client.post(path, data={"csrf_token": token(client)}).status_code == 303
    worked = stage.ran.count(claim)
    until(lambda: claim in stage.left)
    assert stage.ran.count(claim) - worked <= WRITE_EVERY / PAUSE + 2 < 1 / PAUSE
    assert not any(claim in later.ran for later in resources.stages[STAGES.index(AT) + 1 :])
    if way == "delete":
        assert client.get(f"/api/checks/{check_id}").status_code == 404
    else:
        assert client.get(f"/api/checks/{check_id}").json["state"] == "cancelled"
        assert "cancelled" in client.get(f"/checks/{check_id}").text
        assert client.post(f"/api/checks/{check_id}/cancel").json["state"] == "cancelled"


def test_two_at_once_do_not_mix_and_the_queue_is_bounded(app: Flask, gate: Gate) -> None:
    client = app.test_client()
    ids = [client.post("/api/checks", json={"claim": f"{name} claim."}).json["id"] for name in ("First", "Second")]
    for check_id in ids:
        waits(client, check_id)
    waiting = [client.post("/api/checks", json={"claim": f"{name} claim."}).json["id"] for name in ("Third", "Fourth")]
    full = client.post("/api/checks", json={"claim": "One too many."})
    assert full.status_code == 503
    assert int(full.headers["Retry-After"]) > 0
    assert full.content_type == "application/problem+json"
    form = client.post("/checks", data={"claim": "One too many.", "csrf_token": token(client)})
    assert form.status_code == 503
    assert "One too many." in form.text
    assert client.get(f"/api/checks/{waiting[1]}").json["waiting_before"] == 3
    assert "Waiting: 3 ahead of this one." in client.get(f"/checks/{waiting[1]}").text
    assert client.post(f"/api/checks/{waiting[1]}/cancel").json["state"] == "cancelled"
    gate.open()
    for check_id, name in zip([*ids, waiting[0]], ("First", "Second", "Third"), strict=True):
        done = wait(client, check_id)
        assert (done["state"], done["claim"]) == ("done", f"{name} claim.")
        assert f"“{name} claim.”" in done["verdict"]["reason"]
        assert done["spans"][0]["text"] == f"{name} claim."[:5]
    assert client.get(f"/api/checks/{waiting[1]}").json["state"] == "cancelled"


def test_a_corpus_switched_meanwhile_is_noted_and_not_reused(app: Flask, resources: FakeResources, gate: Gate) -> None:
    client = app.test_client()
    check_id = client.post("/api/checks", json={"claim": "Switched under it."}).json["id"]
    waits(client, check_id)
    before = resources.info
    assert isinstance(before, CorpusInfo)
    resources.info = replace(before, fingerprint="1" * 16)
    gate.open()
    try:
        assert SWITCHED in wait(client, check_id)["notes"]
        assert SWITCHED in client.get(f"/checks/{check_id}").text
        gate.close(AT)
        for info in (before, resources.info):
            resources.info = info
            other = client.post("/api/checks", json={"claim": "Switched under it."}).json["id"]
            assert other != check_id
            client.post(f"/api/checks/{other}/cancel")
    finally:
        resources.info = before


def test_what_lies_in_the_table_and_not_in_the_queue_is_repaired(app: Flask) -> None:
    """As where a process died between the two, or the queue gave a check up."""
    parts, client = app.extensions["esoteric"], app.test_client()
    never_queued = parts.checks.add("Never queued.", "fast", 10)
    given_up = client.post("/api/checks", json={"claim": "Given up."}).json["id"]
    wait(client, given_up)
    until(lambda: parts.queue.states([given_up])[given_up] == "SUCCESS")
    with parts.checks.engine.begin() as connection:
        connection.execute(sa.update(table).where(table.c.id == given_up).values(state="running"))
        connection.execute(sa.update(table).values(created=now(ago=60)))
    parts.worker.repair()
    assert "Check the claim again" in wait(client, given_up)["error"]
    assert wait(client, never_queued)["state"] == "done"


def test_a_worker_never_takes_its_own_checks_for_those_of_a_dead_one(app: Flask, gate: Gate) -> None:
    """As where it was frozen between its sign of life and its look at those of all."""
    parts, client = app.extensions["esoteric"], app.test_client()
    check_id = client.post("/api/checks", json={"claim": "Held by one that was frozen."}).json["id"]
    waits(client, check_id)
    with parts.checks.engine.begin() as connection:
        connection.execute(sa.update(workers).values(seen=datetime(2020, 1, 1, tzinfo=UTC)))
    parts.worker.take_over()
    gate.open()
    assert wait(client, check_id)["state"] == "done"
    assert parts.checks.get(check_id).attempts == 1


def test_few_answers_are_held_back_and_those_end_with_the_check(app: Flask, gate: Gate) -> None:
    """Hundreds may wait for a check: each that is held takes a thread of the server's, so the others are answered at once."""
    client = app.test_client()
    check_id = client.post("/api/checks", json={"claim": "Watched by many."}).json["id"]
    waits(client, check_id)
    time.sleep(2 * WRITE_EVERY)  # so that nothing is left to be written

    def watch(_: int) -> str:
        return str(app.test_client().get(f"/api/checks/{check_id}?wait=10").json["state"])

    with ThreadPoolExecutor(40) as watchers:
        watching = [watchers.submit(watch, number) for number in range(40)]
        until(lambda: sum(one.done() for one in watching) >= 40 - HELD_AT_ONCE)
        gate.open()
        assert {one.result() for one in watching} <= {"running", "done"}
    until(lambda: client.get(f"/api/checks/{check_id}?wait=10").json["state"] == "done")
    begun = time.monotonic()
    assert client.get(f"/api/checks/{check_id}?wait=10").json["state"] == "done"
    assert time.monotonic() - begun < 5, "nothing is waited for"
    assert client.get(f"/api/checks/{check_id}?wait=11").status_code == 400


@pytest.mark.slow
def test_death_in_every_stage_loses_nothing(tmp_path: Path) -> None:
    """One check is killed in each of its stages in turn, another waits behind it all the time; both end rightly."""
    port, gate = free_port(), Gate(tmp_path / "gate")
    server = Server("-m", "tests.app.fake_server", str(tmp_path / "data"), str(port), str(gate.folder), port=port)
    try:
        gate.close(STAGES[0])
        server.start()
        first = server.submit(CLAIM)
        second = server.submit("The one behind.")
        for position, following in enumerate([*STAGES[1:], None]):
            server.wait(first, lambda check, at=position: check["stages"] and check["stages"][at]["done"] == STEPS - 1)
            server.kill()
            gate.close(following) if following else gate.open()
            server.start()
            shown = server.client.get(f"/api/checks/{first}").json()
            assert [stage["state"] for stage in shown["stages"][:position]] == ["done"] * position
        for check_id, claim in ((first, CLAIM), (second, "The one behind.")):
            done = server.wait(check_id, lambda check: check["state"] not in ("queued", "running"))
            assert (done["state"], done["claim"], done["error"]) == ("done", claim, None)
            assert f"“{claim}”" in done["verdict"]["reason"]
            assert len(done["evidence"]) == 3
        for name in STAGES:
            assert sorted(claim for _, claim in gate.went(name)) == sorted([CLAIM, "The one behind."])
        server.stop()
        server.start()
        assert server.client.get(f"/checks/{first}").status_code == 200
        assert server.client.post("/api/checks", json={"claim": CLAIM}).json()["id"] == first
    finally:
        server.close()
