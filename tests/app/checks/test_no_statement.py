"""What is no statement, in the browser and over HTTP: no verdict, the reason, and nothing looked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from retrieval.models.english.parser import english
from retrieval.models.english.reading import EnglishReading
from retrieval.pipeline import Pipeline
from retrieval.verdicts.reasons import NOTHING
from tests.app.fake import FakeResources

Check = Callable[..., dict[str, Any]]


class Reading(FakeResources):
    """The quick pipeline behind the program's own reading of claims."""

    def pipeline(self, recipe: str) -> Pipeline:
        made = super().pipeline(recipe)
        stages = [replace(stage, writes=("verdict",)) if stage.name == "verdict" else stage for stage in self.stages]
        return replace(made, stages=stages, reader=EnglishReading(english()))


@pytest.fixture(scope="module")
def resources() -> FakeResources:
    return Reading()


def test_an_opinion_is_named_on_every_page(client: FlaskClient, check: Check) -> None:
    shown = check("The song is beautiful.")
    assert (shown["state"], shown["verdict"], shown["no_verdict"], shown["stages"], shown["pages"]) == (
        "done",
        None,
        "opinion",
        [],
        [],
    )
    assert "This is an opinion" in shown["notes"][0]
    page = client.get(f"/checks/{shown['id']}").text
    assert "<strong>No verdict</strong>" in page
    assert "This is an opinion" in page
    assert NOTHING not in page
    assert "No verdict" in client.get("/history").text
    for kind in ("json", "md", "csv", "jsonld"):
        assert client.get(f"/checks/{shown['id']}.{kind}").status_code == 200


def test_a_question_is_only_searched(client: FlaskClient, check: Check) -> None:
    shown = check("Who built the Anchor Bridge?")
    assert (shown["verdict"], shown["no_verdict"]) == (None, "question")
    assert "verdict" not in {stage["name"] for stage in shown["stages"]}
    assert shown["stages"]
    assert all(stage["state"] == "done" for stage in shown["stages"])
    assert "This is a question" in client.get(f"/checks/{shown['id']}").text


def test_a_denial_tells_what_was_read(client: FlaskClient, check: Check) -> None:
    shown = check("Oslo is not the capital of Sweden.")
    assert (shown["claim"], shown["read_as"], shown["denial"]) == (
        "Oslo is not the capital of Sweden.",
        "Oslo is the capital of Sweden.",
        True,
    )
    assert "This is a denial" in client.get(f"/checks/{shown['id']}").text


def test_a_row_of_a_report_without_a_verdict(client: FlaskClient) -> None:
    from tests.app.reports.waiting import wait_report

    made = client.post(
        "/api/reports", json={"claims": [{"text": "The song is beautiful."}, {"text": "Oslo is a city."}]}
    )
    report = wait_report(client, made.json["id"])
    assert [claim["verdict"] is None for claim in report["claims"]] == [True, False]
    assert "No verdict" in client.get(f"/reports/{report['id']}").text
