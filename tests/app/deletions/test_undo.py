"""A deletion hides at once, can be undone for ten minutes, and is final after that."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app.tables import collections, documents, reports
from app.tables.checks import table as checks
from tests.app.conftest import token, wait
from tests.app.reports.waiting import wait_report

Check = Callable[..., dict[str, Any]]
TABLES = {"check": checks, "report": reports.table, "collection": collections.table, "documents": documents.table}


def post(client: FlaskClient, path: str, **form: str) -> Any:
    return client.post(path, data={"csrf_token": token(client), **form})


def later(app: Flask, kind: str, minutes: int) -> None:
    """Let this much time pass since everything of a kind was deleted."""
    moment = (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
    table = TABLES[kind]
    with app.extensions["esoteric"].checks.engine.begin() as connection:
        deleted = sa.update(table).where(table.c.deleted.is_not(None))
        connection.execute(deleted.values(deleted=moment.replace("+00:00", "Z")))


def test_a_check_comes_back_as_it_was(app: Flask, client: FlaskClient, check: Check) -> None:
    own = app.extensions["esoteric"]
    found = check("It is deleted by mistake.")["id"]
    client.post(f"/api/checks/{found}/decision", json={"label": "REFUTED", "author": "Ada"})
    held = client.post("/api/collections", json={"name": "Holds it"}).json["id"]
    client.post(f"/api/collections/{held}/items", json={"kind": "check", "id": found})
    before = client.get(f"/api/checks/{found}").json
    where = post(client, f"/checks/{found}/delete").location
    assert client.get(f"/checks/{found}").status_code == 404
    assert client.get(f"/checks/{found}.json").status_code == 404
    assert client.get("/api/checks?words=mistake").json["checks"] == []
    assert client.get(f"/api/collections/{held}").json["checks"] == 0
    again = client.post("/api/checks", json={"claim": "It is deleted by mistake."}).json
    assert not again["earlier"], "what is deleted answers nothing"
    page = client.get(where).text
    assert "The check “<bdi>It is deleted by mistake.</bdi>” was deleted." in page
    button = re.search(r'class="notice earlier undo"[^>]* action="([^"]+)"', page)
    assert button
    own.retention.delete_hidden()
    assert post(client, button[1]).location == f"/checks/{found}"
    assert client.get(f"/api/checks/{found}").json == before
    assert client.get(f"/api/collections/{held}").json["checks"] == 1
    assert "notice earlier undo" not in client.get(where).text, "there is nothing left to undo"
    assert post(client, button[1]).status_code == 404


def test_a_program_deletes_a_check_and_brings_it_back(client: FlaskClient, check: Check) -> None:
    found = check("A program deletes it by mistake.")["id"]
    before = client.get(f"/api/checks/{found}").json
    gone = client.delete(f"/api/checks/{found}")
    assert (gone.status_code, gone.headers["Undo"]) == (204, f"/api/deleted/check/{found}/undo")
    assert client.get(f"/api/checks/{found}").status_code == 404
    assert client.delete(f"/api/checks/{found}").status_code == 404
    assert client.post(gone.headers["Undo"]).json == {"url": f"/checks/{found}"}
    assert client.get(f"/api/checks/{found}").json == before


def test_a_running_check_stops(client: FlaskClient) -> None:
    found = client.post("/api/checks", json={"claim": "This waits at a gate for long.", "fresh": True}).json["id"]
    post(client, f"/checks/{found}/delete")
    post(client, f"/deleted/check/{found}/undo")
    assert wait(client, found)["state"] in ("cancelled", "done")


def test_a_report_comes_back_with_its_checks_but_one(app: Flask, client: FlaskClient) -> None:
    """The one that was deleted by itself before stays deleted."""
    report_id = client.post("/api/reports", json={"claims": ["Goes first.", "Goes with it."], "title": "R"}).json["id"]
    first, second = (row["check_id"] for row in wait_report(client, report_id)["claims"])
    post(client, f"/checks/{first}/delete")
    assert client.get(f"/api/reports/{report_id}").json["claims"][0]["error"] == "This check was deleted."
    gone = client.delete(f"/api/reports/{report_id}")
    assert (gone.status_code, gone.headers["Undo"]) == (204, f"/api/deleted/report/{report_id}/undo")
    for path in (f"/reports/{report_id}", f"/reports/{report_id}.csv", f"/api/checks/{second}"):
        assert client.get(path).status_code == 404, path
    assert report_id not in client.get("/reports").text
    app.extensions["esoteric"].retention.delete_hidden()
    assert client.post(gone.headers["Undo"]).json == {"url": f"/reports/{report_id}"}
    claims = client.get(f"/api/reports/{report_id}").json["claims"]
    assert [row["state"] for row in claims] == ["failed", "done"]


def test_a_collection_comes_back_unless_its_name_is_taken(client: FlaskClient) -> None:
    found = client.post("/api/collections", json={"name": "Deleted and missed"}).json["id"]
    where = post(client, f"/collections/{found}/delete").location
    assert "The collection “<bdi>Deleted and missed</bdi>” was deleted." in client.get(where).text
    other = client.post("/api/collections", json={"name": "deleted and MISSED"}).json["id"]
    assert client.post(f"/api/deleted/collection/{found}/undo").status_code == 409
    client.patch(f"/api/collections/{other}", json={"name": "Another"})
    assert post(client, f"/deleted/collection/{found}/undo").location == f"/collections/{found}"
    assert client.get(f"/collections/{found}").status_code == 200


def upload(app: Flask) -> str:
    """Documents that have been read."""
    found: str = app.extensions["esoteric"].documents.add("My <notes>", 1)
    app.extensions["esoteric"].documents.finish(found, 1, b"{}")
    return found


def test_documents_come_back_with_what_read_them(app: Flask, client: FlaskClient, check: Check) -> None:
    """A check with a signed verdict and a report do, and one check that was deleted by itself before does not."""
    own, found = app.extensions["esoteric"], upload(app)
    name = f"upload:{found}"
    kept, gone_before = (own.checks.add(f"Read in documents, {n}.", "fast", 10_000, name) for n in "ab")
    beside = own.checks.add("Reads others.", "fast", 10_000, f"upload:{upload(app)}")
    own.checks.fail(kept, "It failed.")
    client.post(f"/api/checks/{kept}/decision", json={"label": "REFUTED", "author": "Ada"})
    new = reports.NewReport("Read", "", [reports.ReportClaim("One.", "One.")], "fast", name)
    report = own.reports.add(new, {"corpus": {"pages": 1, "fingerprint": "f"}})
    own.reports.cancel(report)
    post(client, f"/checks/{gone_before}/delete")
    addresses = [f"/api/documents/{found}", f"/api/checks/{kept}", f"/api/reports/{report}"]
    before = [client.get(address).json for address in addresses]
    where = post(client, f"/documents/{found}/delete").location
    assert [client.get(address).status_code for address in addresses] == [404] * 3
    assert client.get(f"/api/checks/{beside}").status_code == 200
    page = client.get(where).text
    assert "The documents “<bdi>My &lt;notes&gt;</bdi>” were deleted." in page
    assert f'id="documents-{found}"' not in page
    assert client.post("/api/checks", json={"claim": "Reads them.", "against": name}).status_code == 404
    own.retention.delete_hidden()
    assert post(client, f"/deleted/documents/{found}/undo").location == f"/documents#documents-{found}"
    assert [client.get(address).json for address in addresses] == before
    assert client.get(f"/api/checks/{gone_before}").status_code == 404
    gone = client.delete(f"/api/documents/{found}")
    assert (gone.status_code, gone.headers["Undo"]) == (204, f"/api/deleted/documents/{found}/undo")
    later(app, "documents", 12)
    own.retention.delete_hidden()
    assert client.post(gone.headers["Undo"]).status_code == 404
    for table in (checks, reports.table):
        with own.checks.engine.connect() as connection:
            assert not connection.execute(sa.select(table.c.id).where(table.c.against == name)).all()


def test_documents_that_are_being_read_are_deleted_at_once(app: Flask, client: FlaskClient) -> None:
    own = app.extensions["esoteric"]
    stopped: list[bool] = []
    found = own.documents.add("Half read", 2)
    own.documents.hold(found, lambda: stopped.append(True))
    gone = client.delete(f"/api/documents/{found}")
    own.documents.release(found)
    assert (gone.status_code, "Undo" in gone.headers, stopped) == (204, False, [True])
    assert not own.documents.read_on(found, [])


@pytest.mark.parametrize("kind", list(TABLES))
def test_after_ten_minutes_it_is_gone(app: Flask, client: FlaskClient, kind: str) -> None:
    own = app.extensions["esoteric"]
    sent = {
        "check": ("/api/checks", {"claim": f"A {kind} goes for good.", "fresh": True}),
        "report": ("/api/reports", {"claims": ["A report goes for good."]}),
        "collection": ("/api/collections", {"name": "Goes for good"}),
    }
    found = client.post(sent[kind][0], json=sent[kind][1]).json["id"] if kind in sent else upload(app)
    later(app, kind, 12)
    own.retention.delete_hidden()  # of other tests
    own.retention.hide(kind, found)
    later(app, kind, 9)
    assert own.retention.delete_hidden() == 0
    assert own.deletions.find(kind, found)
    later(app, kind, 12)
    assert client.post(f"/api/deleted/{kind}/{found}/undo").status_code == 404
    assert own.retention.delete_hidden() == 1
    with own.checks.engine.connect() as connection:
        table = TABLES[kind]
        assert connection.execute(sa.select(table.c.id).where(table.c.id == found)).first() is None
