"""Waiting for something that another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def until(true: Callable[[], Any], limit: float = 60) -> Any:
    """What it gives, as soon as that is true. limit: seconds after which waiting fails."""
    end = time.monotonic() + limit
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found
