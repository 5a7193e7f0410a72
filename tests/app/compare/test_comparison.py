"""What several checks of a claim have in common, and where they differ."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from flask.testing import FlaskClient

from app.compare.service import compare, differences
from app.tables.stored_check import DONE, RUNNING, StoredCheck
from retrieval.types import Claim, Evidence, FactCheck, Label, Stance, Verdict
from retrieval.verdicts.reasons import ONE_SOURCE
from tests.app.conftest import token, wait
from tests.app.fake import PAGES

SENTENCES = [sentence for page in PAGES[:2] for sentence in page.sentences()]


def checked(label: Label | None, *lines: int) -> StoredCheck:
    evidence = tuple(Evidence(SENTENCES[n], 0.5, Stance(0.7, 0.2, 0.1), "claim") for n in lines)
    verdict = Verdict(label, MappingProxyType({label: 0.9}), "Because.", "fake") if label else None
    row: dict[str, Any] = dict.fromkeys(StoredCheck.__dataclass_fields__, None)
    stored = StoredCheck(**{**row, "id": "1", "claim": "It is so.", "state": DONE if label else RUNNING, "pages": {}})
    stored.__dict__["complete"] = FactCheck(Claim("1", "It is so."), "fast", evidence=evidence, verdict=verdict)
    return stored


def test_verdicts_and_sentences_that_differ_are_marked() -> None:
    checks = [checked(Label.SUPPORTED, 0, 1), checked(Label.REFUTED, 1, 2), checked(None)]
    one, two, running = compare(checks, ["A", "B", "C"])
    assert (one.differs, two.differs, running.differs) == (True, True, False)
    assert [(cited.only, cited.also) for cited in one.sentences] == [(True, ()), (False, ("B",))]
    assert [(cited.only, cited.also) for cited in two.sentences] == [(False, ("A",)), (True, ())]
    assert [cited.common for cited in (*one.sentences, *two.sentences)] == [False, True, True, False]
    assert differences([one, two, running]) == (
        "They differ: “Supported” by A; “Refuted” by B. Both cite 1 of the 3 sentences."
    )


def test_checks_that_agree() -> None:
    columns = compare([checked(Label.SUPPORTED, 0), checked(Label.SUPPORTED, 0)], ["A", "B"])
    assert not any(column.differs for column in columns)
    assert differences(columns) == "Both say “Supported”. Both cite the same sentence."
    assert differences(columns[:1]) == ""
    alone = compare([checked(Label.SUPPORTED, 0)], ["A"])
    assert not alone[0].sentences[0].only, "there is nothing yet to differ from"


def test_too_few_or_too_many_ways(client: FlaskClient) -> None:
    form = {"csrf_token": token(client, "/compare"), "claim": "Warsaw is old.", "recipe": ["fast"]}
    refused = client.post("/compare", data=form)
    assert refused.status_code == 422
    assert "You chose 1 way to check, each recipe with each corpus. Choose 2 to 4." in refused.text
    assert "Warsaw is old." in refused.text
    many = client.post(
        "/compare", data={**form, "recipe": ["fast", "aic", "esoteric"], "against": ["corpus", "upload:1"]}
    )
    assert many.status_code == 422
    assert client.get("/compare?claim=Is+it+%3Cb%3Eso%3F").text.count("Is it &lt;b&gt;so?") == 2
    assert client.get("/compare?check=nope").status_code == 404


def test_a_check_can_stand_there_alone_until_another_is_added(client: FlaskClient, check: Any) -> None:
    done = check("Warsaw is old and alone.")
    page = client.get(f"/compare?check={done['id']}").text
    assert page.count('class="differs"') == 0
    assert "Open this check" in page


def test_over_http(client: FlaskClient) -> None:
    body = {"claim": "Warsaw is old and compared.", "recipes": ["fast", "careful"]}
    started = client.post("/api/compare", json=body)
    assert started.status_code == 202
    ids = [one["id"] for one in started.json["checks"]]
    assert client.get(started.json["url"]).text.count("Open this check") == 2
    assert all(wait(client, one)["state"] == "done" for one in ids)
    found = client.get(started.headers["Location"]).json
    assert found["claims"] == [body["claim"]]
    assert found["summary"].startswith("Both say")
    assert [(one["id"], one["recipe"], one["state"]) for one in found["checks"]] == [
        (ids[0], "fast", "done"), (ids[1], "careful", "done")
    ]  # fmt: skip
    first, second = found["checks"]
    assert first["evidence"][0]["also"] == [ids[1]]
    assert not first["evidence"][0]["only"]
    assert not second["differs"]
    again = client.post("/api/compare", json=body).json
    assert [one["earlier"] for one in again["checks"]] == [True, True]


def test_what_holds_of_all_is_said_once(client: FlaskClient) -> None:
    body = {"claim": "Warsaw rests on one source.", "recipes": ["fast", "careful"]}
    started = client.post("/api/compare", json=body).json
    for one in started["checks"]:
        wait(client, one["id"])
    assert client.get(started["url"]).text.count(ONE_SOURCE) == 1


def test_too_few_or_too_many_ways_over_http(client: FlaskClient) -> None:
    refused = client.post("/api/compare", json={"claim": "Warsaw is old.", "recipes": ["fast"]})
    assert (refused.status_code, refused.mimetype) == (422, "application/problem+json")
    assert refused.json["detail"].startswith("You chose 1 way to check")
    assert client.get("/api/compare?checks=a").status_code == 400
    assert client.get("/api/compare?checks=a,b,c,d,e").status_code == 400
    assert client.get("/api/compare?checks=a,b").status_code == 404
    assert client.get("/api/compare").status_code == 400


def test_different_claims_each_stand_above_their_verdict(client: FlaskClient, check: Any) -> None:
    ids = [check(claim)["id"] for claim in ("Warsaw is <b>old</b>.", "Rome is older.")]
    page = client.get("/compare", query_string={"check": ids}).text
    assert "<h1>2 different claims</h1>" in page
    for claim in ("Warsaw is &lt;b&gt;old&lt;/b&gt;.", "Rome is older."):
        assert f'<p class="of"><bdi>{claim}</bdi></p>' in page
    same = client.get("/compare", query_string={"check": ids[:1]}).text
    assert "different claims" not in same


def test_refusals_name_fields_and_no_inner_forms(client: FlaskClient) -> None:
    many = client.post("/api/compare", json={"claim": "Warsaw is old.", "recipes": ["fast"] * 6})
    assert (many.status_code, many.json["detail"].partition(" Send ")[0]) == (
        422,
        "“recipes” should have at most 4 items.",
    )
    other = client.post("/api/checks", json={"claim": "Warsaw is old.", "against": 3})
    assert other.json["detail"].startswith("“against” has none of its possible types. Send {")
