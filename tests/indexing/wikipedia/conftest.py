"""Dumps of two weeks on a real server, and time that does not pass."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing import download, web
from indexing.wikipedia import places
from tests.indexing.wikipedia.dump_server import DumpServer, serve_dumps
from tests.indexing.wikipedia.loading import NEW, OLD, PAGES
from tests.indexing.wikipedia.synthetic import write_dump


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump, and the same a week later."""
    folder = tmp_path_factory.mktemp("dumps")
    write_dump(folder, PAGES, date=OLD, files=2)
    write_dump(folder, PAGES, date=NEW, files=2, edition=2)
    return folder


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that the program would have waited, in order."""
    waited: list[float] = []
    monkeypatch.setattr(web, "pause", waited.append)
    monkeypatch.setattr(download, "FETCH_PAUSE", 0.001)
    monkeypatch.setattr(places, "LISTING_PAUSE", 0.001)
    monkeypatch.setattr(download, "CHUNK", 1_000)  # less than that is lost where a connection breaks
    return waited


@pytest.fixture
def server(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: list[float]) -> Iterator[DumpServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("DATA", str(tmp_path / "data"))
    monkeypatch.delenv("STORE", raising=False)
    shutil.copytree(made, tmp_path / "dumps")
    with serve_dumps(tmp_path / "dumps") as state:
        yield state


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "data" / "store"
