"""What belongs to somebody is seen and changed by whom it should be, on both databases; and all of it is written down."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app.accounts.service import Accounts
from app.tables import audit
from app.tables.checks import Checks
from app.tables.checks import table as checks
from app.tables.database import open_engine
from app.tables.migrations import prepare_tables
from retrieval.settings import Settings
from tests.app.accounts.conftest import SignIn, made_token, post
from tests.app.conftest import wait
from tests.app.reports.waiting import wait_report
from tests.app.tables.test_old_tables import FIRST


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, database: str) -> Settings:
    data: Path = tmp_path_factory.mktemp("data")
    return Settings(data=data, database=database, accounts=True, login_limit=0)


def started(client: FlaskClient, claim: str, **body: Any) -> str:
    answer = client.post("/api/checks", json={"claim": claim, **body})
    assert answer.status_code == 202, answer.text
    wait(client, answer.json["id"])
    return str(answer.json["id"])


def listed(client: FlaskClient) -> set[str]:
    return {check["id"] for check in client.get("/api/checks?limit=100").json["checks"]}


def statuses(client: FlaskClient, check_id: str) -> set[int]:
    paths = [f"/checks/{check_id}", f"/api/checks/{check_id}", f"/api/checks?before={check_id}"]
    return {client.get(path).status_code for path in [*paths, *(f"/checks/{check_id}.{kind}" for kind in ("json", "md", "csv", "jsonld"))]}  # fmt: skip


def test_a_check_is_ones_own_until_it_is_shared(sign_in: SignIn) -> None:
    chen, dora, ada, rui = (sign_in(name) for name in ("chen", "dora", "ada", "rui"))
    own = started(chen, "Chen checks a claim.")
    assert own in listed(chen) & listed(ada)
    assert own not in listed(dora) | listed(rui)
    assert statuses(chen, own) == statuses(ada, own) == {200}
    assert statuses(dora, own) == statuses(rui, own) == {404}
    assert "Chen checks" not in dora.get("/history?q=Chen").text + dora.get("/").text
    assert "of 0 checks" not in dora.get("/history").text
    changes = [f"/checks/{own}/{change}" for change in ("delete", "cancel", "share", "name")]
    for path in changes:
        assert post(dora, path).status_code == 404
    assert dora.patch(f"/api/checks/{own}", json={"name": "Dora's"}).status_code == 404
    assert post(chen, f"/checks/{own}/share", shared="1").status_code == 303
    assert own in listed(dora) & listed(rui)
    assert "chen, shared" in dora.get("/history").text
    for path in changes:
        assert post(dora, path).status_code == 403
    assert dora.patch(f"/api/checks/{own}", json={"name": "Dora's"}).status_code == 403
    assert chen.patch(f"/api/checks/{own}", json={"name": "Chen's"}).json["name"] == "Chen's"
    for reader, form in ((dora, False), (rui, False), (chen, True), (ada, True)):
        page = reader.get(f"/checks/{own}").text
        assert "Named “<bdi>Chen&#39;s</bdi>”" in page
        assert ('id="naming"' in page) is form
    assert dora.post(f"/api/checks/{own}/cancel").status_code == 403
    assert dora.delete(f"/api/checks/{own}").status_code == 403
    assert f"/checks/{own}/delete" not in dora.get("/history").text
    assert post(chen, f"/checks/{own}/share", shared="0").status_code == 303
    assert statuses(dora, own) == {404}
    assert dora.delete(f"/api/checks/{own}").status_code == 404
    assert post(ada, f"/checks/{own}/delete").status_code == 303
    assert statuses(chen, own) == {404}


@pytest.mark.parametrize("kind", ["check", "report", "collection"])
def test_nobody_else_undoes_a_deletion(sign_in: SignIn, kind: str) -> None:
    """Shared, others are told that it is not theirs; private, that there is nothing."""
    chen, dora, ada = (sign_in(name) for name in ("chen", "dora", "ada"))
    body = {"check": {"claim": "Chen deletes this.", "fresh": True}, "report": {"claims": ["Chen deletes this too."]}}
    for shared in (True, False):
        sent = body.get(kind, {"name": f"Chen's, {shared}"}) | {"shared": shared}
        found = chen.post(f"/api/{kind}s", json=sent).json["id"]
        gone = chen.delete(f"/api/{kind}s/{found}")
        assert gone.status_code == 204
        listed = {"check": "history"}.get(kind, f"{kind}s")
        assert f"{found}/undo" not in dora.get(f"/{listed}?deleted={found}").text
        assert dora.post(gone.headers["Undo"]).status_code == (403 if shared else 404)
        assert post(dora, f"/deleted/{kind}/{found}/undo").status_code == (403 if shared else 404)
        assert f"{found}/undo" in chen.get(f"/{listed}?deleted={found}").text
        assert chen.post(gone.headers["Undo"]).status_code == 200
        assert chen.delete(f"/api/{kind}s/{found}").status_code == 204
        assert ada.post(gone.headers["Undo"]).status_code == 200, "an admin"


def test_an_earlier_answer_is_not_found_where_it_is_somebodys_own(sign_in: SignIn) -> None:
    chen, dora, claim = sign_in("chen"), sign_in("dora"), "Twice the same claim."
    first = started(chen, claim)
    assert started(chen, claim) == first
    theirs = started(dora, claim)
    assert theirs != first
    shared = started(dora, "Shared from the start.", shared=True)
    assert started(chen, "Shared from the start.") == shared


def test_readers_change_nothing(sign_in: SignIn) -> None:
    rui = sign_in("rui")
    assert rui.post("/api/checks", json={"claim": "A claim of Rui."}).status_code == 403
    assert post(rui, "/checks", claim="A claim of Rui.").status_code == 403
    files = {"files": (io.BytesIO(b"A document."), "a.txt")}
    assert rui.post("/api/documents", data=files).status_code == 403
    assert "<textarea" not in rui.get("/").text
    assert "may read" in rui.get("/documents").text
    assert post(rui, "/account/tokens", name="for reading").status_code == 200


def test_only_admins_delete_everything(sign_in: SignIn) -> None:
    assert post(sign_in("chen"), "/history/delete", sure="yes").status_code == 403
    assert "history/delete" not in sign_in("chen").get("/history").text


def uploaded(client: FlaskClient, name: str, **form: str) -> str:
    files = {"files": (io.BytesIO(b"Casablanca was directed by Michael Curtiz."), f"{name}.txt"), **form}
    answer = client.post("/api/documents", data=files)
    assert answer.status_code == 202, answer.text
    return str(answer.json["id"])


def test_uploads_belong_to_people_too(app: Flask, sign_in: SignIn) -> None:
    chen, dora = sign_in("chen"), sign_in("dora")
    own = uploaded(chen, "salaries")
    for client, seen in ((chen, True), (dora, False), (sign_in("ada"), True)):
        assert (client.get(f"/api/documents/{own}").status_code == 200) is seen
        assert ("salaries" in client.get("/documents").text) is seen
        assert (own in client.get("/api/documents").text) is seen
    against = {"claim": "Michael Curtiz directed Casablanca.", "against": f"upload:{own}"}
    refused, gone = (dora.post("/api/checks", json={**against, "against": a}) for a in (f"upload:{own}", "upload:0123"))
    assert (refused.status_code, refused.json["detail"]) == (404, gone.json["detail"])
    assert dora.delete(f"/api/documents/{own}").status_code == 404
    assert post(chen, f"/documents/{own}/share", shared="1").status_code == 303
    assert dora.get(f"/api/documents/{own}").status_code == 200
    assert dora.delete(f"/api/documents/{own}").status_code == 403
    assert "Delete salaries" not in dora.get("/documents").text
    assert chen.delete(f"/api/documents/{own}").status_code == 204
    shared = uploaded(chen, "shared", shared="1")
    assert dora.get(f"/api/documents/{shared}").status_code == 200


def report(client: FlaskClient, *claims: str, **body: Any) -> str:
    answer = client.post("/api/reports", json={"claims": list(claims), **body})
    assert answer.status_code == 202, answer.text
    report_id = str(answer.json["id"])
    wait_report(client, report_id)
    return report_id


def test_reports_belong_to_people_with_their_checks(sign_in: SignIn) -> None:
    chen, dora, ada = (sign_in(name) for name in ("chen", "dora", "ada"))
    own = report(chen, "A claim of a report.", "Another claim of it.", title="Chen's report")
    inside = chen.get(f"/api/reports/{own}").json["claims"][0]["check_id"]
    paths = (f"/reports/{own}", f"/api/reports/{own}", f"/checks/{inside}")
    for client, status in ((chen, 200), (ada, 200), (dora, 404)):
        assert {client.get(path, follow_redirects=True).status_code for path in paths} == {status}
        assert ("Chen&#39;s report" in client.get("/reports").text) is (status == 200)
        assert (own in client.get("/api/reports").text) is (status == 200)
    for change in ("cancel", "resume", "delete", "title", "share"):
        assert post(dora, f"/reports/{own}/{change}").status_code == 404
    assert post(chen, f"/reports/{own}/share", shared="1").status_code == 303
    assert {dora.get(path, follow_redirects=True).status_code for path in paths} == {200}
    for change in ("cancel", "resume", "delete", "title", "share"):
        assert post(dora, f"/reports/{own}/{change}").status_code == 403
    for change in ("cancel", "resume"):
        assert dora.post(f"/api/reports/{own}/{change}").status_code == 403
    assert dora.delete(f"/api/reports/{own}").status_code == 403
    decided = dora.post(f"/api/checks/{inside}/decision", json={"label": "REFUTED", "note": "", "author": "Chen"})
    assert [one["author"] for one in decided.json["decisions"]] == ["dora"]  # whoever she says she is
    refused = sign_in("rui").post(f"/api/checks/{inside}/decision", json={"label": "REFUTED", "author": "Rui"})
    assert refused.status_code == 403
    hidden = uploaded(chen, "hidden")
    asked = {"claims": ["A claim."], "against": f"corpus+upload:{hidden}"}
    assert dora.post("/api/reports", json=asked).status_code == 404
    assert chen.delete(f"/api/reports/{own}").status_code == 204


def test_texts_and_tables_are_their_givers_alone(app: Flask, sign_in: SignIn) -> None:
    chen, dora = sign_in("chen"), sign_in("dora")
    chens = app.extensions["accounts"].people.find("chen").id
    text = app.extensions["esoteric"].texts.add("A text of Chen.", "Chen's text", chens)
    read = {"columns": ["claim"], "rows": [["One claim."]], "total": 1, "header": True, "notes": []}
    table = app.extensions["esoteric"].claim_tables.add("chen.csv", read, chens)
    for path in (f"/api/texts/{text}", f"/api/tables/{table}"):
        assert dora.get(path).status_code == 404
        assert dora.delete(path).status_code == 404
        assert chen.delete(path).status_code == 204
    for path in (f"/texts/{text}/report", f"/texts/{text}/delete", f"/tables/{table}", f"/tables/{table}/delete"):
        assert post(dora, path).status_code == 404


def test_limits_count_by_person(app: Flask, sign_in: SignIn) -> None:
    engine = app.extensions["esoteric"].checks.engine
    own = started(sign_in("chen"), "Whose place is it?")
    with engine.connect() as connection:
        row = connection.execute(sa.select(checks).where(checks.c.id == own)).mappings().one()
    assert row["person"] == row["owner"] == app.extensions["accounts"].people.find("chen").id


def test_who_did_what_is_written_down_and_stays(app: Flask, sign_in: SignIn) -> None:
    own: Accounts = app.extensions["accounts"]
    chen = sign_in("chen")
    own_check = started(chen, "A claim for the log.")
    chen.get(f"/checks/{own_check}.csv")
    post(chen, f"/checks/{own_check}/share", shared="1")
    post(chen, f"/checks/{own_check}/name", name="A name for the log")
    chen.patch(f"/api/checks/{own_check}", json={"name": "A name for the log", "shared": True})
    bearer = {"Authorization": f"Bearer {made_token(chen, 'logged')}"}
    app.test_client().post(f"/api/checks/{own_check}/cancel", headers=bearer)
    post(sign_in("dora"), f"/checks/{own_check}/delete")  # refused: not in the log
    post(chen, f"/checks/{own_check}/delete")
    post(chen, "/sign-out")
    lines = [(line.what, line.about) for line in own.audit.since("") if line.who == "chen"][-10:]
    about = [what for what, about in lines if about == own_check]
    assert about == ["asked for a check", "exported a check", "shared a check or made it private", "named a check", "named a check, shared a check or made it private", "cancelled a check", "deleted a check"]  # fmt: skip
    assert [what for what, about in lines if about != own_check] == ["signed in", "made a token", "signed out"]
    assert "for the log" not in str(list(own.audit.since("")))
    assert list(own.audit.since("9999")) == []
    changes = (sa.update(audit.table).values(who="nobody"), sa.delete(audit.table))
    for change in changes:
        with pytest.raises(sa.exc.DBAPIError, match="only added to"), own.audit.engine.begin() as connection:
            connection.execute(change)


def test_rows_from_before_there_were_accounts_are_everybodys(tmp_path: Path, settings: Settings) -> None:
    engine = open_engine(replace(settings, data=tmp_path, database=""))
    with engine.begin() as connection:
        connection.exec_driver_sql(FIRST)
    prepare_tables(engine)
    table = Checks(engine)
    old = table.add("An old claim.", "fast", 5)
    people = Accounts.of(engine, settings).people
    rui, ada = people.add("rui", "reader"), people.add("ada", "admin")
    assert [found.id for found in table.latest(5, viewer=rui)] == [old]
    row = table.get(old)
    assert row is not None
    from app.tables.ownership import may_change, may_see

    assert (may_see(row, rui), may_change(row, rui), may_change(row, ada), may_change(row, None)) == (True, False, True, True)  # fmt: skip
    engine.dispose()


def test_collections_belong_to_people_and_show_nobody_what_is_private(sign_in: SignIn) -> None:
    chen, dora, rui = (sign_in(name) for name in ("chen", "dora", "rui"))
    private, open_ = started(chen, "Chen files a secret."), started(chen, "Chen files a claim.", shared=True)
    own = chen.post("/api/collections", json={"name": "Chen's"}).json["id"]
    theirs = dora.post("/api/collections", json={"name": "Chen's"}).json["id"]  # another person's name is free
    for check_id in (private, open_):
        sent = chen.post(f"/api/collections/{own}/items", json={"kind": "check", "id": check_id})
        assert sent.status_code == 200, sent.text
    assert dora.get(f"/api/collections/{own}").status_code == dora.get(f"/collections/{own}").status_code == 404
    assert own not in dora.get("/collections").text
    assert dora.post(f"/api/collections/{theirs}/items", json={"kind": "check", "id": private}).status_code == 404
    assert post(chen, f"/collections/{own}/share", shared="1").status_code == 303
    seen = dora.get(f"/api/collections/{own}").json
    assert ([one["id"] for one in seen["items"]], seen["checks"]) == ([open_], 1)
    assert "chen, shared" in dora.get("/collections").text
    for change in ("rename", "delete", "share", "take-out"):
        assert post(dora, f"/collections/{own}/{change}", kind="check", id=open_).status_code == 403
    assert dora.delete(f"/api/collections/{own}/items/check/{open_}").status_code == 403
    assert dora.patch(f"/api/collections/{own}", json={"name": "Mine"}).status_code == 403
    assert own not in dora.get(f"/checks/{open_}").text.split('id="collection"')[1]
    assert rui.post("/api/collections", json={"name": "Rui's"}).status_code == 403
    assert "/collections/file" not in rui.get(f"/checks/{open_}").text
