"""Documents that people upload: read apart from the application, checked against, deleted; hostile ones refused."""

from __future__ import annotations

import fcntl
import io
import json
import os
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import encode_multipart

from app import create_app
from app.http.security import person
from app.jobs.readers import documents as uploads
from app.jobs.readers.documents import LONGEST_FILE_NAME, safe_name
from app.jobs.readers.process import LOCK, ROOT, Bounds, plain_environment
from app.tables import documents as documents_module
from app.tables.database import open_engine
from app.tables.documents import INTERRUPTED, Documents, table
from app.tables.migrations import prepare_tables
from retrieval.settings import Settings
from tests.app.conftest import token, wait, working_app
from tests.app.fake import FakeResources
from tests.services import PostgreSQL
from tests.waiting import waits

NOTES = (
    "The tram line to the harbour of Brackwater was opened in 1987. Its twelve stops are served every ten minutes. "
    "Mayor Odile Farrant paid for it out of the sale of the old town hall."
)
KNOWLEDGE = "\n".join(
    json.dumps({"url": f"https://news.example/{n}", "url2text": [f"Report {n} on the harbour of Brackwater.", NOTES]})
    for n in range(3)
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


class Readers(FakeResources):
    """The quick fake pipeline; what it is put over is the real store."""

    def over(self, store: Any) -> Readers:
        other = Readers()
        other.info = store.info()
        return other


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    yield from working_app(Settings(data=data, upload_megabytes=2), Readers())


def send(client: FlaskClient, *files: tuple[str, bytes], **form: str) -> Any:
    content_type, body = form_data(*files, **form)
    return client.post("/api/documents", data=body, content_type=content_type)


def form_data(*files: tuple[str, bytes], **form: str) -> tuple[str, bytes]:
    """As a browser sends it; in one piece, since the test client leaves its own temporary files open."""
    fields = MultiDict([("files", FileStorage(io.BytesIO(content), name)) for name, content in files])
    boundary, body = encode_multipart(MultiDict([*fields.items(multi=True), *form.items()]))
    return f"multipart/form-data; boundary={boundary}", body


def read(client: FlaskClient, *files: tuple[str, bytes], limit: float = 300, **form: str) -> dict[str, Any]:
    """The documents as soon as they have been read."""
    sent = send(client, *files, **form)
    assert sent.status_code == 202, sent.text
    for late in waits(limit):
        found: dict[str, Any] = client.get(sent.json["url"]).json
        if found["state"] != "reading":
            return found
        assert not late, found


def test_upload_check_delete(client: FlaskClient, data: Path) -> None:
    found = read(client, ("notes.txt", NOTES.encode()), ("store.json", KNOWLEDGE.encode()))
    assert (found["state"], found["total"], found["pages"], found["error"]) == ("ready", 2, 4, None)
    assert found["name"] == "notes.txt and 1 more"
    against = f"upload:{found['id']}"
    assert {"against": against, "name": found["name"]} in client.get("/api/documents").json["choices"]
    assert not list((data / "uploads").iterdir())

    started = client.post("/api/checks", json={"claim": "The tram was opened in 1987.", "against": against})
    check = wait(client, started.json["id"])
    assert (check["state"], check["against"]) == ("done", against)
    assert check["corpus"]["pages"] == 4
    again = client.post("/api/checks", json={"claim": "The tram was opened in 1987.", "against": against})
    assert again.json["earlier"]
    corpus = client.post("/api/checks", json={"claim": "The tram was opened in 1987."})
    assert not corpus.json["earlier"]
    assert "notes.txt and 1 more" in client.get(started.json["url"]).text
    assert "<p>These documents and the 1 check that reads them will be deleted" in client.get("/documents").text
    client.post(f"/api/checks/{check['id']}/decision", json={"label": "SUPPORTED", "author": "Ada"})
    assert (
        "the 1 check that reads them and 1 signed verdict will be deleted. You can undo"
        in client.get("/documents").text
    )

    assert client.delete(f"/api/documents/{found['id']}").status_code == 204
    assert client.get(f"/api/documents/{found['id']}").status_code == 404
    assert client.get(f"/api/checks/{check['id']}").status_code == 404  # it quoted them
    assert client.get(f"/api/checks/{corpus.json['id']}").status_code == 200
    gone = client.post("/api/checks", json={"claim": "The tram was opened in 1987.", "against": against})
    assert (gone.status_code, "deleted" in gone.json["detail"]) == (404, True)


def test_a_person_at_the_form(client: FlaskClient) -> None:
    body = {
        "csrf_token": token(client, "/documents"),
        "files": (io.BytesIO(NOTES.encode()), "a.txt"),
        "name": " Tram\u202e ",
    }
    sent = client.post("/documents", data=body, content_type="multipart/form-data")
    assert sent.status_code == 303, sent.text
    page = client.get("/documents").text
    assert "<bdi>Tram</bdi>" in page
    (found, *_) = client.get("/api/documents").json["documents"]
    deleted = client.post(f"/documents/{found['id']}/delete", data={"csrf_token": token(client, "/documents")})
    assert deleted.status_code == 303
    assert "<bdi>Tram</bdi>" not in client.get("/documents").text


def test_without_token_or_from_another_site_nothing_is_taken(client: FlaskClient) -> None:
    body = {"files": (io.BytesIO(b"text"), "a.txt")}
    assert client.post("/documents", data=body, content_type="multipart/form-data").status_code == 400
    foreign = client.post(
        "/api/documents",
        data={"files": (io.BytesIO(b"text"), "a.txt")},
        content_type="multipart/form-data",
        headers={"Origin": "https://other.example"},
    )
    assert foreign.status_code == 403
    assert client.post("/api/documents", json={}).status_code == 415


@pytest.mark.parametrize(
    ("files", "status", "says"),
    [
        ([], 422, "No file was chosen"),
        ([("a.exe", b"MZ")], 422, "not one of the types"),
        ([("a", b"text")], 422, "not one of the types"),
        ([(f"{n}.txt", b"text") for n in range(51)], 422, "the limit is 50"),
        ([("a.txt", b"x" * 3_000_000)], 413, "too large: all files together may have 2 MB. Split them"),
    ],
)
def test_what_is_refused_says_why(client: FlaskClient, files: list[Any], status: int, says: str) -> None:
    answer = send(client, *files)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert says in answer.json["detail"]


def test_uploads_can_be_turned_off(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, upload_megabytes=0), Readers())
    client = app.test_client()
    assert send(client, ("a.txt", b"text")).status_code == 403
    assert "turned off" in client.get("/documents").text
    app.extensions["esoteric"].checks.engine.dispose()


