"""Loads at work: the real loader, watched by the runner, on a server of dumps."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.jobs.loads.runner import KILLED, LoadRunner
from app.tables.database import open_engine
from app.tables.loads import CANCELLED, DONE, FAILED, PAUSED, UNFINISHED, Load, Loads
from indexing.wikipedia.synthetic import write_dump
from retrieval.settings import Settings
from tests.indexing.wikipedia.dump_server import DumpServer, serve_dumps

PAGES = 60
NAME = "Simple"


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dumps")
    write_dump(folder, PAGES, wiki="simplewiki", files=2)
    return folder


@pytest.fixture
def server(dumps: Path) -> Iterator[DumpServer]:
    with serve_dumps(dumps) as served:
        yield served


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", web_private="127.0.0.0/8")


@pytest.fixture
def loads(settings: Settings) -> Iterator[Loads]:
    settings.data.mkdir()
    engine = open_engine(settings)
    found = Loads(engine)
    found.create_table()
    yield found
    engine.dispose()


@pytest.fixture
def runner(settings: Settings, loads: Loads) -> Iterator[LoadRunner]:
    found = LoadRunner(settings, loads)
    found.start()
    yield found
    found.stop()


def begin(loads: Loads, server: DumpServer, wiki: str = "simplewiki", standard: bool = False) -> str:
    load_id = loads.add("other", server.url, wiki, NAME, NAME, standard)
    assert load_id
    return load_id


def wait(loads: Loads, load_id: str, until: Callable[[Load], bool], limit: float = 120) -> Load:
    began = time.monotonic()
    while True:
        found = loads.get(load_id)
        assert found
        if until(found):
            return found
        assert time.monotonic() - began < limit, found
        time.sleep(0.05)


def loader_of(folder: Path) -> int:
    """The process that has the store's lock open, by what /proc says of its command line."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if f"--store={folder}" in command:
            return int(process.name)
    raise AssertionError("no loader runs")


@pytest.mark.usefixtures("runner")
def test_a_load_becomes_the_corpus_of_checks(loads: Loads, server: DumpServer, settings: Settings) -> None:
    load_id = begin(loads, server, standard=True)
    done = wait(loads, load_id, lambda load: load.state not in UNFINISHED)
    assert (done.state, done.error, done.progress["pages"]) == (DONE, "", PAGES)
    assert settings.store_location() == str(settings.data / "corpora" / NAME)
    assert loads.latest() == done


@pytest.mark.usefixtures("runner")
def test_what_cannot_be_loaded_says_why(loads: Loads, server: DumpServer, settings: Settings) -> None:
    load_id = begin(loads, server, wiki="dewiki")
    failed = wait(loads, load_id, lambda load: load.state == FAILED)
    assert "no whole dump of dewiki" in failed.error
    assert loads.ask(load_id, "cancel")
    wait(loads, load_id, lambda load: load.state == CANCELLED)
    assert not (settings.data / "corpora" / NAME).exists()
    assert not (settings.data / "loads" / load_id).exists()


@pytest.mark.usefixtures("runner")
def test_a_loader_that_is_killed_is_resumed_where_it_was(loads: Loads, server: DumpServer, settings: Settings) -> None:
    server.held.add("00001")
    load_id = begin(loads, server)
    wait(loads, load_id, lambda load: load.progress.get("pages") == PAGES // 2)
    loads.ask(load_id, "pause")
    wait(loads, load_id, lambda load: load.state == PAUSED)
    loads.ask(load_id, "resume")
    wait(loads, load_id, lambda load: "step" in load.progress)
    os.kill(loader_of(settings.data.resolve() / "corpora" / NAME), signal.SIGKILL)
    failed = wait(loads, load_id, lambda load: load.state == FAILED)
    assert failed.error == KILLED
    server.held.clear()
    loads.ask(load_id, "resume")
    wait(loads, load_id, lambda load: load.state == DONE)
    whole = [path for method, path, begin, _ in server.asked if method == "GET" and "-00000." in path and not begin]
    assert len(whole) == 1, "what was loaded is not fetched again"


def test_one_process_runs_loads_and_the_next_goes_on(loads: Loads, server: DumpServer, settings: Settings) -> None:
    server.held.add("00001")
    first, second = LoadRunner(settings, loads), LoadRunner(settings, loads)
    first.start()
    load_id = begin(loads, server)
    wait(loads, load_id, lambda load: load.progress.get("pages") == PAGES // 2)
    second.start()
    time.sleep(2)
    begun = [path for method, path, begin, _ in server.asked if method == "GET" and "-00000." in path]
    assert len(begun) == 1, "the second leaves it alone"
    first.stop()
    server.held.clear()
    assert wait(loads, load_id, lambda load: load.state == DONE).progress["pages"] == PAGES
    second.stop()
