"""Corpora. This module opens a store or a writer by its location; other code sees only the protocols.

A location is a folder (embedded) or `http(s)://[user:pass@]host:port/index` (Elasticsearch).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.errors import SettingError
from retrieval.protocols import CorpusWriter, PageStore, VectorWriter
from retrieval.stores.locations import on_server

if TYPE_CHECKING:
    from retrieval.settings import Settings


def open_store(location: str, settings: Settings | None = None) -> PageStore:
    """Open the corpus at a location. settings: with the login; by default, the environment's. Raises StoreError or SettingError."""
    if on_server(location):
        from retrieval.stores.elastic.store import ElasticStore

        return ElasticStore(str(location), _settings(settings))
    from retrieval.stores.embedded.store import EmbeddedStore

    return EmbeddedStore(location)


def open_writer(
    location: str,
    job: str,
    *,
    replace: bool = False,
    restart: bool = False,
    settings: Settings | None = None,
    report: Callable[[str], None] = print,
    language: str = "",
) -> AbstractContextManager[CorpusWriter]:
    """A writer of the location's next generation; the stores' `open_writer` and `open_elastic_writer` explain it."""
    options: Any = {"replace": replace, "restart": restart, "language": language}
    if on_server(location):
        from retrieval.stores.elastic.writer import open_elastic_writer

        return open_elastic_writer(location, job, settings=_settings(settings), report=report, **options)
    from retrieval.stores.embedded import writer as embedded_writer

    return embedded_writer.open_writer(location, job, **options)


def open_vector_writer(
    location: str, model: str, dimension: int, *, restart: bool = False, report: Callable[[str], None] = print
) -> AbstractContextManager[VectorWriter]:
    """A writer of the pages' vectors. model: the encoder's id, by which an unfinished run is recognised."""
    if on_server(location):
        from retrieval.stores.elastic.writer import open_elastic_vector_writer

        return open_elastic_vector_writer(location, model, dimension, restart, _settings(None), report)
    from retrieval.stores.embedded import vectors as embedded_vectors

    return embedded_vectors.open_vector_writer(location, model, dimension, restart)


def shown(location: str | Path) -> str:
    """The location without its password, for display."""
    if not on_server(location):
        return str(location)
    from retrieval.stores.elastic.server import read_address

    try:
        return str(read_address(str(location)))
    except SettingError:
        return "the corpus's address"


def _settings(settings: Settings | None) -> Settings:
    from retrieval.settings import Settings

    return settings or Settings.from_environment()
