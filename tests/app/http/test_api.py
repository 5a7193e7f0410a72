"""The HTTP contract of docs/interfaces.md, and a clear answer to everything that is not of it."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from retrieval.errors import StoreVersion
from tests.app.conftest import CLAIM, wait
from tests.app.fake import PAGES, STAGES, FakeResources

Check = Callable[..., dict[str, Any]]


def test_a_check_from_post_to_verdict(client: FlaskClient) -> None:
    created = client.post("/api/checks", json={"claim": CLAIM, "recipe": "fast", "fresh": True})
    assert created.status_code == 202
    assert created.json["url"] == f"/checks/{created.json['id']}"
    done = wait(client, created.json["id"])
    assert done["state"] == "done"
    assert [stage["name"] for stage in done["stages"]] == list(STAGES)
    for stage in done["stages"]:
        assert set(stage) == {"name", "state", "done", "total", "ms"}
        assert stage["state"] == "done"
        assert stage["done"] == stage["total"] == 1
        assert stage["ms"] >= 0
    assert done["verdict"]["label"] == "SUPPORTED"
    assert done["verdict"]["confidence"] == 0.8
    for evidence in done["evidence"]:
        page = next(page for page in PAGES if page.id == evidence["page_id"])
        assert page.text[evidence["start"] : evidence["end"]] == evidence["text"]
    assert done["corpus"] == {"fingerprint": "f" * 16, "pages": len(PAGES)}
    assert set(done["timings_ms"]) == set(STAGES)
    assert done["created"] <= done["finished"]


def test_contract_fields(check: Check) -> None:
    fields = (
        "id claim recipe state verdict evidence pages questions spans timings_ms corpus models created finished notes"
    )
    assert set(fields.split()) <= set(check())


def test_list_is_paged_newest_first(client: FlaskClient, check: Check) -> None:
    ids = [check(f"Claim number {n}.")["id"] for n in range(3)][::-1]
    first = client.get("/api/checks?limit=2").json
    assert [c["id"] for c in first["checks"]] == ids[:2]
    second = client.get(first["next"]).json
    assert second["checks"][0]["id"] == ids[2]
    assert first["checks"][0]["verdict"]["label"] == "SUPPORTED"


def test_the_list_is_searched_by_words_and_verdict(client: FlaskClient, check: Check) -> None:
    first, second = (check(f"Listed by words, number {number}.")["id"] for number in (1, 2))
    disputed = check("On this the pages disagree, listed by words.")["id"]

    def found(**asked: Any) -> list[str]:
        return [one["id"] for one in client.get("/api/checks", query_string=asked).json["checks"]]

    assert found(words="LISTED BY words") == [disputed, second, first]
    assert found(words="listed by words", verdict="SUPPORTED") == [second, first]
    assert found(verdict="CONFLICTING", limit=1) == [disputed]
    assert found(words="listed %") == []
    page = client.get("/api/checks?words=listed by words&verdict=SUPPORTED&limit=1").json
    assert [one["id"] for one in page["checks"]] == [second]
    older = client.get(page["next"]).json
    assert ([one["id"] for one in older["checks"]], older["next"]) == ([first], None)
    for asked in ("verdict=TRUE", "words=%00", f"words={'x' * 501}"):
        refused(client.get(f"/api/checks?{asked}"), 400)


def test_identical_claim_is_answered_from_the_earlier_result(client: FlaskClient, check: Check) -> None:
    first = check("Warsaw is large.")["id"]
    again = client.post("/api/checks", json={"claim": "  Warsaw \n is large. "}).json
    assert (again["id"], again["earlier"]) == (first, True)
    assert client.post("/api/checks", json={"claim": "Warsaw is Large."}).json["id"] != first
    fresh = client.post("/api/checks", json={"claim": "Warsaw is large.", "fresh": True}).json
    assert fresh["earlier"] is False
    wait(client, fresh["id"])


def test_another_corpus_is_another_question(client: FlaskClient, check: Check, resources: FakeResources) -> None:
    first = check("The corpus will change.")["id"]
    before = resources.info
    resources.info = before.__class__(**{**{n: getattr(before, n) for n in before.__slots__}, "fingerprint": "0" * 16})
    try:
        assert check("The corpus will change.")["id"] != first
        assert "The corpus has changed" in client.get(f"/checks/{first}").text
    finally:
        resources.info = before


BAD_CLAIMS = {
    "empty": "",
    "spaces": "  \n\t ",
    "10,000 characters": "word " * 2000,
    "emoji": "🎉🎉🎉",
    "signs": "?!… ---",
    "only NUL": "\x00\x00",
    "half a character": "A claim \ud800 here.",
    "only direction marks": "\u202e\u202d",
}


@pytest.mark.parametrize("claim", BAD_CLAIMS.values(), ids=BAD_CLAIMS)
def test_a_claim_that_cannot_be_checked(client: FlaskClient, claim: str) -> None:
    before = len(client.get("/api/checks?limit=100").json["checks"])
    refused(client.post("/api/checks", json={"claim": claim}), 422)
    assert len(client.get("/api/checks?limit=100").json["checks"]) == before


GOOD_CLAIMS = {
    "NUL inside": "Marie\x00Curie was born.",
    "right to left": "ماري كوري ولدت في وارسو.",
    "turned": "\u202eMarie Curie was born.",
    "html": "<script>alert(1)</script><img src=x onerror=alert(2)> & 'quotes' \"double\"",
    "another language": "Marie Curie est née à Varsovie.",
    "Chinese": "居里夫人出生于华沙。",
    "template": "{{ 7 * 7 }} {% raw %}",
    "like": "100 % of _ things",
    "emoji and words": "🎉 Marie Curie 🎉",
}


@pytest.mark.parametrize("claim", GOOD_CLAIMS.values(), ids=GOOD_CLAIMS)
def test_an_odd_claim_is_checked_and_shown_as_text(client: FlaskClient, check: Check, claim: str) -> None:
    done = check(claim)
    assert done["state"] == "done"
    assert "\x00" not in done["claim"]
    for path in (f"/checks/{done['id']}", "/", "/history"):
        page = client.get(path).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<bdi>49" not in page


def refused(response: Any, status: int) -> str:
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    problem = response.json
    assert problem["status"] == status
    assert problem["title"]
    assert problem["type"] == "about:blank"
    sentences = problem["detail"]
    assert sentences.endswith((".", "}.", '"}.')), sentences
    assert "Traceback" not in sentences
    return sentences


BAD_REQUESTS: dict[str, tuple[int, dict[str, Any]]] = {
    "no JSON": (415, {"data": "claim=x", "content_type": "application/x-www-form-urlencoded"}),
    "text": (415, {"data": '{"claim": "x"}', "content_type": "text/plain"}),
    "no type": (415, {"data": '{"claim": "x"}'}),
    "broken": (400, {"data": '{"claim": ', "content_type": "application/json"}),
    "not UTF-8": (400, {"data": b'{"claim": "\xff"}', "content_type": "application/json"}),
    "nested": (400, {"data": "[" * 100_000, "content_type": "application/json"}),
    "long number": (400, {"data": '{"claim": ' + "1" * 10_000 + "}", "content_type": "application/json"}),
    "1 MB": (413, {"json": {"claim": "x" * 1_000_000}}),
    "list": (400, {"json": ["x"]}),
    "null": (400, {"data": "null", "content_type": "application/json"}),
    "no claim": (422, {"json": {}}),
    "claim no text": (422, {"json": {"claim": 7}}),
    "recipe no text": (422, {"json": {"claim": CLAIM, "recipe": ["fast"]}}),
    "recipe unknown": (422, {"json": {"claim": CLAIM, "recipe": "faster"}}),
    "fresh no truth": (422, {"json": {"claim": CLAIM, "fresh": "yes"}}),
}


@pytest.mark.parametrize(("status", "request_"), BAD_REQUESTS.values(), ids=BAD_REQUESTS)
def test_a_request_that_cannot_be_read(client: FlaskClient, status: int, request_: dict[str, Any]) -> None:
    refused(client.post("/api/checks", **request_), status)


def test_addresses_that_are_not_there(client: FlaskClient) -> None:
    for path in (
        "/api/checks/nope",
        "/api/nope",
        "/api/checks?before=nope",
        "/checks/nope.json",
        "/checks/nope.jsonld",
    ):
        refused(client.get(path), 404)
    refused(client.post("/api/checks/nope/cancel", json={}), 404)
    for limit in ("0", "-1", "many", "101", "1" * 50, "²"):
        refused(client.get(f"/api/checks?limit={limit}"), 400)


def test_wrong_methods(client: FlaskClient) -> None:
    response = client.delete("/api/checks")
    assert "POST" in refused(response, 405)
    assert "POST" in response.headers["Allow"]
    refused(client.get("/api/checks/x/cancel"), 405)
    assert client.get("/checks").status_code == 405


def test_other_sites_are_refused(client: FlaskClient) -> None:
    body = {"claim": CLAIM}
    refused(client.post("/api/checks", json=body, headers={"Origin": "https://evil.example"}), 403)
    refused(client.post("/api/checks", json=body, headers={"Origin": "null"}), 403)
    refused(client.post("/api/checks", json=body, headers={"Sec-Fetch-Site": "cross-site"}), 403)
    refused(client.post("/api/checks/x/cancel", headers={"Sec-Fetch-Site": "same-site"}), 403)
    assert client.post("/api/checks", json=body, headers={"Origin": "http://localhost"}).status_code == 202
    refused(client.get("/api/checks", headers={"Host": "evil.example"}), 400)


def test_without_a_corpus(client: FlaskClient, resources: FakeResources) -> None:
    before, resources.info = resources.info, StoreVersion("An older version wrote the corpus at x. Load it again.")
    try:
        response = client.post("/api/checks", json={"claim": CLAIM})
        assert refused(response, 503) == str(resources.info)
        assert response.headers["Retry-After"]
        assert refused(client.get("/readyz"), 503) == str(resources.info)
        assert client.get("/healthz").status_code == 200
        home = client.get("/")
        assert home.status_code == 200
        assert str(resources.info) in home.text
        assert str(resources.info) in client.get("/about").text
    finally:
        resources.info = before
    assert client.get("/readyz").status_code == 200


def test_what_fails_inside_says_so(client: FlaskClient, check: Check, caplog: pytest.LogCaptureFixture) -> None:
    failed = check("Let it explode.")
    assert failed["state"] == "failed"
    assert failed["id"] in failed["error"]
    assert "boom" not in failed["error"]
    assert "boom" in caplog.text
    assert failed["error"] in html.unescape(client.get(f"/checks/{failed['id']}").text)
    lost = check("There is no corpus now.")
    assert (lost["state"], lost["error"]) == ("failed", "The corpus at x cannot be read. Load it again.")
    assert client.get(f"/checks/{lost['id']}.md").status_code == 409
    assert client.post("/api/checks", json={"claim": "Let it explode."}).json["id"] != failed["id"]


@pytest.mark.parametrize("path", ["/", "/api/checks"])
def test_a_host_name_that_is_not_ours_is_refused(client: FlaskClient, path: str) -> None:
    refused = client.get(path, headers={"Host": "elsewhere.example"})
    assert refused.status_code == 400
    assert "TRUSTED_HOSTS" in refused.text
