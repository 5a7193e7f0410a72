"""A report leads with its result, and what would be deleted is said before."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.app.conftest import token, wait
from tests.app.reports.waiting import wait_report

CLAIMS = ["Warsaw leads.", "On this the pages disagree.", "For this there is not enough."]


@pytest.fixture
def report(client: FlaskClient) -> dict[str, Any]:
    body = {"text": " ".join(CLAIMS), "claims": CLAIMS}
    made = wait_report(client, client.post("/api/reports", json=body).json["id"])
    signing = {"label": "REFUTED", "author": "Ada"}
    assert client.post(f"/api/checks/{made['claims'][0]['check_id']}/decision", json=signing).status_code == 200
    return made


def test_the_result_stands_before_the_text_refuted_first(client: FlaskClient, report: dict[str, Any]) -> None:
    page = client.get(f"/reports/{report['id']}").text
    tally = page.partition('<nav class="tally"')[2].partition("</nav>")[0]
    words = [" ".join(re.sub(r"<[^>]+>", "", one).split()) for one in re.findall(r"<a .*?</a>", tally, re.S)]
    assert words == ["1 refuted", "1 conflicting evidence", "1 not enough evidence", "All 3"]
    assert page.index('<nav class="tally"') < page.index('id="marked"')


def test_the_table_shows_how_sure_but_not_beside_not_enough(client: FlaskClient, report: dict[str, Any]) -> None:
    page = client.get(f"/reports/{report['id']}").text
    rows = re.findall(r'<tr id="claim-\d">(.*?)</tr>', page, re.S)
    shares = [re.findall(r'class="meta share">([^<]*)<', row) for row in rows]
    assert shares == [[], ["50%"], []], "a person signed the first; the last decides nothing"


def test_deleting_asks_and_says_what_goes(client: FlaskClient, report: dict[str, Any]) -> None:
    address, check = f"/reports/{report['id']}", report["claims"][0]["check_id"]
    page = " ".join(client.get(address).text.split())
    assert "Its 3 checks and 1 signed verdict will be deleted with it. You can undo that for ten minutes." in page
    sent = client.post(f"{address}/delete", data={"csrf_token": token(client)})
    assert sent.status_code == 303
    assert client.get(f"/checks/{check}").status_code == 404


def test_deleting_a_signed_check_names_who_signed(client: FlaskClient) -> None:
    check = client.post("/api/checks", json={"claim": "Warsaw is signed and listed."}).json["id"]
    wait(client, check)
    client.post(f"/api/checks/{check}/decision", json={"label": "REFUTED", "author": "A <b>person"})
    page = client.get("/history?q=signed+and+listed").text
    assert (
        "and the verdict that <bdi>A &lt;b&gt;person</bdi> signed will be deleted. You can undo that for ten minutes."
        in page
    )
