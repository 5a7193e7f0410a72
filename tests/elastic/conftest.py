"""A gate for checks that read from Elasticsearch."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from retrieval.stores.elastic import store as elastic

LIMIT = 600.0  # seconds after which a test that never opened it fails


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Checks wait before they ask their server for pages, until it is set."""
    gate, search = threading.Event(), elastic.ElasticStore._search

    def at_the_gate(self: Any, searches: Any) -> Any:
        assert gate.wait(LIMIT)
        return search(self, searches)

    monkeypatch.setattr(elastic.ElasticStore, "_search", at_the_gate)
    yield gate
    gate.set()
