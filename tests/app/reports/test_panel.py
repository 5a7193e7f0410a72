"""Claims of a report signed one after the other, beside their sentences."""

from __future__ import annotations

import re
from typing import Any

from flask.testing import FlaskClient

from tests.app.conftest import token
from tests.app.reports.waiting import wait_report


def test_a_verdict_signed_in_the_panel_leads_to_the_next_that_is_not(client: FlaskClient) -> None:
    """Past those that nobody can sign, with the table's filters; what is refused is shown there."""
    claims = ["Panel one.", "x" * 501, "Panel two.", "Panel three."]
    report_id = client.post("/api/reports", json={"claims": claims, "text": " ".join(claims)}).json["id"]
    checks = [claim["check_id"] for claim in wait_report(client, report_id)["claims"]]

    def send(number: int, **more: str) -> Any:
        form = {"csrf_token": token(client), "report": report_id, "number": number, "panel": "yes", "label": "REFUTED"}
        return client.post(f"/checks/{checks[number - 1]}/decision?sort=verdict", data=form | {"seen": "0"} | more)

    refused = send(1, note="Kept.", author="")
    assert (refused.status_code, "Your name is missing" in refused.text) == (422, True)
    assert 'value="Kept."' in refused.text
    assert 'id="panel"' in refused.text
    client.post(f"/checks/{checks[2]}/delete", data={"csrf_token": token(client)})
    follows = [send(number, author="Ada").location for number in (2, 1, 4)]
    address = f"/reports/{report_id}?sort=verdict&claim="
    assert follows == [f"{address}{number}#sentence-{number}" for number in (4, 4, 4)]
    assert re.search(r'id="author"[^>]* value="Ada"', client.get(f"/reports/{report_id}?claim=4").text), "remembered"


def test_a_report_of_claims_alone_opens_them_below_their_rows(client: FlaskClient) -> None:
    """One that a filter leaves out too; signing goes on in the order of the rows."""
    claims = ["Row one.", "Row two.", "Row three."]
    report_id = client.post("/api/reports", json={"claims": claims}).json["id"]
    checks = [claim["check_id"] for claim in wait_report(client, report_id)["claims"]]
    at = f"/reports/{report_id}"
    opened = client.get(f"{at}?claim=2&verdict=failed")
    assert re.findall(r'class="opens" id="sentence-(\d)"', opened.text) == ["2"]
    assert 'id="panel-claim" dir="auto">Row two.</h3>' in opened.text
    alone = client.get(f"{at}/claims/3/panel?sort=verdict")
    assert f'href="{at}?sort=verdict#sentence-3">Close' in alone.text
    assert client.get(f"{at}?claim=9", follow_redirects=True).status_code == 404
    form = {"csrf_token": token(client), "report": report_id, "number": 2, "panel": "yes", "label": "REFUTED"}
    signed = client.post(f"/checks/{checks[1]}/decision?verdict=undecided", data=form | {"seen": "0", "author": "Ada"})
    assert signed.location == f"{at}?verdict=undecided&claim=3#sentence-3"


def test_signing_goes_on_below_in_the_rows_as_they_were_seen(client: FlaskClient) -> None:
    """What is refuted moves to the top; the next claim is still the one that stood below it."""
    report_id = client.post("/api/reports", json={"claims": ["Seen one.", "Seen two.", "Seen three."]}).json["id"]
    checks = [claim["check_id"] for claim in wait_report(client, report_id)["claims"]]
    form = {"csrf_token": token(client), "report": report_id, "number": 2, "panel": "yes", "label": "REFUTED"}
    signed = client.post(f"/checks/{checks[1]}/decision", data=form | {"seen": "0", "author": "Ada"})
    assert signed.location == f"/reports/{report_id}?claim=3#sentence-3"
    assert re.findall(r'<tr id="claim-(\d)"', client.get(signed.location).text) == ["2", "1", "3"]
