"""The OpenAPI document: complete, true of what is answered, and nothing else is answered."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.checks import forms
from app.collections.forms import CollectionItems
from app.corpora.forms import CorpusList
from app.documents.forms import DocumentsList
from app.reports.forms import ReportForm, ReportList
from app.texts.forms import TextForm
from retrieval.output.forms import Form
from tests.app.conftest import CLAIM
from tests.app.fake import PAGES
from tests.app.process import Server, free_port

Check = Callable[..., dict[str, Any]]


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/api/openapi.json")
    assert answer.content_type == "application/json"
    return dict(answer.json)


def test_every_route_of_the_api_is_described(app: Flask, document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    routes = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")]
    assert len(routes) > 5
    for rule in routes:
        path = re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule.rule)
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            operation = document["paths"][path][method.lower()]
            assert operation["summary"].endswith("."), path
            done = [answer for status, answer in operation["responses"].items() if status < "400"]
            assert done, f"{method} {path}: put `described(...)` under its route"
            assert "500" in operation["responses"]


def test_every_error_is_a_problem(document: dict[str, Any]) -> None:
    for path, operations in document["paths"].items():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if status >= "400":
                    form = answer["content"]["application/problem+json"]["schema"]
                    assert form == {"$ref": "#/components/schemas/ProblemForm"}, path


def test_what_a_file_is_its_name_says(document: dict[str, Any]) -> None:
    for path in ("/api/texts", "/api/tables"):
        form = document["paths"][path]["post"]["requestBody"]["content"]["multipart/form-data"]
        example = form["encoding"]["file"]["headers"]["Content-Disposition"]["example"]
        assert example == 'form-data; name="file"; filename="claims.csv"'
    texts = document["components"]["schemas"]["NewTextFile"]["properties"]
    assert "column" in texts
    assert ".xlsx" in document["components"]["schemas"]["NewTextFile"]["description"]


def test_answers_have_the_fields_that_are_described_and_no_others(client: FlaskClient, check: Check) -> None:
    checked = client.patch(f"/api/checks/{check(CLAIM)['id']}", json={"name": "A name"}).json["id"]
    report = client.post("/api/reports", json={"claims": [CLAIM]}).json["id"]
    text = client.post("/api/texts", json={"text": CLAIM}).json["id"]
    collection = client.post("/api/collections", json={"name": "Filed"}).json["id"]
    client.post(f"/api/collections/{collection}/items", json={"kind": "check", "id": checked})
    described: dict[str, type[Form]] = {
        f"checks/{checked}": forms.CheckForm,
        "checks": forms.CheckList,
        f"reports/{report}": ReportForm,
        "reports": ReportList,
        f"texts/{text}": TextForm,
        f"collections/{collection}": CollectionItems,
        "documents": DocumentsList,
        "corpora": CorpusList,
    }
    for path, form in described.items():
        answer = client.get(f"/api/{path}").json
        assert form.model_validate(answer).as_json() == answer, path
    corpus = {"name": "Sample", "fingerprint": "f" * 16, "pages": len(PAGES)}
    assert client.get(f"/api/reports/{report}").json["corpus"] == corpus


def test_people_can_read_it(client: FlaskClient, document: dict[str, Any]) -> None:
    page = client.get("/about/api").text
    for path in document["paths"]:
        assert path in page
    assert "<script" not in page
    assert "`" not in page
    assert "curl -H" in page
    assert "/about/api" in client.get("/about").text


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    port = free_port()
    server = Server("-m", "tests.app.fake_server", str(tmp_path_factory.mktemp("data")), str(port), port=port)
    server.start("/readyz")
    yield server
    server.close()


@pytest.mark.slow
def test_nothing_but_documented_answers(server: Server, tmp_path: Path) -> None:
    """Schemathesis asks a live server what the document allows and what it forbids, in turn and in sequences.

    Left out: that all that fits the forms is accepted. A claim needs words, which no schema says; 422 then does.
    """
    server.wait(server.submit(CLAIM), lambda check: check["state"] == "done")
    asking = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"{server.address}/api/openapi.json", "--no-color"),
        *("--seed", "1", "--generation-deterministic", "--max-examples", "5", "--request-timeout", "30"),
        *("--exclude-checks", "positive_data_acceptance", "--continue-on-failure"),
    ]
    ended = subprocess.run(asking, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "COLUMNS": "120"})
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Stateful" in ended.stdout
