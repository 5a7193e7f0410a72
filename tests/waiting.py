"""Waiting for something that another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any


def waits(limit: float = 60) -> Iterator[bool]:
    """Turns of a loop that looks for something; each says whether the time is up, after so many seconds.

    The longer it takes, the longer the pause: each look costs the processor on which the other works.
    """
    began = time.monotonic()
    while True:
        waited = time.monotonic() - began
        yield waited > limit
        time.sleep(min(0.25, max(0.02, waited / 5)))


def until(true: Callable[[], Any], limit: float = 60) -> Any:
    """What it gives, as soon as that is true. limit: seconds after which waiting fails."""
    for late in waits(limit):
        if found := true():
            return found
        assert not late
