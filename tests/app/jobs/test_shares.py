"""Who asks for much waits for it; who asks for little does not wait for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from retrieval.settings import Settings
from tests.app.conftest import wait, working_app
from tests.app.fake import STAGES, FakeResources

AT = STAGES[1]
GREEDY, MODEST = {"REMOTE_ADDR": "203.0.113.7"}, {"REMOTE_ADDR": "203.0.113.8"}


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> FakeResources:
    return FakeResources(tmp_path_factory.mktemp("gate"))


@pytest.fixture(scope="module")
def app(data: Path, resources: FakeResources, database: str) -> Iterator[Flask]:
    yield from working_app(Settings(data=data, database=database, queue_limit=12, workers=1), resources)


def test_a_flooding_address_leaves_places_and_turns_to_the_next_one(app: Flask, resources: FakeResources) -> None:
    client = app.test_client()
    assert resources.gate
    resources.gate.close(AT)
    answers = [
        client.post("/api/checks", json={"claim": f"Greedy {n}.", "fresh": True}, environ_base=GREEDY)
        for n in range(20)
    ]
    taken = [answer.json["id"] for answer in answers if answer.status_code == 202]
    assert {answer.status_code for answer in answers} == {202, 503}
    assert 9 <= len(taken) <= 10  # three quarters of the places, and what ran meanwhile
    modest = client.post("/api/checks", json={"claim": "Modest.", "fresh": True}, environ_base=MODEST)
    assert modest.status_code == 202
    assert client.get(f"/api/checks/{modest.json['id']}").json["waiting_before"] <= 2
    resources.gate.open()
    for check_id in [*taken, modest.json["id"]]:
        assert wait(client, check_id)["state"] == "done"
    order = [claim for _, claim in resources.gate.went(AT)]
    assert order.index("Modest.") <= 2


def test_who_asks_is_kept_as_no_address(app: Flask) -> None:
    stored = app.extensions["esoteric"].checks.latest(1)[0]
    assert stored.person
    assert "203.0" not in stored.person
