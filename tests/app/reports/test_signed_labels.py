"""Filters, counts and lists by verdict go by the label that counts: what a person signed, else the machine's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.app.reports.waiting import wait_report

Check = Callable[..., dict[str, Any]]


def sign(client: FlaskClient, check_id: str, label: str) -> None:
    told = client.post(f"/api/checks/{check_id}/decision", json={"label": label, "author": "Ada", "note": "Seen."})
    assert told.status_code == 200


def found(client: FlaskClient, address: str, label: str) -> bool:
    """Whether the filter of a page finds the one item that its search would list without it."""
    page = client.get(f"{address}{'&' if '?' in address else '?'}verdict={label}").text
    return bool(re.search(r"<li>\s*<a href=\"/checks/", page))


def test_a_signed_check_is_found_by_the_signed_label(client: FlaskClient, check: Check) -> None:
    check_id = check("A check to be overturned.")["id"]
    collection = client.post("/api/collections", json={"name": "Overturned"}).json["url"]
    client.post(f"/api{collection}/items", json={"kind": "check", "id": check_id})
    pages = ("/history?q=to+be+overturned", collection)
    lists = {"/api/checks?words=to+be+overturned": "checks", f"/api{collection}?q=to+be+overturned": "items"}
    for label, counts in (
        (None, "SUPPORTED"),
        ("REFUTED", "REFUTED"),
        ("CONFLICTING", "CONFLICTING"),
        ("", "SUPPORTED"),
    ):
        if label is not None:
            sign(client, check_id, label)
        for other in ("SUPPORTED", "REFUTED", "CONFLICTING"):
            for page in pages:
                assert found(client, page, other) == (other == counts), (page, label, other)
            for address, key in lists.items():
                items = client.get(f"{address}&verdict={other}").json[key]
                assert len(items) == (other == counts), (address, label, other)
                for item in items:
                    assert item["verdict"]["label"] == "SUPPORTED", "the machine's stays"
                    assert (item["decision"] or {}).get("label") == (label or None)
                    assert (item["decision"] or {}).get("author") == ("Ada" if label else None)


@pytest.fixture
def report(client: FlaskClient) -> dict[str, Any]:
    """Of two claims, both supported by the machine; a person has refuted the first."""
    claims = ["Overturned in a report.", "Left to the machine there."]
    made = client.post("/api/reports", json={"claims": claims, "title": "Half overturned"})
    first = wait_report(client, made.json["id"])["claims"][0]
    sign(client, first["check_id"], "REFUTED")
    return wait_report(client, made.json["id"])


def test_a_report_is_filtered_counted_and_sorted_by_it(client: FlaskClient, report: dict[str, Any]) -> None:
    here = f"/reports/{report['id']}"
    rows = {label: re.findall(r'<tr id="claim-(\d)"', client.get(f"{here}?verdict={label}").text) for label in (
        "SUPPORTED", "REFUTED", "undecided",
    )}  # fmt: skip
    assert rows == {"SUPPORTED": ["2"], "REFUTED": ["1"], "undecided": ["2"]}
    assert re.findall(r'<tr id="claim-(\d)"', client.get(here).text) == ["1", "2"]
    assert report["counts"]["SUPPORTED"] == 2, "the machine's, as ever"
    assert (report["tally"]["SUPPORTED"], report["tally"]["REFUTED"]) == (1, 1)
    assert "1 refuted, 1 supported. 1 signed" in client.get(f"{here}.md").text
    listed = client.get("/reports").text.partition(report["title"])[2].partition("</li>")[0]
    assert 0 < listed.index("1 refuted") < listed.index("1 supported"), "refuted first, as in the report"


def test_lists_of_reports_go_by_it(client: FlaskClient, report: dict[str, Any]) -> None:
    for label, many in (("REFUTED", 1), ("SUPPORTED", 1), ("CONFLICTING", 0)):
        held = client.get(f"/api/reports?words=half+overturned&verdict={label}").json["reports"]
        assert (report["id"] in [one["id"] for one in held]) == bool(many), label
    alone = client.get("/api/reports?words=overturned+in+a+report&verdict=SUPPORTED").json["reports"]
    assert report["id"] not in [one["id"] for one in alone], "the claim with these words is refuted"
    listed = client.get("/reports?q=half+overturned&verdict=REFUTED").text
    assert re.search(r"1 refuted", listed)
    assert re.search(r"1 supported", listed)


def test_a_claim_checked_before_carries_the_decision(client: FlaskClient, check: Check) -> None:
    check_id = check("Kraków has a castle on a hill.")["id"]
    sign(client, check_id, "REFUTED")
    text = client.post("/api/texts", json={"text": "Kraków has a castle on a hill. It was built in 1300."}).json
    before = next(one["before"] for one in text["claims"] if one["before"])
    assert (before["id"], before["verdict"]["label"], before["decision"]["label"]) == (check_id, "SUPPORTED", "REFUTED")
