"""Here networks read all that they are given: their reading is what is tested."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def read_all(anew: None) -> None:
    pass
