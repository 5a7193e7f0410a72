"""Corpora open for reading. `open_store` turns a location into one; everything else sees only the protocol."""

from __future__ import annotations

from retrieval.errors import SettingError
from retrieval.protocols import PageStore


def open_store(location: str) -> PageStore:
    """Open the corpus at a folder. Raises StoreError, saying what to do, where that cannot be done."""
    if location.startswith(("http://", "https://")):
        raise SettingError("Elasticsearch is not supported yet. Name a folder instead.")
    from retrieval.stores.embedded import EmbeddedStore

    return EmbeddedStore(location)
