"""Loads as people ask for them: what is refused, and what may be asked of one in each state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.jobs.loads.dumps import Wanted, load_command
from app.jobs.loads.process import LoadProcess
from app.tables.loads import CANCELLING, CHANGES, DONE, FAILED, PAUSED, PAUSING, RUNNING, WAITING, Loads
from retrieval.settings import Settings
from tests.app.conftest import token
from tests.indexing.wikipedia.synthetic import write_dump


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("", "Type the folder"),
        ("ftp://dumps.example.org/", "Only addresses"),
        ("file:///etc", "Only addresses"),
        ("dumps/simplewiki", "whole path"),
        ("--restart", "whole path"),
        ("/nowhere/at/all", "cannot be read. Check its name"),
        ("https://", "not a web address"),
        ("/tmp\n/x", "Type the folder"),
        ("https://example.org/" + "x" * 1_000, "Type the folder"),
    ],
)
def test_places_that_are_none(client: FlaskClient, place: str, told: str) -> None:
    answer = client.post("/api/loads", json={"source": "other", "place": place, "wiki": "enwiki"})
    assert answer.status_code == 422
    assert told in answer.json["detail"]
    form = {"csrf_token": token(client, "/corpora"), "source": "other", "place": place, "wiki": "enwiki"}
    shown = client.post("/corpora/plan", data=form)
    assert shown.status_code == 422
    assert told in shown.text
    assert client.get("/api/corpora").json["loads"] == []


@pytest.mark.parametrize("wiki", ["", "en wiki", "ENWIKI", "--limit=1", "enwiki; rm"])
def test_wikis_that_are_none(client: FlaskClient, wiki: str, tmp_path: Path) -> None:
    answer = client.post("/api/loads", json={"source": "other", "place": str(tmp_path), "wiki": wiki})
    assert answer.status_code == 422
    assert "Type the name of the dump" in answer.json["detail"]


def test_what_a_person_typed_is_never_an_option(tmp_path: Path) -> None:
    command = load_command(Wanted("other", "/x/--restart.zip", "enwiki"), tmp_path, "--replace")
    assert command[-2:] == ["--", "/x/--restart.zip"]
    assert "--name=--replace" in command
    assert "--public" in load_command(Wanted("other", "https://example.org/d", "enwiki"), tmp_path, "n")
    assert "--public" not in load_command(Wanted("simplewiki"), tmp_path, "n")


def test_a_dump_is_loaded_however_deep_the_folder_lies(tmp_path: Path) -> None:
    write_dump(tmp_path / "dumps", 40, wiki="simplewiki", files=2)
    deep = tmp_path / "a-folder-with-a-long-name" / ("x" * 100)
    command = load_command(Wanted("other", str(tmp_path / "dumps"), "simplewiki"), deep / "store", "Deep")
    process = LoadProcess(command, deep / "load", Settings())
    assert process.wait(120) == 0, process.errors
    assert process.loaded["pages"] == 40


# The table of loads


@pytest.fixture
def loads(app: Flask) -> Iterator[Loads]:
    """Empty; nobody runs what is in it."""
    found: Loads = app.extensions["esoteric"].loads
    yield found
    for load in found.unfinished():
        found.move(load.id, (load.state,), DONE)


def test_a_folder_is_loaded_into_once(loads: Loads) -> None:
    assert loads.add("simplewiki", "", "", "One", "one", True)
    assert loads.add("simplewiki", "", "", "One", "one", True) is None


STATES = (WAITING, RUNNING, PAUSING, PAUSED, CANCELLING, FAILED, DONE)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("state", STATES)
def test_a_load_is_changed_only_where_it_can_be(loads: Loads, client: FlaskClient, change: str, state: str) -> None:
    load_id = loads.add("simplewiki", "", "", "One", "one", True)
    assert load_id
    loads.move(load_id, (WAITING,), state)
    before, after = CHANGES[change]
    answer = client.post(f"/api/loads/{load_id}/{change}")
    assert answer.status_code == (200 if state in before else 409)
    assert client.get(f"/api/loads/{load_id}").json["state"] == (after if state in before else state)


def test_what_is_asked_of_a_load_comes_before_the_next_one(loads: Loads) -> None:
    first, second = (loads.add("simplewiki", "", "", name, name, False) for name in ("a", "b"))
    assert first
    assert second
    assert loads.next().id == first  # type: ignore[union-attr]
    loads.ask(second, "cancel")
    assert loads.next().id == second  # type: ignore[union-attr]


def test_loads_that_are_unknown(client: FlaskClient) -> None:
    assert client.get("/api/loads/nobody").status_code == 404
    assert client.post("/api/loads/nobody/pause").status_code == 404
    assert client.post("/api/loads/nobody/explode").status_code == 404
