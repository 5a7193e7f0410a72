"""Checks and reports, filed under names, searched, taken out; what is deleted is filed no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from retrieval.settings import Settings
from tests.app.conftest import token
from tests.app.reports.waiting import wait_report

Check = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, database: str) -> Settings:
    return Settings(data=tmp_path_factory.mktemp("data"), database=database)


@pytest.fixture(scope="module")
def app(settings: Settings) -> Any:
    from tests.app.conftest import working_app
    from tests.app.fake import FakeResources

    yield from working_app(settings, FakeResources())


def made(client: FlaskClient, name: str) -> str:
    answer = client.post("/api/collections", json={"name": name})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/api/collections/{answer.json['id']}"
    return str(answer.json["id"])


def file(client: FlaskClient, collection: str, kind: str, item: str) -> Any:
    return client.post(f"/api/collections/{collection}/items", json={"kind": kind, "id": item})


def titles(client: FlaskClient, collection: str, **asked: Any) -> list[str]:
    found = client.get(f"/api/collections/{collection}", query_string=asked)
    assert found.status_code == 200, found.text
    return [one["title"] for one in found.json["items"]]


def reported(client: FlaskClient, title: str, *claims: str) -> str:
    report_id = str(client.post("/api/reports", json={"claims": list(claims), "title": title}).json["id"])
    wait_report(client, report_id)
    return report_id


def post(client: FlaskClient, path: str, **form: str) -> Any:
    return client.post(path, data={"csrf_token": token(client), **form})


def test_checks_and_reports_are_filed_once_and_searched(client: FlaskClient, check: Check) -> None:
    collection = made(client, "Physics")
    curie = check("Marie Curie was a physicist.")["id"]
    disputed = check("On this the pages disagree.")["id"]
    report = reported(client, "A trip to Poland", "Warsaw is a city.", "On this the pages disagree.")
    for kind, item in (("check", curie), ("check", disputed), ("report", report), ("report", report)):
        filed = file(client, collection, kind, item)
        assert filed.status_code == 200, filed.text
    assert (filed.json["checks"], filed.json["reports"]) == (2, 1)
    claims = ["On this the pages disagree.", "Marie Curie was a physicist."]
    assert titles(client, collection) == ["A trip to Poland", *claims]
    assert titles(client, collection, q="CURIE") == claims[1:]
    assert titles(client, collection, q="poland") == ["A trip to Poland"]
    assert titles(client, collection, q="warsaw") == ["A trip to Poland"], "a report's claims are searched too"
    assert titles(client, collection, q="%") == []
    assert titles(client, collection, verdict="CONFLICTING") == ["A trip to Poland", claims[0]]
    assert titles(client, collection, verdict="SUPPORTED") == ["A trip to Poland", claims[1]]
    assert titles(client, collection, verdict="CONFLICTING", q="warsaw") == [], "it is another claim that conflicts"
    assert titles(client, collection, verdict="REFUTED") == []
    page = client.get(f"/collections/{collection}?q=curie&verdict=SUPPORTED").text
    assert f"/checks/{curie}" in page
    assert f"/checks/{disputed}" not in page
    for path in ("/reports", f"/collections/{collection}"):  # what speaks against the claims first
        tally = client.get(path).text
        assert 0 < tally.index("1 conflicting evidence") < tally.index("1 supported"), path
    assert "Nothing in this collection" in client.get(f"/collections/{collection}?q=nothing").text


def test_a_long_collection_comes_in_pages(client: FlaskClient, check: Check) -> None:
    collection = made(client, "Numbers")
    claims = [f"Number {number} is a number." for number in range(3)]
    for claim in claims:
        file(client, collection, "check", check(claim)["id"])
    first = client.get(f"/api/collections/{collection}?limit=2").json
    assert [one["title"] for one in first["items"]] == claims[:0:-1]
    rest = client.get(first["next"]).json
    assert ([one["title"] for one in rest["items"]], rest["next"]) == (claims[:1], None)


def test_the_forms_file_and_take_out(client: FlaskClient, check: Check) -> None:
    found = check("Filed by hand.")["id"]
    assert "Add to collection" in client.get(f"/checks/{found}").text
    sent = post(client, "/collections/file", kind="check", id=found, name="  By   hand ")
    assert (sent.status_code, sent.location) == (303, f"/checks/{found}#filed")
    (collection,) = [one for one in client.get("/api/collections").json["collections"] if one["name"] == "By hand"]
    report = reported(client, "Filed by hand too", "Warsaw is a city.")
    assert "By hand" in client.get(f"/reports/{report}").text
    sent = post(client, "/collections/file", kind="report", id=report, collection="", name="by HAND")
    assert sent.location == f"/reports/{report}#filed"
    assert titles(client, collection["id"]) == ["Filed by hand too", "Filed by hand."]
    out = f"/collections/{collection['id']}/take-out"
    assert post(client, out, kind="check", id=found, back="item").location == f"/checks/{found}#filed"
    sent = post(client, out, kind="report", id=report, q="hand")
    assert sent.location == f"/collections/{collection['id']}?q=hand"
    assert titles(client, collection["id"]) == []
    assert client.get(f"/checks/{found}").status_code == 200
    for form, status in (
        ({"kind": "check"}, 422),
        ({"kind": "page", "name": "x"}, 422),
        ({"kind": "report", "name": "x"}, 404),
    ):
        assert post(client, "/collections/file", id=found, **form).status_code == status
    form = {"csrf_token": token(client), "kind": "check", "id": found}
    for sent_from, back in ((f"http://localhost/checks/{found}", True), ("http://elsewhere.example/", False)):
        refused = client.post(
            "/collections/file", data=form, headers={"Referer": sent_from, "Sec-Fetch-Site": "same-origin"}
        )
        assert refused.status_code == 422
        assert (f'<a href="{sent_from}">Go back</a>' in refused.text) == back


def test_a_collection_is_renamed_and_deleted_without_what_is_in_it(client: FlaskClient, check: Check) -> None:
    collection, other = made(client, "To go"), made(client, "To stay")
    found = check("It outlives its collection.")["id"]
    file(client, collection, "check", found)
    refused = client.post("/api/collections", json={"name": "to GO"})
    assert (refused.status_code, "collection with this name" in refused.json["detail"]) == (409, True)
    for path, typed in ((f"/collections/{collection}/rename", "To stay"), ("/collections", "to GO")):
        refused = post(client, path, name=typed)
        assert refused.status_code == 409
        assert 'id="problem"' in refused.text
        assert f'value="{typed}"' in refused.text, "what was typed stays"
    assert post(client, f"/collections/{collection}/rename", name="TO GO").status_code == 303
    assert client.patch(f"/api/collections/{other}", json={"name": "Stays"}).json["name"] == "Stays"
    assert "TO GO" in client.get("/collections").text
    assert post(client, f"/collections/{collection}/delete").location == f"/collections?deleted={collection}"
    assert client.get(f"/api/collections/{collection}").status_code == 404
    assert client.get(f"/api/checks/{found}").status_code == 200
    assert client.delete(f"/api/collections/{other}").status_code == 204
    for refused in (
        file(client, other, "check", found),
        client.get(f"/collections/{other}"),
        client.delete(f"/api/collections/{other}/items/check/{found}"),
    ):
        assert refused.status_code == 404


@pytest.mark.parametrize("name", ["", " ", "x" * 121, "a\x00b"])
def test_what_is_no_name_is_refused(client: FlaskClient, name: str) -> None:
    refused = client.post("/api/collections", json={"name": name})
    assert refused.status_code == 422
    assert "name" in refused.json["detail"]


def test_what_is_deleted_is_filed_no_more(app: Flask, client: FlaskClient, check: Check) -> None:
    collection = made(client, "Bin")
    found, report = check("To be binned.")["id"], reported(client, "Binned", "Warsaw is in a bin.")
    inside = client.get(f"/api/reports/{report}").json["claims"][0]["check_id"]
    for kind, item in (("check", found), ("report", report), ("check", inside)):
        file(client, collection, kind, item)
    post(client, f"/checks/{found}/delete")
    assert titles(client, collection) == ["Warsaw is in a bin.", "Binned"]
    client.delete(f"/api/reports/{report}")
    assert titles(client, collection) == []
    shown = client.get(f"/api/collections/{collection}").json
    assert (shown["checks"], shown["reports"]) == (0, 0)
    again = check("All of it goes.")["id"]
    file(client, collection, "check", again)
    own = app.extensions["esoteric"]
    own.retention.delete_all()
    with own.checks.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM filed").scalar() == 0
    assert client.get(f"/api/collections/{collection}").status_code == 200, "the collection itself stays, empty"
