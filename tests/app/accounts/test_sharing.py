"""What is shared from the start, and what is shared or made private later: by the pages and over HTTP."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient

from app.accounts.service import Accounts
from tests.app.accounts.conftest import SignIn, post
from tests.app.accounts.test_ownership import report, started, uploaded
from tests.app.conftest import token

TEXT = "Marie Curie was a physicist. She was born in Warsaw."
TABLE = b"no,claim\n1,Warsaw lies on the Vistula.\n2,Marie Curie was a physicist.\n"


def ask(client: FlaskClient, shared: str, **form: object) -> str:
    """Where the home page's form leads."""
    answer = client.post("/checks", data={"csrf_token": token(client, "/account"), "shared": shared, **form})
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def seen(client: FlaskClient, location: str) -> bool:
    return client.get(location).status_code == 200


BOX = '<input type="checkbox" id="shared" name="shared" value="1"'


@pytest.mark.parametrize("shared", ["1", ""])
def test_the_box_on_the_home_page_reaches_the_report_of_a_text(sign_in: SignIn, shared: str) -> None:
    chen, dora = sign_in("chen"), sign_in("dora")
    review = ask(chen, shared, claim=TEXT)
    page = chen.get(review).text
    assert (f"{BOX} checked>" in page) is bool(shared)
    assert page.count('<input type="hidden" name="shared" value="1">') == (
        1 if shared else 0
    )  # "Choose again" is of the same form
    path = f"{review.partition('?')[0]}/report"
    made = post(chen, path, chosen="0", shared=shared).location
    assert seen(chen, made)
    assert seen(dora, made) is bool(shared)
    assert chen.get(f"/api{made}").json["shared"] is bool(shared)


@pytest.mark.parametrize("shared", ["1", ""])
def test_the_box_on_the_home_page_reaches_the_report_of_a_table(sign_in: SignIn, shared: str) -> None:
    chen, dora = sign_in("chen"), sign_in("dora")
    table = ask(chen, shared, claim="", file=(io.BytesIO(TABLE), "claims.csv"))
    assert (f"{BOX} checked>" in chen.get(table).text) is bool(shared)
    made = post(chen, table.partition("?")[0], column="2", header="yes", shared=shared).location
    assert (seen(chen, made), seen(dora, made)) == (True, bool(shared))


def test_a_refused_claim_keeps_the_box(sign_in: SignIn) -> None:
    chen = sign_in("chen")
    assert f"{BOX}>" in chen.get("/").text
    refused = post(chen, "/checks", claim="", shared="1")
    assert refused.status_code == 422
    assert f"{BOX} checked>" in refused.text


def test_reports_are_shared_from_the_start_over_http(sign_in: SignIn) -> None:
    chen, dora = sign_in("chen"), sign_in("dora")
    shared, private = report(chen, "A claim.", shared=True), report(chen, "A claim.")
    inside = chen.get(f"/api/reports/{shared}").json["claims"][0]["check_id"]
    assert seen(dora, f"/api/reports/{shared}")
    assert seen(dora, f"/checks/{inside}")
    assert not seen(dora, f"/api/reports/{private}")
    table = chen.post("/api/tables", data={"file": (io.BytesIO(TABLE), "claims.csv")}).json["id"]
    made = chen.post(f"/api/tables/{table}/report", json={"column": "claim", "shared": True}).json["id"]
    assert seen(dora, f"/api/reports/{made}")


def test_sharing_and_making_private_over_http(sign_in: SignIn) -> None:
    chen, dora, rui = (sign_in(name) for name in ("chen", "dora", "rui"))
    own: Accounts = chen.application.extensions["accounts"]
    paths = [
        f"/api/checks/{started(chen, 'Chen shares this.')}",
        f"/api/reports/{report(chen, 'Chen shares that.')}",
        f"/api/documents/{uploaded(chen, 'shares')}",
    ]
    for path in paths:
        assert dora.patch(path, json={"shared": True}).status_code == 404
        changed = chen.patch(path, json={"shared": True})
        assert (changed.status_code, changed.json["shared"]) == (200, True), changed.text
        assert seen(dora, path)
        assert dora.patch(path, json={"shared": False}).status_code == 403
        assert rui.patch(path, json={"shared": False}).status_code == 403
        assert chen.patch(path, json={"shared": "no"}).status_code == 422
        assert chen.patch(path, json={"shared": False}).json["shared"] is False
        assert not seen(dora, path)
    told = {line.what for line in own.audit.since("") if line.about in {path.rpartition("/")[2] for path in paths}}
    assert {"shared a check or made it private", "shared documents or made them private", "changed a report"} <= told


def test_sharing_a_report_shares_its_checks(sign_in: SignIn) -> None:
    chen, dora = sign_in("chen"), sign_in("dora")
    own = report(chen, "A claim inside.")
    inside = chen.get(f"/api/reports/{own}").json["claims"][0]["check_id"]
    chen.patch(f"/api/reports/{own}", json={"shared": True})
    assert seen(dora, f"/api/checks/{inside}")
    chen.patch(f"/api/reports/{own}", json={"shared": False})
    assert not seen(dora, f"/api/checks/{inside}")
