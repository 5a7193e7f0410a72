"""A flooding address does not keep the next one waiting: a server as people start it, real checks, a clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.process import Server, free_port

PROMISED = 5.0  # seconds that the next address' check may take, beside the flood
FLOODING, NEXT = {"X-Forwarded-For": "203.0.113.7"}, {"X-Forwarded-For": "203.0.113.8"}


@pytest.fixture(scope="module")
def server(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port, data = free_port(), str(tmp_path_factory.mktemp("flooded"))
    settings = {"PORT": str(port), "DATA": data, "STORE": str(sample_folder), "TRUSTED_PROXIES": "127.0.0.1"}
    server = Server("-m", "app", port=port, **settings)
    server.start("/readyz")
    yield server
    server.close()


def flood(address: str, over: threading.Event, answers: list[int]) -> None:
    """Post claims, none of them checked before, as fast as the server answers."""
    with httpx.Client(base_url=address, timeout=30) as client:
        while not over.is_set():
            claim = {"claim": f"Sydney has {len(answers)} harbours.", "fresh": True}
            answers.append(client.post("/api/checks", json=claim, headers=FLOODING).status_code)


def test_the_next_address_is_answered_in_time_beside_a_flood(server: Server) -> None:
    over, answers = threading.Event(), list[int]()
    flooding = threading.Thread(target=flood, args=(server.address, over, answers))
    flooding.start()
    try:
        began = time.monotonic()
        while 503 not in answers:  # the flood has all the places that one address may have
            assert time.monotonic() - began < 60
            time.sleep(0.05)
        taken = []
        for claim in ("Warsaw is the capital of Poland.", "Sydney is the capital of Australia."):
            began = time.monotonic()
            created = server.client.post("/api/checks", json={"claim": claim, "fresh": True}, headers=NEXT)
            assert created.status_code == 202, created.text
            check = server.wait(created.json()["id"], lambda check: check["state"] not in ("queued", "running"))
            taken.append(time.monotonic() - began)
            assert check["verdict"]
    finally:
        over.set()
        flooding.join(60)
    assert max(taken) < PROMISED
    assert 202 in answers
