"""What the pages of reports show, over HTTP too: older reports, words and verdicts, who said it, what would change it."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.app.reports.waiting import wait_report


def made(client: FlaskClient, *claims: Any, title: str = "") -> dict[str, Any]:
    report_id = client.post("/api/reports", json={"claims": [*claims], "title": title}).json["id"]
    return wait_report(client, report_id)


def ids(answer: Any) -> list[str]:
    return [report["id"] for report in answer.json["reports"]]


def test_older_reports_are_listed_a_page_at_a_time(client: FlaskClient) -> None:
    own = [made(client, f"The zebra number {number} is striped.")["id"] for number in range(3)]
    first = client.get("/api/reports?limit=2&words=ZEBRA")
    assert ids(first) == [own[2], own[1]]
    assert f"before={own[1]}" in first.json["next"]
    second = client.get(first.json["next"])
    assert ids(second) == [own[0]]
    assert second.json["next"] is None
    assert client.get("/api/reports?before=0123").status_code == 404
    assert client.get("/api/reports?limit=0").status_code == 400


def test_reports_are_found_by_words_and_verdict(client: FlaskClient) -> None:
    sure = made(client, "The okapi lives in the Congo.", title="Of animals")["id"]
    torn = made(client, "On the okapi the pages disagree.")["id"]
    assert ids(client.get("/api/reports?words=okapi")) == [torn, sure]
    assert ids(client.get("/api/reports?words=OF+animals")) == [sure]
    assert ids(client.get("/api/reports?words=okapi&verdict=CONFLICTING")) == [torn]
    assert ids(client.get("/api/reports?words=okapi&verdict=SUPPORTED")) == [sure]
    assert client.get("/api/reports?verdict=MAYBE").status_code == 400
    assert client.get("/api/reports?words=%00").status_code == 400


@pytest.mark.parametrize(
    ("speaker", "named"),
    [
        ("Ann Lee", True),
        ("the historian Ewa Lindner", True),
        ("She", False),
        ("A panel as tall as a door", False),
        ("", False),
    ],
)
def test_a_claim_review_names_who_made_the_claim(client: FlaskClient, speaker: str, named: bool) -> None:
    claim = {"text": f"The bridge was closed by {speaker or 'nobody'}.", "speaker": speaker}
    report = made(client, claim)
    check_id = report["claims"][0]["check_id"]
    client.post(f"/api/checks/{check_id}/decision", json={"label": "SUPPORTED", "author": "Ada"})
    alone = json.loads(client.get(f"/checks/{check_id}.jsonld").data)
    (in_report,) = json.loads(client.get(f"/reports/{report['id']}.jsonld").data)["@graph"]
    for review in (alone, in_report):
        item = {"@type": "Claim", "text": claim["text"]}
        assert review["itemReviewed"] == item | ({"author": {"@type": "Person", "name": speaker}} if named else {})


def test_where_nothing_speaks_for_the_other_side_nothing_would_change_it(client: FlaskClient) -> None:
    report = made(client, "The giraffe is tall.")
    check = client.get(f"/api/checks/{report['claims'][0]['check_id']}").json
    assert check["would_change"] is None
    (row,) = csv.DictReader(io.StringIO(client.get(f"/reports/{report['id']}.csv").text.removeprefix("\ufeff")))
    assert (row["would_change"], row["would_change_source"], row["would_change_corpus"]) == ("", "", "")
