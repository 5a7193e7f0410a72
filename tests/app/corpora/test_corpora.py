"""Corpora on their page and over HTTP: listed, renamed, chosen, removed, and what is refused before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from indexing.load import load_documents
from retrieval.resources import Resources
from retrieval.settings import Settings
from tests.app.accounts.conftest import PASSWORD, PEOPLE, enter, post
from tests.app.conftest import token, working_app
from tests.app.fake import FakeResources

TOWNS = {"north": "The harbour of Ostenau was opened in 1987.", "south": "The bridge of Westerau was opened in 1901."}


def write_corpus(data: Path, folder: str, text: str) -> None:
    file = data / f"{folder}.txt"
    file.write_text(f"{text}\n\nIts trams run every ten minutes.\n", "utf-8")
    place = data / "store" if folder == "store" else data / "corpora" / folder
    load_documents([file], str(place), name=f"Towns of the {folder}", language="en", report=lambda _: None)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three corpora: the one at home, and two beside it."""
    write_corpus(tmp_path, "store", "The mill of Mittenau was opened in 1950.")
    for folder, text in TOWNS.items():
        write_corpus(tmp_path, folder, text)
    return tmp_path


@pytest.fixture
def app(data: Path) -> Iterator[Flask]:
    yield from working_app(Settings(data=data), FakeResources())


def names(client: FlaskClient) -> list[str]:
    return [corpus["name"] for corpus in client.get("/api/corpora").json["corpora"]]


def test_the_page_lists_what_there_is(client: FlaskClient) -> None:
    shown = client.get("/corpora").text
    for name in ("Towns of the store", "Towns of the north", "Towns of the south"):
        assert name in shown
    assert shown.count(">default<") == 1
    first = client.get("/api/corpora").json["corpora"][0]
    assert first["default"]
    assert first["name"] == "Towns of the store"
    assert (first["pages"], first["language"], first["against"]) == (1, "en", None)
    assert first["bytes"] > 0


def test_another_corpus_is_chosen_and_readers_switch(client: FlaskClient, data: Path) -> None:
    resources = Resources(Settings(data=data))
    assert resources.corpus().name == "Towns of the store"
    for key, name in (("north", "Towns of the north"), ("@store", "Towns of the store")):
        answer = client.post(f"/corpora/of/{key}/default", data={"csrf_token": token(client, "/corpora")})
        assert answer.status_code == 303
        assert resources.corpus().name == name, "a process that is open reads it from now on"
        assert names(client)[0] == name
    assert client.patch("/api/corpora/south", json={"default": True}).json["default"]
    assert Resources(Settings(data=data)).store().search_text("bridge of Westerau")[0][0].title


def test_a_corpus_is_renamed_and_stays_what_it_is(app: Flask, client: FlaskClient, data: Path) -> None:
    resources, before = Resources(Settings(data=data)), client.get("/api/corpora").json["corpora"][0]
    assert resources.corpus().name == "Towns of the store"
    changed = client.patch("/api/corpora/@store", json={"name": "  Mills &  <b>towns</b> "}).json
    assert changed["name"] == "Mills & <b>towns</b>"
    assert changed["fingerprint"] == before["fingerprint"]
    assert resources.corpus().name == "Mills & <b>towns</b>"
    assert client.patch("/api/corpora/north", json={"name": "The north"}).status_code == 200
    sources = app.extensions["esoteric"].sources
    assert ("corpus:north", "The north") in sources.choices()
    offered = {choice["key"]: choice for choice in client.get("/api/corpora").json["corpora"]}
    for key in ("north", "south"):
        assert (f"corpus:{key}" in dict(sources.beside_default())) is not offered[key]["default"], (
            "the default comes first"
        )
    assert "<b>towns" not in client.get("/corpora").text
    for name, told in (
        ("", "empty"),
        ("x" * 81, "at most 80"),
        ("a\x00b", "cannot be stored"),
        ("Towns of the south", "Another corpus"),
    ):
        answer = client.patch("/api/corpora/@store", json={"name": name})
        assert answer.status_code == 422
        assert told in answer.json["detail"]


