"""An application over the quick fake pipeline, with its jobs at work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from dbos import DBOS
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from app import create_app
from app.tables import people
from retrieval.settings import Settings
from tests.app.fake import STAGES, FakeResources
from tests.app.gate import Gate
from tests.waiting import waits

CLAIM = "Marie Curie was born in Warsaw."
ENDED = ("done", "failed", "cancelled")


class Compiled(BytecodeCache):
    """Templates, compiled once for all applications of a process."""

    def __init__(self) -> None:
        self._found: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._found:
            bucket.bytecode_from_string(self._found[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._found[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def quick_applications() -> Iterator[None]:
    """Many are made and closed. DBOS looks for notifications, which nobody sends, once a second, and cannot be closed before."""
    begin = DBOS.__init__

    def begin_quickly(dbos: DBOS, *, config: Any, **more: Any) -> None:
        begin(dbos, config={**config, "notification_listener_polling_interval_sec": 0.25}, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DBOS, "__init__", begin_quickly)
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": Compiled()})
        patch.setattr(people, "MEMORY_KIB", 64)  # hashing is slow on purpose, and people sign in hundreds of times
        patch.setattr(people, "PASSES", 1)
        yield


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def resources() -> FakeResources:
    return FakeResources()


@pytest.fixture(scope="module")
def app(data: Path, resources: FakeResources) -> Iterator[Flask]:
    """One application for the tests of a module; its jobs run."""
    yield from working_app(Settings(data=data), resources)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """DATABASE: what the jobs promise, they promise on both."""
    if request.param == "sqlite":
        return ""
    return str(request.getfixturevalue("postgresql").database())


def working_app(settings: Settings, resources: Any) -> Iterator[Flask]:
    app = create_app(settings, resources)
    parts = app.extensions["esoteric"]
    parts.worker.launch()
    threading.Thread(target=parts.readiness.load).start()
    yield app
    parts.worker.close()
    close_engine(parts.checks.engine)


@pytest.fixture
def gate(resources: FakeResources) -> Iterator[Gate]:
    """Checks wait in the second stage until it is opened; it is open after the test. For resources made with a gate."""
    assert resources.gate
    resources.gate.close(STAGES[1])
    yield resources.gate
    resources.gate.open()


def close_engine(engine: sa.Engine) -> None:
    """Close all connections, those too that a thread about to end still holds: `dispose` leaves them to the collector."""
    pool, until = engine.pool, time.monotonic() + 10
    engine.dispose()
    while isinstance(pool, sa.QueuePool) and pool.checkedout() and time.monotonic() < until:
        time.sleep(0.01)
    pool.dispose()
    engine.dispose()  # what such a thread opened meanwhile


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def check(client: FlaskClient) -> Callable[..., dict[str, Any]]:
    """Start a check and wait for its end."""

    def run(claim: str = CLAIM, **body: Any) -> dict[str, Any]:
        created = client.post("/api/checks", json={"claim": claim, **body})
        assert created.status_code == 202, created.text
        return wait(client, created.json["id"])

    return run


def wait(client: FlaskClient, check_id: str, states: tuple[str, ...] = ENDED, limit: float = 60) -> dict[str, Any]:
    """The check as soon as it is in one of these states."""
    for late in waits(limit):
        shown = client.get(f"/api/checks/{check_id}").json
        if shown["state"] in states:
            return shown
        assert not late, f"still {shown['state']}: {shown['stages']}"


def token(client: FlaskClient, path: str = "/") -> str:
    """The CSRF token of a page's form."""
    return client.get(path).text.split('name="csrf_token" value="')[1].split('"')[0]
