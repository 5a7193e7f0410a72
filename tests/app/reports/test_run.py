"""A report at work: behind single claims, stopped and taken up again, killed at any moment, of 2,000 claims."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from app.tables.checks import table as checks
from app.tables.reports import MOST_CLAIMS, WINDOW, claims
from retrieval.settings import Settings
from tests.app.conftest import token, wait, working_app
from tests.app.fake import STAGES, FakeResources
from tests.app.gate import Gate
from tests.app.process import Server, free_port
from tests.app.reports.waiting import wait_report
from tests.waiting import waits

AT = STAGES[1]
MANY = 40  # claims: more than a window


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> FakeResources:
    return FakeResources(tmp_path_factory.mktemp("gate"))


@pytest.fixture(scope="module")
def app(data: Path, resources: FakeResources, database: str) -> Iterator[Flask]:
    yield from working_app(Settings(data=data, database=database, queue_limit=4, workers=1), resources)


@pytest.mark.slow
def test_a_single_claim_goes_before_a_report_and_the_queue_stays_free(app: Flask, gate: Gate) -> None:
    client = app.test_client()
    report_id = client.post("/api/reports", json={"claims": [f"Claim {n} waits." for n in range(MANY)]}).json["id"]
    single = client.post("/api/checks", json={"claim": "A single claim."})
    assert single.status_code == 202, "a report takes none of the places of the queue"
    with app.extensions["esoteric"].checks.engine.connect() as connection:
        made = connection.execute(sa.select(sa.func.count()).where(checks.c.report == report_id)).scalar_one()
    assert made == WINDOW
    assert client.get(f"/api/checks/{single.json['id']}").json["waiting_before"] <= 1
    gate.open()
    wait(client, single.json["id"])
    assert client.get(f"/api/reports/{report_id}?claims=no").json["done"] < MANY
    report = wait_report(client, report_id)
    assert (report["done"], report["counts"]["SUPPORTED"]) == (MANY, MANY)
    assert len({claim["check_id"] for claim in report["claims"]}) == MANY


def test_a_stopped_report_checks_the_rest_later(app: Flask, gate: Gate) -> None:
    client = app.test_client()
    report_id = client.post("/api/reports", json={"claims": [f"Rest {n} later." for n in range(3)]}).json["id"]
    stopped = client.post(f"/api/reports/{report_id}/cancel").json
    assert (stopped["state"], stopped["done"]) == ("cancelled", 0)
    assert {claim["state"] for claim in stopped["claims"]} == {"cancelled"}
    assert "Check the remaining 3" in client.get(f"/reports/{report_id}").text
    assert "was stopped" in client.get(f"/reports/{report_id}/claims/1").text
    assert client.get(f"/reports/{report_id}.md").text.count("Machine: Cancelled\n") == 3
    assert client.get(f"/reports/{report_id}.html").text.count("Machine:</span> Cancelled</p>") == 3
    gate.open()
    client.post(f"/api/reports/{report_id}/resume")
    assert wait_report(client, report_id)["done"] == 3


def test_what_has_not_ended_cannot_be_decided(app: Flask, gate: Gate) -> None:
    """The same answer to a form and to a program; what was cancelled never ends."""
    client = app.test_client()
    check_id = client.post("/api/checks", json={"claim": "Nobody decides about this yet."}).json["id"]
    form = {"label": "REFUTED", "author": "Ada", "csrf_token": token(client)}
    for state in ("running", "cancelled"):
        wait(client, check_id, (state,))
        said = f"This check is {state}, and you can decide only about one that is done or has failed."
        refused = client.post(f"/api/checks/{check_id}/decision", json={"label": "REFUTED", "author": "Ada"})
        assert (refused.status_code, refused.content_type) == (409, "application/problem+json")
        assert said in refused.json["detail"]
        page = client.post(f"/checks/{check_id}/decision", data=form)
        assert (page.status_code, said in page.text) == (409, True)
        assert "Your verdict" not in client.get(f"/checks/{check_id}").text
        client.post(f"/api/checks/{check_id}/cancel")
    assert client.get(f"/api/checks/{check_id}").json["decisions"] == []


def test_what_failed_is_a_row_and_can_be_tried_again(app: Flask, resources: FakeResources) -> None:
    client = app.test_client()
    report_id = client.post("/api/reports", json={"claims": ["Let it explode.", "Fine."]}).json["id"]
    report = wait_report(client, report_id)
    assert [claim["state"] for claim in report["claims"]] == ["failed", "done"]
    assert "Something went wrong" in report["claims"][0]["error"]
    assert "Try the 1 again" in client.get(f"/reports/{report_id}").text
    again = client.post(f"/api/reports/{report_id}/resume").json
    assert again["state"] == "running"
    after = wait_report(client, report_id)
    assert after["claims"][1]["check_id"] == report["claims"][1]["check_id"], "what is done is not done again"
    assert after["claims"][0]["check_id"] != report["claims"][0]["check_id"]


def test_a_deleted_check_leaves_its_row(app: Flask) -> None:
    client = app.test_client()
    report_id = client.post("/api/reports", json={"claims": ["Deleted alone."]}).json["id"]
    check_id = wait_report(client, report_id)["claims"][0]["check_id"]
    app.extensions["esoteric"].retention.delete_check(check_id)
    (row,) = client.get(f"/api/reports/{report_id}").json["claims"]
    assert (row["state"], row["error"]) == ("failed", "This check was deleted.")


@pytest.mark.slow
def test_death_at_any_moment_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Killed between its checks and within them, again and again; a text that was being read is read again."""
    port, gate = free_port(), Gate(tmp_path / "gate")
    server = Server("-m", "tests.app.fake_server", str(tmp_path / "data"), str(port), str(gate.folder), port=port)
    text = " ".join(f"Number {n} was counted here." for n in range(MANY))
    try:
        gate.close("finding claims")
        server.start()
        sent = server.client.post("/api/texts", json={"text": text + " " * 20_000})
        assert (sent.status_code, sent.json()["state"]) == (202, "reading")
        server.kill()
        gate.open()
        server.start()
        found = until(server, f"/api/texts/{sent.json()['id']}", "ready")
        assert len(found["claims"]) == MANY
        gate.close(STAGES[0])
        report_id = server.client.post("/api/reports", json={"text_id": found["id"]}).json()["id"]
        for stage in (STAGES[2], STAGES[4]):
            before = server.client.get(f"/api/reports/{report_id}?claims=no").json()["done"]
            gate.open()
            until(server, f"/api/reports/{report_id}?claims=no", before + 2, "done")
            gate.close(stage)
            server.kill()
            server.start()
        gate.open()
        report = until(server, f"/api/reports/{report_id}", "done")
        assert [claim["text"] for claim in report["claims"]] == [claim["text"] for claim in found["claims"]]
        assert {claim["state"] for claim in report["claims"]} == {"done"}
        assert len({claim["check_id"] for claim in report["claims"]}) == MANY
        ended = Counter(claim for _, claim in gate.went(STAGES[-1]))
        assert set(ended) == {claim["text"] for claim in report["claims"]}
    finally:
        server.close()


