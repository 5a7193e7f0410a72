"""What those who run the program see: readiness that is true, figures, logs."""

from __future__ import annotations

import errno
import io
import json
import logging
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage

from app import create_app
from app.http.logs import HEADER, JsonLines
from app.http.metrics import family
from app.jobs import readiness
from app.jobs.queue import CheckQueue
from app.jobs.readiness import Readiness
from app.jobs.worker import Worker
from app.tables import probe
from app.tables.probe import Probe
from retrieval.settings import Settings
from tests.app.conftest import CLAIM, working_app
from tests.app.documents.test_documents import form_data
from tests.app.fake import FakeResources

Check = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def app(data: Path, resources: FakeResources) -> Iterator[Flask]:
    yield from working_app(Settings(data=data, metrics=True), resources)


@pytest.fixture(autouse=True)
def _ask_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "PROBE_FRESH", 0.0)


def test_not_ready_while_the_database_is_locked(
    data: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").status_code == 200
    other = sqlite3.connect(data / "checks.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        refused = client.get("/readyz")
        assert (refused.status_code, "locked" in refused.json["detail"]) == (503, True)
        assert client.get("/healthz").status_code == 200
        assert "esoteric_database_up 0" in client.get("/metrics").text
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert client.get("/readyz").status_code == 200


def test_not_ready_on_a_full_disk(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "LEAST_FREE_BYTES", 1 << 60)
    refused = client.get("/readyz")
    assert (refused.status_code, "is full" in refused.json["detail"]) == (503, True)


def test_not_ready_where_postgresql_is_away(tmp_path: Path) -> None:
    away = Probe(Settings(data=tmp_path, database="postgresql://me:hush@127.0.0.1:1/x"))
    assert "cannot store a new check" in away.fault()
    assert "hush" not in away.fault()


def test_what_hinders_a_start_may_pass(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that started on a full disk works when there is room again."""
    monkeypatch.setattr(readiness, "SECONDS_BETWEEN_TRIES", 0.001)

    class Hindered(Worker):
        tries = 0

        def launch(self) -> None:
            self.tries += 1
            if self.tries < 3:
                raise OSError(errno.ENOSPC, "No space left on device")

    own = app.extensions["esoteric"]
    queue = CheckQueue(own.settings)  # closed with the hindered worker; that of the application is not
    ready = Readiness(Hindered(own.settings, own.sources, own.checks, queue, own.report_runs), own.resources)
    ready.start()
    done = threading.Event()
    for _ in range(2_000):
        if not ready.reason:
            break
        done.wait(0.01)
    assert ready.reason == ""


def test_a_full_disk_refuses_an_upload_in_words(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(FileStorage, "save", full)
    content_type, body = form_data(("a.txt", b"A document."))
    refused = client.post("/api/documents", data=body, content_type=content_type)
    assert (refused.status_code, "is full" in refused.json["detail"]) == (507, True)


def test_metrics(client: FlaskClient, check: Check) -> None:
    check(CLAIM)
    text = client.get("/metrics").text
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [0-9.e+-]+', line), line
    found = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(found['esoteric_checks{state="done",recipe="careful"}']) >= 1
    assert found['esoteric_checks{state="failed",recipe=""}'] == "0"
    assert {
        "esoteric_ready",
        "esoteric_llm_calls_total",
        'esoteric_stage_seconds{stage="pages",quantile="0.95"}',
    } <= set(found)
    assert CLAIM not in text


def test_a_large_count_keeps_its_digits() -> None:
    *_, sample = family("esoteric_llm_tokens_total", "Tokens that they used.", 12_345_678)
    assert sample == "esoteric_llm_tokens_total 12345678"


def test_no_metrics_unless_wished(tmp_path: Path) -> None:
    other = create_app(Settings(data=tmp_path), FakeResources())
    assert other.test_client().get("/metrics").status_code == 404
    other.extensions["esoteric"].checks.engine.dispose()


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged as JSON."""
    out, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonLines())
    requests = logging.getLogger("esoteric.requests")
    root.addHandler(handler)
    requests.setLevel(logging.INFO)
    yield out
    root.removeHandler(handler)
    requests.setLevel(logging.NOTSET)


def test_logs_are_events_without_what_people_typed(client: FlaskClient, check: Check, lines: io.StringIO) -> None:
    check("Let it explode, says secret-claim.")
    client.get("/checks/secret-address?q=secret-search")
    events = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert "secret" not in lines.getvalue()
    assert {"time", "level", "logger", "event"} <= set(events[0])
    (asked,) = [event for event in events if event.get("address") == "/checks/<check_id>" and event["status"] == 404]
    assert asked["method"] == "GET"
    (fault,) = [event for event in events if "error" in event]
    assert (fault["error"], "boom" in json.dumps(fault)) == ("RuntimeError", False)


def test_every_answer_has_a_number(client: FlaskClient) -> None:
    refused = client.get("/api/checks/nope")
    assert refused.json["request"] == refused.headers[HEADER]
    assert client.get("/", headers={HEADER: "from-a-proxy-1"}).headers[HEADER] == "from-a-proxy-1"
    assert client.get("/", headers={HEADER: 'no " number'}).headers[HEADER] != 'no " number'
