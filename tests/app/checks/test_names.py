"""A check gets a name of people's own, beside its claim, and is found by it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.jobs.readers.texts import LONGEST_TITLE
from app.tables.stored_check import LONGEST_CHECK_NAME
from retrieval.settings import Settings
from tests.app.conftest import token, working_app
from tests.app.fake import FakeResources
from tests.app.reports.waiting import wait_report

Check = Callable[..., dict[str, Any]]
NAME = "Speech of 3 May"
HOSTILE = '<script>alert(1)</script> \u202e{{ 7 * 7 }} & "quotes"'


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, database: str) -> Iterator[Flask]:
    yield from working_app(Settings(data=tmp_path_factory.mktemp("data"), database=database), FakeResources())


def give(client: FlaskClient, check_id: str, name: str) -> Any:
    return client.post(f"/checks/{check_id}/name", data={"csrf_token": token(client), "name": name})


def test_a_name_stands_beside_the_claim_everywhere(client: FlaskClient, check: Check) -> None:
    found = check("It is named over HTTP.")
    assert found["name"] == ""
    path = f"/api/checks/{found['id']}"
    named = client.patch(path, json={"name": f"  {NAME.replace(' ', '  ')} "})
    assert (named.status_code, named.json["name"], named.json["claim"]) == (200, NAME, "It is named over HTTP.")
    assert client.patch(path, json={}).json["name"] == NAME, "what is left out stays"
    assert client.patch(path, json={"shared": True}).json["name"] == NAME
    (listed,) = [one for one in client.get("/api/checks").json["checks"] if one["id"] == found["id"]]
    assert (listed["name"], listed["claim"]) == (NAME, "It is named over HTTP.")
    for page in ("/", "/history", f"/checks/{found['id']}"):
        text = client.get(page).text
        assert NAME in text, page
        assert "named over HTTP." in text, page
    assert client.get(f"/checks/{found['id']}.json").json["name"] == NAME
    assert f"Named “{NAME}”." in client.get(f"/checks/{found['id']}.md").text
    assert {
        row["name"]
        for row in csv.DictReader(io.StringIO(client.get(f"/checks/{found['id']}.csv").text.removeprefix("\ufeff")))
    } == {NAME}
    assert NAME not in client.get(f"/checks/{found['id']}.jsonld").text, "what is published names the claim alone"
    assert client.patch(path, json={"name": " "}).json["name"] == ""
    assert NAME not in client.get("/history").text


def test_history_and_collections_search_names(client: FlaskClient, check: Check) -> None:
    named, other = (check(claim)["id"] for claim in ("The one that is named.", "The one that is not."))
    client.patch(f"/api/checks/{named}", json={"name": "Straße, zweiter Teil"})
    collection = client.post("/api/collections", json={"name": "By name"}).json["id"]
    for item in (named, other):
        client.post(f"/api/collections/{collection}/items", json={"kind": "check", "id": item})
    for words, found in (("STRASSE", [named]), ("one that is", [other, named]), ("straße the", [])):
        items = client.get(f"/api/collections/{collection}", query_string={"q": words}).json["items"]
        assert [one["id"] for one in items] == found, words
        page = client.get("/history", query_string={"q": words}).text
        assert [one for one in (other, named) if f'/checks/{one}"' in page] == found, words
    filed = client.get(f"/api/collections/{collection}").json["items"]
    assert [(one["name"], one["title"]) for one in filed] == [
        ("", "The one that is not."),
        ("Straße, zweiter Teil", "The one that is named."),
    ]
    assert "zweiter Teil" in client.get(f"/collections/{collection}").text
    client.patch(f"/api/checks/{named}", json={"name": ""})
    assert "0 of" in client.get("/history?q=zweiter").text


def test_the_form_names_and_takes_the_name_away(client: FlaskClient, check: Check) -> None:
    found = check("It is named by hand.")["id"]
    page = client.get(f"/checks/{found}").text
    assert "Name this check" in page
    assert 'id="named"' not in page
    sent = give(client, found, f" {NAME} ")
    assert (sent.status_code, sent.location) == (303, f"/checks/{found}#named")
    page = client.get(sent.location).text
    assert f'id="named">Named “<bdi>{NAME}</bdi>”' in page
    assert "Change its name" in page
    assert give(client, found, "").status_code == 303
    assert 'id="named"' not in client.get(f"/checks/{found}").text
    assert client.post(f"/checks/{found}/name", data={"name": NAME}).status_code == 400, "without the form's token"


@pytest.mark.parametrize("name", ["x" * (LONGEST_CHECK_NAME + 1), "a\x00b", "a\ud800b"])
def test_what_is_no_name_is_refused_and_nothing_changes(client: FlaskClient, check: Check, name: str) -> None:
    found = check("It keeps its name.")["id"]
    client.patch(f"/api/checks/{found}", json={"name": NAME})
    refused = client.patch(f"/api/checks/{found}", json={"name": name, "shared": True})
    assert (refused.status_code, refused.content_type) == (422, "application/problem+json")
    assert refused.json["detail"].startswith("The name ")
    assert client.get(f"/api/checks/{found}").json["name"] == NAME


def test_a_refused_name_comes_back_in_the_open_form(client: FlaskClient, check: Check) -> None:
    too_long = "y" * (LONGEST_CHECK_NAME + 1)
    ended = check("Too long a name.")["id"], check("Let it explode, namelessly.")["id"]
    for found in ended:
        refused = give(client, found, too_long)
        assert refused.status_code == 422
        assert 'id="naming" open' in refused.text
        assert f'value="{too_long}"' in refused.text
        assert "The name has 201 characters; at most 200 are allowed. Shorten it." in refused.text
    assert LONGEST_CHECK_NAME == LONGEST_TITLE, "as long as a report's title may be"


def test_a_check_that_is_not_there_has_no_name(client: FlaskClient) -> None:
    assert client.patch("/api/checks/0123", json={"name": NAME}).status_code == 404
    assert give(client, "0123", NAME).status_code == 404
    assert client.patch("/api/checks/0123", json={"name": 1}).status_code == 422


def test_a_hostile_name_is_text(client: FlaskClient, check: Check) -> None:
    found = check("Its name is hostile.")["id"]
    assert client.patch(f"/api/checks/{found}", json={"name": HOSTILE}).json["name"] == HOSTILE
    for page in ("/", "/history", f"/checks/{found}"):
        text = client.get(page).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
    assert "<script>" not in client.get(f"/checks/{found}.md").text
    client.patch(f"/api/checks/{found}", json={"name": "=1+1"})
    assert "'=1+1" in client.get(f"/checks/{found}.csv").text


def test_a_check_of_a_report_and_one_that_failed_are_named_too(client: FlaskClient, check: Check) -> None:
    failed = check("Let it explode, with a name.")["id"]
    report = client.post("/api/reports", json={"claims": ["It is named inside a report."]}).json["id"]
    inside = wait_report(client, report)["claims"][0]["check_id"]
    for one in (failed, inside):
        assert give(client, one, NAME).status_code == 303
        assert NAME in client.get(f"/checks/{one}").text
    assert client.get(f"/reports/{report}.json").json["claims"][0]["check"]["name"] == NAME
