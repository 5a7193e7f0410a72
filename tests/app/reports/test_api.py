"""From a text to a report over HTTP."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.app.conftest import token, wait
from tests.app.reports.waiting import wait_report
from tests.workbook import workbook

ARTICLE = (
    "Marie Curie was a physicist. She was born in Warsaw.\n\nWas she not great? "
    "Warsaw is the capital of Poland. Marie Curie was a physicist."
)


def test_a_text_becomes_a_report(client: FlaskClient) -> None:
    found = client.post("/api/texts", json={"text": ARTICLE})
    assert found.status_code == 200
    assert found.json["language"] == "en"
    claims = found.json["claims"]
    assert [claim["chosen"] for claim in claims] == [True, True, False, True, True]
    assert all(ARTICLE[claim["start"] : claim["end"]] == claim["original"] for claim in claims)
    body = {"text_id": found.json["id"], "claims": [claim for claim in claims if claim["chosen"]]}
    created = client.post("/api/reports", json=body)
    assert created.status_code == 202
    assert created.json["url"] == f"/reports/{created.json['id']}"
    report = wait_report(client, created.json["id"])
    assert (report["state"], report["total"], report["done"]) == ("done", 4, 4)
    assert report["counts"] == {"SUPPORTED": 4, "REFUTED": 0, "NOT_ENOUGH_EVIDENCE": 0, "CONFLICTING": 0}
    assert report["text"] == ARTICLE
    assert report["title"] == "Marie Curie was a physicist.", "its first sentence, as it has no headline"
    first, *_, again = report["claims"]
    assert first["check_id"] == again["check_id"], "what is said twice is checked once"
    check = client.get(f"/api/checks/{first['check_id']}").json
    assert (check["state"], check["claim"]) == ("done", "Marie Curie was a physicist.")
    assert report["corpus"]["fingerprint"] == "f" * 16
    assert report["models"]
    assert first["check_id"] not in [one["id"] for one in client.get("/api/checks?limit=100").json["checks"]]


def test_a_report_is_renamed(client: FlaskClient) -> None:
    path = f"/api/reports/{client.post('/api/reports', json={'claims': ['Warsaw is a city.']}).json['id']}"
    assert client.patch(path, json={"title": " The  speech "}).json["title"] == "The speech"
    assert client.patch(path, json={}).json["title"] == "The speech"
    assert client.patch(path, json={"title": ""}).json["title"] == "The speech"
    assert "The speech" in client.get("/reports").text
    assert client.patch("/api/reports/0123", json={"title": "A title"}).status_code == 404


def test_claims_of_a_text_that_were_checked_before(client: FlaskClient) -> None:
    first = client.post("/api/checks", json={"claim": "Bees make honey from nectar."}).json["id"]
    wait(client, first)
    sent = client.post("/api/texts", json={"text": "Bees make honey from nectar. Do they? Rome is in Italy."}).json
    known, question, other = (claim["before"] for claim in sent["claims"])
    assert (known["id"], known["url"], known["against"]) == (first, f"/checks/{first}", "")
    assert known["claim"] == "Bees make honey from nectar."
    assert known["verdict"]["label"] == "SUPPORTED"
    assert question is other is None
    path = f"/api/texts/{sent['id']}"
    assert client.get(path).json["claims"] == sent["claims"]
    for against in ("upload:0", "%00"):
        assert not any(claim["before"] for claim in client.get(f"{path}?against={against}").json["claims"])
    assert client.get(f"{path}?against=" + "%2B".join("abcdefghijkl")).status_code == 422


def test_a_report_of_bare_claims(client: FlaskClient) -> None:
    created = client.post("/api/reports", json={"claims": ["Warsaw lies on the Vistula.", {"text": "x" * 501}]})
    report = wait_report(client, created.json["id"])
    assert [claim["state"] for claim in report["claims"]] == ["done", "failed"]
    assert "at most 500" in report["claims"][1]["error"]
    assert report["failed"] == 1


def test_the_context_of_a_claim_goes_along(client: FlaskClient) -> None:
    claims = [{"text": "She was born in 1867.", "context": "Marie Curie"}, {"text": "Warsaw is a city."}]
    report = wait_report(client, client.post("/api/reports", json={"claims": claims}).json["id"])
    checks = client.application.extensions["esoteric"].checks
    kept = [checks.get(claim["check_id"]).complete.claim.context for claim in report["claims"]]
    assert kept == ["Marie Curie", ""]
    found = client.post("/api/checks", json={"claim": "She was born in 1867."}).json
    assert not found["earlier"], "an answer with a context is no answer to the bare claim"


def test_a_file_becomes_claims(client: FlaskClient) -> None:
    sent = client.post("/api/texts", data={"file": (io.BytesIO(ARTICLE.encode()), "article.md")})
    assert sent.status_code == 200, sent.text
    assert len(sent.json["claims"]) == 5
    assert client.get(f"/api/texts/{sent.json['id']}").json["claims"] == sent.json["claims"]
    assert client.delete(f"/api/texts/{sent.json['id']}").status_code == 204
    assert client.get(f"/api/texts/{sent.json['id']}").status_code == 404


TABLE = "no,said by,claim\n1,Ada,Warsaw lies on the Vistula.\n2,Bo,\n3,Bo,Marie Curie was a physicist.\n"


@pytest.mark.parametrize(
    ("name", "column", "claims"),
    [
        ("claims.csv", "", ["Warsaw lies on the Vistula.", "Marie Curie was a physicist."]),
        ("claims.csv", "claim", ["Warsaw lies on the Vistula.", "Marie Curie was a physicist."]),
        ("claims.tsv", "2", ["Ada", "Bo", "Bo"]),
        ("claims.xlsx", "", ["Warsaw lies on the Vistula.", "Marie Curie was a physicist."]),
    ],
)
def test_a_table_becomes_claims(client: FlaskClient, name: str, column: str, claims: list[str]) -> None:
    content = TABLE.replace(",", "\t" if name.endswith("tsv") else ",").encode()
    if name.endswith("xlsx"):
        content = workbook(Claims=[line.split(",") for line in TABLE.splitlines()])
    sent = client.post("/api/texts", data={"file": (io.BytesIO(content), name), "column": column})
    assert sent.status_code == 200, sent.text
    assert [claim["text"] for claim in sent.json["claims"]] == claims
    assert all(claim["chosen"] and claim["kind"] == "claim" for claim in sent.json["claims"])
    below = "\n".join(claims)
    assert all(below[claim["start"] : claim["end"]] == claim["original"] for claim in sent.json["claims"])
    assert "Each filled cell of the column is a claim." in client.get(sent.json["url"]).text
    report = wait_report(client, client.post("/api/reports", json={"text_id": sent.json["id"]}).json["id"])
    assert [claim["text"] for claim in report["claims"]] == claims
    assert (report["title"], report["text"]) == ("claims", ""), "a table is not shown as a text"


@pytest.mark.parametrize(
    ("content", "column", "words"),
    [
        (TABLE, "nothing", "no column 'nothing'"),
        (TABLE, "9", "no column '9'"),
        ("a,claim\nb,\n", "claim", "is empty"),
        ("", "", "holds no claims"),
        ("claim\n" + "Something is so.\n" * 2001, "", "has 2,001 rows"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(client: FlaskClient, content: str, column: str, words: str) -> None:
    sent = {"file": (io.BytesIO(content.encode()), "claims.csv"), "column": column}
    refused = client.post("/api/texts", data=sent)
    assert refused.status_code == 422
    assert words in refused.json["detail"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 422, "claims are missing"),
        ({"claims": []}, 422, "no claim to check"),
        ({"claims": [{"text": 1}]}, 422, "“claims[0].text” should be a valid string."),
        ({"claims": ["a b", 3]}, 422, "“claims[1]” has none of its possible types."),
        ({"claims": ["a b"] * 2001}, 422, "at most 2,000 claims"),
        ({"claims": ["a b"], "recipe": "nothing"}, 422, "no recipe"),
        ({"claims": ["a b"], "against": "upload:none"}, 404, "deleted"),
        ({"claims": ["a b"], "text_id": "none"}, 404, "no text with this id"),
        ({"claims": ["a b"], "title": 3}, 422, "“title” should be a valid string"),
        ({"claims": [{"text": "a b", "start": 3, "end": 900}], "text": "a b c d."}, 422, "are outside the text"),
        ({"claims": ["a b"], "text": "a" * 100_001}, 422, "at most 100,000"),
    ],
)
def test_what_cannot_be_a_report_is_refused_in_a_sentence(
    client: FlaskClient, body: dict[str, Any], status: int, words: str
) -> None:
    refused = client.post("/api/reports", json=body)
    assert refused.status_code == status
    assert refused.content_type == "application/problem+json"
    assert words in refused.json["detail"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no text"),
        ("a" * 100_001, "at most 100,000"),
        ("Der Mann ist nicht mit der Frau in die Stadt gegangen, und das ist auch gut so für sie alle.", "not English"),
        ("1234 5678", "There is no text"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_in_a_sentence(client: FlaskClient, text: str, words: str) -> None:
    refused = client.post("/api/texts", json={"text": text})
    assert refused.status_code == 422
    assert words in refused.json["detail"]


def test_the_form_takes_a_text_and_leads_to_its_report(client: FlaskClient) -> None:
    sent = client.post("/checks", data={"claim": ARTICLE, "csrf_token": token(client)})
    assert sent.status_code == 303
    assert "/texts/" in sent.location
    page = client.get(sent.location).text
    assert "This is a text of" in page
    assert "Check 3 claims" in page, "the claim that stands there twice is folded"
    form = {"csrf_token": token(client), "chosen": ["0", "2"], "claim-2": "Marie Curie was great.", "title": "Of Curie"}
    made = client.post(f"{sent.location.partition('?')[0]}/report", data=form)
    assert made.status_code == 303
    report = wait_report(client, made.location.rpartition("/")[2])
    assert [claim["text"] for claim in report["claims"]] == ["Marie Curie was a physicist.", "Marie Curie was great."]
    assert report["claims"][1]["original"] == "Was she not great?"
    shown = client.get(made.location).text
    assert "<title>Of Curie – Report" in shown
    assert shown.count('class="checked supports"') == 2
    assert "Of Curie" in client.get("/reports").text
    assert "Of Curie" in client.get("/reports?q=curie+was+GREAT").text
    assert "No report contains" in client.get("/reports?q=elephant").text


def test_one_claim_stays_a_claim(client: FlaskClient) -> None:
    for claim in ("Marie Curie was born in Warsaw.", "Dr. Curie lived there, at No. 5."):
        assert "/checks/" in client.post("/checks", data={"claim": claim, "csrf_token": token(client)}).location
    form = {"claim": "He ran a lot. She swam a lot.", "as": "claim", "csrf_token": token(client)}
    assert "/checks/" in client.post("/checks", data=form).location


def test_nothing_chosen_is_said_on_the_review(client: FlaskClient) -> None:
    text_id = client.post("/api/texts", json={"text": ARTICLE}).json["id"]
    refused = client.post(f"/texts/{text_id}/report", data={"csrf_token": token(client)})
    assert refused.status_code == 422
    assert "Choose at least one sentence" in refused.text


def test_a_report_is_found_and_deleted_with_its_checks(app: Flask, client: FlaskClient) -> None:
    report_id = client.post("/api/reports", json={"claims": ["To be deleted soon."], "title": "Gone"}).json["id"]
    check_id = wait_report(client, report_id)["claims"][0]["check_id"]
    assert (
        client.post(f"/reports/{report_id}/title", data={"title": "New", "csrf_token": token(client)}).status_code
        == 303
    )
    assert client.get(f"/api/reports/{report_id}").json["title"] == "New"
    assert client.delete(f"/api/reports/{report_id}").status_code == 204
    for path in (f"/api/reports/{report_id}", f"/reports/{report_id}", f"/api/checks/{check_id}"):
        assert client.get(path).status_code == 404, path