def until(server: Server, path: str, wanted: object, name: str = "state", limit: float = 60) -> dict:  # type: ignore[type-arg]
    """What the address tells as soon as this field is so, or as much."""
    for late in waits(limit):
        told: dict[str, object] = server.client.get(path).json()
        if told[name] == wanted or (isinstance(wanted, int) and int(str(told[name])) >= wanted):
            return told
        assert not late, told


def test_the_page_of_two_thousand_claims_is_quick_and_holds_every_one(tmp_path: Path) -> None:
    for app in working_app(Settings(data=tmp_path, workers=0), FakeResources()):
        client = app.test_client()
        sentences = [f"This is claim number {n} of an article." for n in range(MOST_CLAIMS)]
        body = {"text": " ".join(sentences), "claims": sentences}
        report_id = client.post("/api/reports", json=body).json["id"]
        with app.extensions["esoteric"].checks.engine.begin() as connection:
            fill(connection, report_id)
        took = []
        for _ in range(3):
            began = time.process_time()
            page = client.get(f"/reports/{report_id}")
            took.append(time.process_time() - began)
        assert page.status_code == 200
        assert all(f">{sentence}</a>" in page.text for sentence in sentences)
        assert page.text.count('class="checked') == MOST_CLAIMS
        assert min(took) < 1.0, "300 ms on an idle machine; a busy one may take three times that"
        print(f"{min(took) * 1000:.0f} ms of a processor, {len(page.data):,} bytes")


def fill(connection: sa.Connection, report_id: str) -> None:
    """All of its checks done."""
    connection.execute(sa.delete(checks))
    labels = ("SUPPORTED", "REFUTED", "NOT_ENOUGH_EVIDENCE", "CONFLICTING")
    row = {"claim": "x", "folded": "x", "recipe": "fast", "state": "done", "stages": "[]", "error": "", "attempts": 1}
    rows = [
        {**row, "id": f"id{n}", "report": report_id, "label": labels[n % 4], "confidence": 0.5, "abstained": False,
         "created": "2026-11-21T10:00:00.000Z", "finished": "2026-11-21T10:00:01.000Z"}
        for n in range(MOST_CLAIMS)
    ]  # fmt: skip
    connection.execute(sa.insert(checks), rows)
    connection.execute(
        sa.update(claims).values(check_id=sa.literal("id").concat(sa.cast(claims.c.position, sa.String)))
    )