def test_a_corpus_is_removed_after_confirmation_and_never_the_default(
    app: Flask, client: FlaskClient, data: Path
) -> None:
    sources = app.extensions["esoteric"].sources
    sources._store("corpus:north")
    assert sources._open
    form = {"csrf_token": token(client, "/corpora")}
    assert client.post("/corpora/of/north/remove", data=form).status_code == 422
    assert (data / "corpora" / "north").exists()
    assert client.post("/corpora/of/north/remove", data={**form, "sure": "yes"}).status_code == 303
    assert not (data / "corpora" / "north").exists()
    assert "Towns of the north" not in names(client)
    assert not sources._open, "its files stay on the disk as long as they are open"
    refused = client.post("/corpora/of/@store/remove", data={**form, "sure": "yes"})
    assert refused.status_code == 422
    assert "Make another one the default first" in refused.text
    assert client.delete("/api/corpora/south").status_code == 204
    assert names(client) == ["Towns of the store"]


@pytest.mark.parametrize("key", ["..", "nobody", "north%2F..%2Fsouth", "@default", "lock"])
def test_only_corpora_of_the_list_are_changed(client: FlaskClient, data: Path, key: str) -> None:
    for path in (f"/api/corpora/{key}", f"/api/corpora/{key}/"):
        assert client.delete(path).status_code in (404, 405)
    assert client.patch(f"/api/corpora/{key}", json={"name": "x"}).status_code in (404, 405)
    assert len(names(client)) == 3


def test_folders_are_those_of_the_setting(data: Path, tmp_path: Path) -> None:
    inside, outside = tmp_path / "dumps", tmp_path / "other"
    inside.mkdir(), outside.mkdir()
    (inside / "way-out").symlink_to(outside)
    for app in working_app(Settings(data=data, corpus_folders=str(inside)), FakeResources()):
        client = app.test_client()
        for place, status in ((inside, 202), (outside, 422), (inside / "way-out", 422), (inside / ".." / "other", 422)):
            answer = client.post("/api/loads", json={"source": "other", "place": str(place), "name": "x"})
            assert answer.status_code == status, place


@pytest.mark.parametrize(
    "reached",
    [{"host": "0.0.0.0", "trusted_hosts": "localhost"}, {"trusted_proxies": "192.0.2.1"}],
    ids=["from outside", "through a proxy"],
)
def test_without_accounts_only_the_owner_of_the_machine_may(data: Path, reached: dict[str, Any]) -> None:
    for app in working_app(Settings(data=data, **reached), FakeResources()):
        client = app.test_client()
        shown = client.get("/corpora").text
        assert "make wikipedia-today WIKI=simplewiki" in shown
        assert "Towns of the north" in shown
        assert "<form" not in shown
        assert client.delete("/api/corpora/north").status_code == 403
        assert client.post("/api/loads", json={"source": "simplewiki"}).status_code == 403


def test_with_accounts_only_admins_may(data: Path) -> None:
    for app in working_app(Settings(data=data, accounts=True, login_limit=0), FakeResources()):
        for name, role in PEOPLE.items():
            app.extensions["accounts"].people.add(name, role, PASSWORD)
        for name in ("chen", "rui", "ada"):
            client = app.test_client()
            assert enter(client, name).status_code == 303
            shown, allowed = client.get("/corpora").text, name == "ada"
            assert ("make wikipedia-today" in shown) is not allowed
            removed = post(client, "/corpora/of/south/remove", sure="yes")
            assert removed.status_code == (303 if allowed else 403)
            answer = post(client, "/corpora/plan", source="other", place=str(data), wiki="enwiki")
            assert answer.status_code == (422 if allowed else 403)
            assert ("CORPUS_FOLDERS" in answer.text) is allowed, "an admin reads no folder that nobody listed"
        assert [line.what for line in app.extensions["accounts"].audit.since("") if "corpus" in line.what] == [
            "removed a corpus"
        ]


def test_store_decides_where_it_is_set(data: Path) -> None:
    settings = Settings(data=data, store=str(data / "corpora" / "south"))
    for app in working_app(settings, Resources(settings)):
        client = app.test_client()
        answer = client.patch("/api/corpora/north", json={"default": True})
        assert answer.status_code == 422
        assert "STORE" in answer.json["detail"]
        assert client.get("/api/corpora").json["corpora"][0]["name"] == "Towns of the south"
