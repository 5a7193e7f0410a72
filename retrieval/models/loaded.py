"""What a process opens once: models and connections, by name and by the settings that they depend on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

Thing = TypeVar("Thing")
Key = tuple[str, Hashable]


class Loaded:
    """Makes each thing when it is first needed, once. Safe to share between threads; keep one per process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._things: dict[Key, Any] = {}

    def once(self, key: Key, make: Callable[[], Thing]) -> Thing:
        """The result of `make` for this key, which is called on first use."""
        with self._lock:
            if key not in self._things:
                self._things[key] = make()
            return cast(Thing, self._things[key])

    def pop(self, key: Key) -> Any:
        """Remove and return what has this key; None if it was never made. It is made again when next needed."""
        with self._lock:
            return self._things.pop(key, None)
