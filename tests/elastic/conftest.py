"""A gate for checks that read from Elasticsearch, and which of them are at work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from app.jobs.attempt import Steps
from retrieval.stores.elastic import store as elastic
from tests.waiting import until

LIMIT = 600.0  # seconds after which a test that never opened it fails


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch, steps_running: list[str]) -> Iterator[threading.Event]:
    """Checks wait before they ask their server for pages, until it is set. None of an earlier test is among them: it
    would keep its place at work from those that the test counts.
    """
    gate, search = threading.Event(), elastic.ElasticStore._search
    until(lambda: not steps_running, LIMIT)

    def at_the_gate(self: Any, searches: Any) -> Any:
        assert gate.wait(LIMIT)
        return search(self, searches)

    monkeypatch.setattr(elastic.ElasticStore, "_search", at_the_gate)
    yield gate
    gate.set()


@pytest.fixture(scope="module")
def steps_running() -> Iterator[list[str]]:
    """Ids of the checks that are worked on, or wait, at this moment."""
    found: list[str] = []
    run = Steps.run

    def counted(steps: Steps, check_id: str) -> None:
        found.append(check_id)
        try:
            run(steps, check_id)
        finally:
            found.remove(check_id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Steps, "run", counted)
        yield found
