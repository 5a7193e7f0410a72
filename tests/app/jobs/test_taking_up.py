"""How checks are taken up: at once, and not for ever. Each test launches jobs of its own, of which a process has one."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS

from app.jobs import worker
from app.jobs.queue import Alarm, CheckQueue
from retrieval.settings import Settings
from tests.app.conftest import wait, working_app
from tests.app.fake import FakeResources


def test_a_check_does_not_wait_for_the_next_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "POLL_ALONE", 3600.0)
    for app in working_app(Settings(data=tmp_path), FakeResources()):
        client = app.test_client()
        for number in range(3):
            check_id = client.post("/api/checks", json={"claim": f"Claim {number}."}).json["id"]
            assert wait(client, check_id)["state"] == "done"


def test_the_next_check_of_a_report_does_not_wait_for_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "POLL_ALONE", 10.0)
    for app in working_app(Settings(data=tmp_path, workers=1), FakeResources()):
        client, began = app.test_client(), time.monotonic()
        claims = [f"Claim {number}." for number in range(12)]
        report_id = client.post("/api/reports", json={"claims": claims}).json["id"]
        while client.get(f"/api/reports/{report_id}").json["state"] == "running":
            assert time.monotonic() - began < 60, "each of twelve waited for a look"
            time.sleep(0.1)


def test_an_end_for_which_nothing_waits_causes_no_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a look that was asked for, the next check would wait for a tenth of a second."""
    wake, woken = CheckQueue.wake, []

    def noted(queue: CheckQueue) -> None:
        woken.append(threading.current_thread().name)
        wake(queue)

    monkeypatch.setattr(CheckQueue, "wake", noted)
    for app in working_app(Settings(data=tmp_path, workers=1), FakeResources()):
        client, queue = app.test_client(), app.extensions["esoteric"].queue
        for number in range(1, 4):
            check_id = client.post("/api/checks", json={"claim": f"Claim {number}."}).json["id"]
            assert wait(client, check_id)["state"] == "done"
            while queue.states([check_id]) != {check_id: "SUCCESS"}:
                time.sleep(0.01)
            assert len([name for name in woken if name != "heartbeat"]) == number, "those that submitted them"


def test_only_a_shared_database_is_looked_at_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    """Ten looks a second take some percent of a processor, for checks that come from another process."""
    register, intervals = DBOS.register_queue, []

    def registered(*names: Any, polling_interval_sec: float, **more: Any) -> Any:
        intervals.append(polling_interval_sec)
        return register(*names, polling_interval_sec=polling_interval_sec, **more)

    monkeypatch.setattr(DBOS, "register_queue", registered)
    for _ in working_app(Settings(data=tmp_path, database=database), FakeResources()):
        assert intervals == [worker.POLL_SHARED if database else worker.POLL_ALONE]


def test_waking_ends_one_wait_and_setting_all() -> None:
    alarm = Alarm()
    assert not alarm.wait(0)
    alarm.wake()
    assert not alarm.wait(3600)
    assert not alarm.wait(0)
    began = time.monotonic()
    alarm.pause(0.5)
    alarm.wake()  # does not end the pause: the room that it waits for is not there yet
    assert not alarm.wait(3600)
    assert 0.5 <= time.monotonic() - began < 60
    waiting = threading.Thread(target=lambda: [alarm.wait(3600), alarm.wait(3600)])
    waiting.start()
    alarm.set()
    waiting.join(60)
    assert not waiting.is_alive()
    assert alarm.wait(3600)


def test_a_check_that_brings_the_server_down_again_and_again_is_given_up(tmp_path: Path) -> None:
    resources = FakeResources()
    for app in working_app(Settings(data=tmp_path), resources):
        client, parts = app.test_client(), app.extensions["esoteric"]
        check_id = parts.checks.add("Deadly.", "fast", 10)
        for _ in range(25):
            parts.checks.take_up(check_id)
    for app in working_app(Settings(data=tmp_path), resources):
        client = app.test_client()
        failed = wait(client, check_id)
        assert failed["state"] == "failed"
        assert "25 times" in failed["error"]