def bomb() -> bytes:
    """A .docx of some kilobytes that unpacks to 60 MB."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 60_000_000)
    return out.getvalue()


def test_hostile_files_harm_nobody(client: FlaskClient, data: Path) -> None:
    hostile = {
        "../../../secret.txt": NOTES.encode(),
        "bomb.docx": bomb(),
        "broken.pdf": b"%PDF-1.7\n1 0 obj\n<< /Length 99999999999 >>\nstream\n",
        "binary.txt": bytes(range(32)) * 1000,
        "deep.json": b"[" * 200_000,
        "script.html": b"<html><body><script>alert(1)</script><p>" + NOTES.encode() + b"</p></body></html>",
        "nothing.md": b"",
    }
    found = read(client, *hostile.items())
    assert found["state"] == "ready"
    told = {file["file"]: file for file in found["files"]}
    assert set(told) == {safe_name(name) for name in hostile}
    assert {name for name, file in told.items() if file["pages"]} == {"secret.txt", "script.html"}
    assert all(file["faults"] for file in told.values() if not file["pages"])
    assert not (data.parent / "secret.txt").exists()
    page = client.get("/documents").text
    assert "bomb.docx</bdi>: it unpacks to more than" in page
    assert str(data) not in page


def test_nothing_readable(client: FlaskClient) -> None:
    found = read(client, ("empty.txt", b"  "))
    assert (found["state"], found["error"]) == ("failed", uploads.NOTHING)


GREEDY = {  # each of less than 2 MB; what a bound says of it
    "stars.md": (b"*a **b " * 250_000, "longer than 1 seconds"),
    "wide.json": (b"[" + b"[]," * 600_000 + b"[]]", "memory"),
}


@pytest.mark.parametrize("name", GREEDY)
def test_one_document_that_takes_too_much_is_left_out_and_said(app: Flask, client: FlaskClient, name: str) -> None:
    """The others are read all the same."""
    content, says = GREEDY[name]
    own = app.extensions["esoteric"].uploads
    before, own.bounds = own.bounds, Bounds(1, 800, 600) if "seconds" in says else Bounds(30, 90, 600)
    try:
        found = read(client, ("before.txt", NOTES.encode()), (name, content), ("after.txt", NOTES.encode()))
    finally:
        own.bounds = before
    assert [file["pages"] for file in found["files"]] == [1, 0, 1]
    assert (found["state"], found["pages"]) == ("ready", 2)
    assert says in found["files"][1]["faults"][0]


def test_what_there_is_no_time_for_is_said(app: Flask, client: FlaskClient) -> None:
    own = app.extensions["esoteric"].uploads
    before, own.bounds = own.bounds, Bounds(30, 800, 0)
    try:
        found = read(client, ("a.txt", NOTES.encode()))
    finally:
        own.bounds = before
    assert (found["state"], "took longer than 0 seconds" in found["files"][0]["faults"][0]) == ("failed", True)


def test_an_upload_deleted_while_it_is_read_is_read_no_further(data: Path, client: FlaskClient) -> None:
    sent = send(client, ("a.txt", NOTES.encode()), ("b.txt", NOTES.encode()))
    assert client.delete(sent.json["url"]).status_code == 204
    until = time.monotonic() + 300
    while list((data / "uploads").iterdir()):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_what_a_dead_process_left_is_removed_at_once_and_no_more(app: Flask, data: Path) -> None:
    own = app.extensions["esoteric"].uploads
    dead, alive = data / "uploads" / "dead", data / "uploads" / "alive"
    for folder in (dead, alive):
        folder.mkdir(parents=True)
        (folder / "salaries.docx").write_bytes(b"secret")
    with open(alive / LOCK, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        own.clean()
        assert (dead.exists(), alive.exists()) == (False, True)
    own.clean()
    assert not alive.exists()


def test_failed_uploads_hold_no_place_and_one_person_not_all(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_UPLOADS", 1)
    me, other = {"REMOTE_ADDR": "203.0.113.1"}, {"REMOTE_ADDR": "203.0.113.2"}

    def take(person: dict[str, str]) -> Any:
        content_type, body = form_data(("a.txt", b"A document."))
        return client.post("/api/documents", data=body, content_type=content_type, environ_base=person)

    documents = app.extensions["esoteric"].documents
    first = take(me)
    assert first.status_code == 202
    assert take(me).status_code == 422
    assert take(other).status_code == 202
    documents.fail(first.json["id"], "It cannot be read.")
    assert take(me).status_code == 202


def test_who_has_documents_in_reading_waits_for_those_and_nobody_else(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    me, other = {"REMOTE_ADDR": "203.0.113.3"}, {"REMOTE_ADDR": "203.0.113.4"}
    monkeypatch.setattr(uploads, "MOST_PENDING_OF_A_PERSON", 1)
    own, gate = app.extensions["esoteric"].uploads, threading.Event()
    assert own.bounds == Bounds(30, 800)
    with app.test_request_context(environ_base=me):
        own._turns.add(person(), lambda: gate.wait(60))
    content_type, body = form_data(("a.txt", b"A document."))
    sent = [
        client.post("/api/documents", data=body, content_type=content_type, environ_base=who) for who in (me, other)
    ]
    gate.set()
    assert [answer.status_code for answer in sent] == [503, 202]
    assert "Your other documents" in sent[0].json["detail"]


def test_readers_get_no_secrets(tmp_path: Path) -> None:
    secrets = {"LLM_KEY": "hush", "DATABASE": "postgresql://me:hush@h/x", "ELASTICSEARCH_PASSWORD": "hush"}
    given = plain_environment({**secrets, "PATH": "/bin"}, tmp_path)
    assert "hush" not in str(given)
    assert given["PATH"] == "/bin"


def test_a_reader_ends_with_the_process_that_began_it(tmp_path: Path) -> None:
    """Whoever is killed closes the pipe that its reader listens to."""
    (tmp_path / "a.txt").write_text(NOTES)
    os.mkfifo(tmp_path / "out")  # which waits for somebody to read from it, for ever
    command = [sys.executable, "-m", "indexing", "knowledge", "--with-parent", "--out", str(tmp_path / "out"), "--"]
    reader = subprocess.Popen([*command, str(tmp_path / "a.txt")], cwd=ROOT, stdin=subprocess.PIPE)
    assert reader.stdin is not None
    reader.stdin.close()
    assert reader.wait(60) == 1


def test_documents_that_are_finished_while_their_row_is_read_are_not_called_interrupted(app: Flask) -> None:
    documents = Documents(app.extensions["esoteric"].documents.engine)
    documents_id = documents.add("quickly read", 1)
    reading = threading.get_ident()  # the application's own threads use the database too
    finished: list[str] = []

    def finish(*_: object) -> None:
        if threading.get_ident() == reading and not finished:
            finished.append(documents_id)
            documents.release(documents_id)
            documents.finish(documents_id, 1, b"{}")

    sa.event.listen(documents.engine, "after_cursor_execute", finish)
    found = documents.get(documents_id)
    sa.event.remove(documents.engine, "after_cursor_execute", finish)
    assert found is not None
    assert (found.state, found.error) == ("ready", "")
    documents.delete(documents_id)


def test_what_a_stopped_server_was_reading_is_said(app: Flask, client: FlaskClient) -> None:
    documents = app.extensions["esoteric"].documents
    documents_id = Documents(documents.engine).add("left behind", 1)  # by a process that is no more
    assert client.get(f"/api/documents/{documents_id}").json["error"] == INTERRUPTED


def test_a_clock_that_is_set_does_not_end_an_upload(app: Flask, client: FlaskClient) -> None:
    documents = app.extensions["esoteric"].documents
    documents_id = documents.add("being read", 1)
    with documents.engine.begin() as connection:  # its last sign of life is years ago by the clock on the wall
        connection.execute(
            sa.update(table).where(table.c.id == documents_id).values(changed="2020-01-01T00:00:00.000Z")
        )
    assert client.get(f"/api/documents/{documents_id}").json["state"] == "reading"
    documents.release(documents_id)
    assert client.get(f"/api/documents/{documents_id}").json["error"] == INTERRUPTED


def test_who_reads_on_another_machine_is_believed_until_it_is_silent(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(Settings(database=postgresql.database()))
    there, here = Documents(engine), Documents(engine)
    prepare_tables(engine)
    documents_id = there.add("being read", 1)
    with engine.begin() as connection:
        connection.execute(sa.update(table).values(changed="2020-01-01T00:00:00.000Z"))
    assert [found.state for found in here.all()] == ["reading"]
    monkeypatch.setattr(documents_module, "READING_SILENCE", 0.0)
    assert [found.error for found in here.all()] == [INTERRUPTED]
    assert there.get(documents_id).state == "reading"
    engine.dispose()


def test_a_folder_indexed_before(data: Path, app: Flask, client: FlaskClient) -> None:
    from indexing.load import load_documents

    notes = data.parent / "notes.txt"
    notes.write_text(NOTES, "utf-8")
    load_documents([notes], data / "corpora" / "harbour", report=lambda _: None)
    started = client.post("/api/checks", json={"claim": "Twelve stops.", "against": "corpus:harbour"})
    assert wait(client, started.json["id"])["corpus"]["pages"] == 1
    unknown = ("corpus:../corpora/harbour", "corpus:", "corpus:nowhere", "upload:../x", "folder:harbour", "x" * 500)
    for name in (*unknown, "upload:\x00", "upload:\ud800", "corpus:\ud800"):
        refused = client.post("/api/checks", json={"claim": "Twelve stops.", "against": name})
        assert refused.status_code == 404, name
        assert "Choose" in refused.json["detail"]


@given(st.text(max_size=300))
def test_names_of_files_are_safe_and_stay_so(name: str) -> None:
    safe = safe_name(name)
    assert safe == safe_name(safe)
    assert safe.isprintable()
    assert not set(safe) & set("/\\")
    assert not safe.startswith((".", "-", "~", " "))
    assert 0 < len(safe.encode()) <= LONGEST_FILE_NAME + 40
