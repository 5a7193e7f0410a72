"""Models and connections that a process opens once, keyed by name and by the settings that they depend on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

Thing = TypeVar("Thing")
Key = tuple[str, Hashable]


class Loaded:
    """Makes each object once, when it is first needed. Safe to share between threads; keep one per process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._things: dict[Key, Any] = {}

    def once(self, key: Key, make: Callable[[], Thing]) -> Thing:
        """The object of this key; `make` is called on first use."""
        with self._lock:
            if key not in self._things:
                self._things[key] = make()
            return cast(Thing, self._things[key])

    def pop(self, key: Key) -> Any:
        """Remove and return the object of this key; None if it was not made. The next `once` makes it again."""
        with self._lock:
            return self._things.pop(key, None)
