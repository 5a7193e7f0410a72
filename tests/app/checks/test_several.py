"""A check over several corpora at once: chosen on the page, in the API and on the command line, told in every export."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from indexing.load import load_documents
from retrieval.__main__ import main
from retrieval.errors import ClaimError
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stores.named import parts_of, together
from tests.app.conftest import token, wait, working_app
from tests.app.documents.test_documents import NOTES, read

CLAIM = "The director of Casablanca was born in Budapest."
OWN = "The director of Casablanca, Michael Curtiz, was born in Budapest, as our family album says."
BOTH = "corpus+corpus:album"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, sample_folder: Path) -> Settings:
    data = tmp_path_factory.mktemp("data")
    notes = data / "album.txt"
    notes.write_text(OWN, "utf-8")
    load_documents([notes], data / "corpora" / "album", report=lambda _: None)
    return Settings(data=data, store=str(sample_folder), recipe="fast")


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[Flask]:
    yield from working_app(settings, Resources(settings))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def done(app: Flask) -> dict[str, Any]:
    """A check of the sample and a folder together."""
    client = app.test_client()
    started = client.post("/api/checks", json={"claim": CLAIM, "against": ["corpus:album", "corpus"]})
    assert started.status_code == 202, started.text
    return wait(client, started.json["id"], limit=120)


def test_each_sentence_names_its_corpus(done: dict[str, Any]) -> None:
    assert (done["state"], done["against"]) == ("done", BOTH)
    assert done["corpus"]["pages"] == 303
    corpora = {evidence["corpus"] for evidence in done["evidence"]}
    assert len(corpora) == 2
    own = next(evidence for evidence in done["evidence"] if evidence["text"] == OWN)
    assert own["page_id"].startswith("corpus/album:")
    assert own["verified"]
    assert {page["corpus"] for page in done["pages"]} >= corpora


def test_the_page_and_the_exports_name_it(client: FlaskClient, done: dict[str, Any]) -> None:
    own = next(evidence for evidence in done["evidence"] if evidence["text"] == OWN)["corpus"]
    shown = client.get(f"/checks/{done['id']}").text
    assert f"In <bdi>{own}</bdi>" in shown
    assert "the corpus and album" in shown
    assert "deleted documents" not in shown
    rows = csv.DictReader(io.StringIO(client.get(f"/checks/{done['id']}.csv").text.removeprefix("\ufeff")))
    assert {row["corpus"] for row in rows} == {evidence["corpus"] for evidence in done["evidence"]}
    assert f"In {own}." in client.get(f"/checks/{done['id']}.md").text
    assert json.loads(client.get(f"/checks/{done['id']}.json").data)["evidence"] == done["evidence"]


def test_the_same_corpora_in_another_order_are_the_same_check(client: FlaskClient, done: dict[str, Any]) -> None:
    again = client.post("/api/checks", json={"claim": CLAIM, "against": BOTH}).json
    assert (again["id"], again["earlier"]) == (done["id"], True)
    alone = client.post("/api/checks", json={"claim": CLAIM, "against": "corpus:album"}).json
    assert alone["id"] != done["id"]
    wait(client, alone["id"])


def test_one_corpus_alone_is_named_too(client: FlaskClient) -> None:
    started = client.post("/api/checks", json={"claim": CLAIM})
    check = wait(client, started.json["id"], limit=120)
    assert {evidence["corpus"] for evidence in check["evidence"]} == {"sample"}


def test_the_form_offers_them_and_keeps_what_was_chosen(client: FlaskClient) -> None:
    shown = client.get("/", query_string={"against": "corpus+corpus:album"}).text
    assert '<input type="checkbox" name="against" value="corpus:album" checked>' in shown
    form = {"csrf_token": token(client), "claim": CLAIM, "against": ["", "corpus:album"]}
    answer = client.post("/checks", data=form)
    assert answer.status_code == 303, answer.text
    check = wait(client, answer.location.rpartition("/")[2].partition("?")[0], limit=120)
    assert check["against"] == BOTH
    refused = client.post("/checks", data={**form, "claim": " "})
    assert '<input type="checkbox" name="against" value="corpus:album" checked>' in refused.text


def test_what_cannot_be_read_together_is_refused(client: FlaskClient) -> None:
    many = [f"corpus:{n}" for n in range(5)]
    for against, status in ((many, 422), (["corpus", 7], 422), ({"a": 1}, 422), ("corpus+corpus:nowhere", 404)):
        refused = client.post("/api/checks", json={"claim": CLAIM, "against": against})
        assert refused.status_code == status, against


def test_deleting_documents_deletes_what_quotes_them_beside_the_corpus(client: FlaskClient) -> None:
    upload = read(client, ("notes.txt", NOTES.encode()))
    against = ["corpus", f"upload:{upload['id']}"]
    claim = "The tram line to the harbour was opened in 1987."
    check = wait(client, client.post("/api/checks", json={"claim": claim, "against": against}).json["id"], limit=120)
    assert any("1987" in evidence["text"] for evidence in check["evidence"])
    assert "the corpus and notes" in client.get(f"/checks/{check['id']}").text
    assert client.delete(f"/api/documents/{upload['id']}").status_code == 204
    assert client.get(f"/api/checks/{check['id']}").status_code == 404


def test_the_command_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA", str(settings.data))
    monkeypatch.setenv("STORE", settings.store)
    monkeypatch.setenv("RECIPE", settings.recipe)
    assert main(["check", CLAIM, "--against", "corpus", "--against", "album", "--json"]) == 0
    check = json.loads(capsys.readouterr().out)
    assert {evidence["corpus"] for evidence in check["evidence"]} >= {"sample"}
    assert OWN in [evidence["text"] for evidence in check["evidence"]]
    table, out = settings.data / "claims.csv", settings.data / "out.csv"
    table.write_text(f"claim\n{CLAIM}\n", "utf-8")
    assert main(["batch", str(table), "--out", str(out), "--corpus", "album"]) == 0
    assert OWN in out.read_text("utf-8")
    assert main(["check", CLAIM, "--against", "nowhere"]) == 2
    assert "Choose one of: album." in capsys.readouterr().err


def test_names() -> None:
    assert together([]) == together([""]) == together(["", ""]) == ""
    assert together(["corpus:b", "", "corpus:b"]) == "corpus+corpus:b"
    assert together(["corpus:b+upload:1", "corpus"]) == "corpus+corpus:b+upload:1"
    assert parts_of("corpus+corpus:b") == ("corpus", "corpus:b")
    assert parts_of(None) == parts_of("") == parts_of("+") == ()
    with pytest.raises(ClaimError, match="4 corpora"):
        together([f"corpus:{n}" for n in range(5)])
    with pytest.raises(ClaimError, match="short names"):
        together(["corpus:" + "a" * 80, "corpus:" + "b" * 80])
