"""Durable work: cancel, queue, two at once, death in any stage."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from app.checks import now, table
from app.steps import SWITCHED
from retrieval.settings import Settings
from retrieval.types import CorpusInfo
from tests.app.conftest import CLAIM, token, wait, working_app
from tests.app.fake import STAGES, FakeResources
from tests.app.process import Server, free_port


@pytest.fixture(scope="module")
def resources() -> FakeResources:
    return FakeResources(pace=0.05, steps=10)


@pytest.fixture(scope="module")
def app(data: Path, resources: FakeResources, database: str) -> Iterator[Flask]:
    yield from working_app(Settings(data=data, database=database, queue_limit=2, workers=2), resources)


def running(check: dict[str, Any]) -> bool:
    return check["state"] == "running" and any(stage["done"] > 1 for stage in check["stages"])


@pytest.mark.parametrize("way", ["api", "form", "delete"])
def test_cancel_stops_the_work_within_a_second(app: Flask, resources: FakeResources, way: str) -> None:
    client = app.test_client()
    claim = f"To be stopped by {way}."
    check_id = client.post("/api/checks", json={"claim": claim}).json["id"]
    until = time.monotonic() + 5
    while not running(client.get(f"/api/checks/{check_id}").json):
        assert time.monotonic() < until
        time.sleep(0.02)
    began = time.monotonic()
    if way == "api":
        assert client.post(f"/api/checks/{check_id}/cancel").json["state"] == "cancelled"
    else:
        path = f"/checks/{check_id}/{'cancel' if way == 'form' else 'delete'}"
        assert client.post(path, data={"csrf_token": token(client)}).status_code == 303
    time.sleep(0.6)
    worked = [claim_ for stage in resources.stages for claim_ in stage.ran].count(claim)
    time.sleep(0.3)
    assert [claim_ for stage in resources.stages for claim_ in stage.ran].count(claim) == worked
    assert worked < 10 * len(STAGES)
    assert time.monotonic() - began < 2
    if way == "delete":
        assert client.get(f"/api/checks/{check_id}").status_code == 404
    else:
        assert client.get(f"/api/checks/{check_id}").json["state"] == "cancelled"
        assert "cancelled" in client.get(f"/checks/{check_id}").text
        assert client.post(f"/api/checks/{check_id}/cancel").json["state"] == "cancelled"


def test_two_at_once_do_not_mix_and_the_queue_is_bounded(app: Flask) -> None:
    client = app.test_client()
    ids = [client.post("/api/checks", json={"claim": f"{name} claim."}).json["id"] for name in ("First", "Second")]
    for check_id in ids:
        wait(client, check_id, ("running",))
    waiting = [client.post("/api/checks", json={"claim": f"{name} claim."}).json["id"] for name in ("Third", "Fourth")]
    full = client.post("/api/checks", json={"claim": "One too many."})
    assert full.status_code == 503
    assert int(full.headers["Retry-After"]) > 0
    assert full.content_type == "application/problem+json"
    form = client.post("/checks", data={"claim": "One too many.", "csrf_token": token(client)})
    assert form.status_code == 503
    assert "One too many." in form.text
    assert client.get(f"/api/checks/{waiting[1]}").json["waiting_before"] == 3
    assert "Waiting: 3 before this one." in client.get(f"/checks/{waiting[1]}").text
    assert client.post(f"/api/checks/{waiting[1]}/cancel").json["state"] == "cancelled"
    for check_id, name in zip([*ids, waiting[0]], ("First", "Second", "Third"), strict=True):
        done = wait(client, check_id)
        assert (done["state"], done["claim"]) == ("done", f"{name} claim.")
        assert f"“{name} claim.”" in done["verdict"]["reason"]
        assert done["spans"][0]["text"] == f"{name} claim."[:5]
    assert client.get(f"/api/checks/{waiting[1]}").json["state"] == "cancelled"


def test_a_corpus_switched_meanwhile_is_noted_and_not_reused(app: Flask, resources: FakeResources) -> None:
    client = app.test_client()
    check_id = client.post("/api/checks", json={"claim": "Switched under it."}).json["id"]
    wait(client, check_id, ("running",))
    before = resources.info
    assert isinstance(before, CorpusInfo)
    resources.info = replace(before, fingerprint="1" * 16)
    try:
        assert SWITCHED in wait(client, check_id)["notes"]
        assert SWITCHED in client.get(f"/checks/{check_id}").text
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
    until = time.monotonic() + 15
    while parts.jobs.queue.states([given_up])[given_up] != "SUCCESS":
        assert time.monotonic() < until
        time.sleep(0.02)
    with parts.checks.engine.begin() as connection:
        connection.execute(sa.update(table).where(table.c.id == given_up).values(state="running"))
        connection.execute(sa.update(table).values(created=now(ago=60)))
    parts.jobs._worker.repair()
    assert "Check the claim again" in wait(client, given_up)["error"]
    assert wait(client, never_queued)["state"] == "done"


def test_death_in_every_stage_loses_nothing(tmp_path: Path) -> None:
    """One check is killed in each of its stages in turn, another waits behind it all the time; both end rightly."""
    port = free_port()
    server = Server("-m", "tests.app.slow_server", str(tmp_path), str(port), "0.08", port=port)
    try:
        server.start()
        first = server.submit(CLAIM)
        second = server.submit("The one behind.")
        for position in range(len(STAGES)):
            server.wait(first, lambda check, at=position: check["stages"] and check["stages"][at]["done"] >= 1)
            server.kill()
            server.start()
            shown = server.client.get(f"/api/checks/{first}").json()
            assert [stage["state"] for stage in shown["stages"][:position]] == ["done"] * position
        for check_id, claim in ((first, CLAIM), (second, "The one behind.")):
            done = server.wait(check_id, lambda check: check["state"] not in ("queued", "running"))
            assert (done["state"], done["claim"], done["error"]) == ("done", claim, None)
            assert f"“{claim}”" in done["verdict"]["reason"]
            assert len(done["evidence"]) == 3
        server.stop()
        server.start()
        assert server.client.get(f"/checks/{first}").status_code == 200
        assert server.client.post("/api/checks", json={"claim": CLAIM}).json()["id"] == first
    finally:
        server.close()


def test_a_check_that_brings_the_server_down_again_and_again_is_given_up(tmp_path: Path) -> None:
    resources = FakeResources(pace=0.05, steps=10)
    for app in working_app(Settings(data=tmp_path), resources):
        client, parts = app.test_client(), app.extensions["esoteric"]
        check_id = parts.checks.add("Deadly.", "fast", 10)
        for _ in range(25):
            parts.checks.count_attempt(check_id)
    for app in working_app(Settings(data=tmp_path), resources):
        client = app.test_client()
        failed = wait(client, check_id)
        assert failed["state"] == "failed"
        assert "25 times" in failed["error"]
