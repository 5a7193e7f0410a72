"""Keeps the corpus of the settings open, and reopens it when a loader switches it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from retrieval.errors import StoreAway
from retrieval.protocols import PageStore
from retrieval.stores import open_store

if TYPE_CHECKING:
    from retrieval.settings import Settings

SECONDS_AWAY = 1.0  # before another request to an unavailable server, so that web pages report it at once


class OpenCorpus:
    """Opens the corpus when it is first needed. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._store: PageStore | None = None
        self._location = ""
        self._away: tuple[float, StoreAway] | None = None

    def store(self, settings: Settings) -> PageStore:
        """The corpus in use now, reopened if it was switched or another was chosen. Raises StoreError or SettingError."""
        with self._lock:
            if self._away and time.monotonic() - self._away[0] < SECONDS_AWAY:
                raise self._away[1]
            try:
                location = settings.store_location()
                if self._store is None or location != self._location or not self._store.is_current():
                    self._store, self._location = open_store(location, settings), location
            except StoreAway as error:
                self._away = (time.monotonic(), error)
                raise
            return self._store

    def close(self) -> None:
        """Close the corpus; the next call to `store` opens it again."""
        with self._lock:
            if self._store:
                self._store.close()
            self._store = None
