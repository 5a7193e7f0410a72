"""Corpora open for reading. `open_store` turns a location into one; everything else sees only the protocol."""

from __future__ import annotations

from pathlib import Path

from retrieval.errors import SettingError
from retrieval.protocols import PageStore


def open_store(location: str) -> PageStore:
    """Open the corpus at a folder. Raises StoreError, saying what to do, where that cannot be done."""
    from retrieval.stores.embedded import EmbeddedStore

    return EmbeddedStore(store_folder(location))


def store_folder(location: str | Path) -> Path:
    """Folder of an embedded corpus. Raises SettingError where the location is an address."""
    if str(location).startswith(("http://", "https://")):
        raise SettingError("Elasticsearch is not supported yet. Name a folder instead.")
    return Path(location)
