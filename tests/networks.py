"""The networks that ship, opened once in each process that tests run in. Opening the reader alone takes 1.5 s of a processor.

A session holds no state from one run to the next, and threads may share it; scorers and encoders, which do hold some,
are made anew for each who asks.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from retrieval.models import catalogue, onnx, reader

OPENING = ((onnx, "open_session"), (reader, "open_network"))


def share_sessions(patch: pytest.MonkeyPatch) -> None:
    """From now on, whoever opens a network in the same way gets the same session."""
    for module, name in OPENING:
        patch.setattr(module, name, _once(getattr(module, name)))


def remember_readings(patch: pytest.MonkeyPatch) -> None:
    """From now on, a network reads the same input once: for modules whose tests read the same few pages again and again."""
    from onnxruntime import InferenceSession

    read, known = InferenceSession.run, dict[tuple[Any, ...], Any]()

    def run(session: Any, names: Any, feeds: Any, options: Any = None) -> Any:
        given = [(name, each.shape, each.dtype.str, each.tobytes()) for name, each in sorted(feeds.items())]
        key = (session, *names, *given)
        if key not in known:
            known[key] = read(session, names, feeds, options)
        return [each.copy() for each in known[key]]

    patch.setattr(InferenceSession, "run", run)


def open_anew(patch: pytest.MonkeyPatch) -> None:
    """For tests of the opening itself."""
    for module, name in OPENING:
        patch.setattr(module, name, getattr(module, name).__wrapped__)


def _once(opening: Callable[..., Any]) -> Callable[..., Any]:
    opened: dict[tuple[Any, ...], Any] = {}
    lock = threading.Lock()

    @functools.wraps(opening)
    def shared(network: Path, *given: Any, **named: Any) -> Any:
        if network.parent != catalogue.WEIGHTS:
            return opening(network, *given, **named)
        key = (network, *given, *sorted(named.items()))
        with lock:
            if key not in opened:
                opened[key] = opening(network, *given, **named)
            return opened[key]

    return shared
