"""Here networks read all that they are given: their reading is what is tested."""

from __future__ import annotations

import pytest

from tests.networks import read_anew


@pytest.fixture(autouse=True)
def read_all(monkeypatch: pytest.MonkeyPatch) -> None:
    read_anew(monkeypatch)
