"""A person decides: signed, changed, taken back, by two at once; what may be published, and what is a draft."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.tables.decisions import DecidedMeanwhile
from retrieval.types import Label
from tests.app.conftest import token
from tests.app.fake import HOSTILE
from tests.app.reports.waiting import wait_report

Check = Callable[..., dict[str, Any]]


def sign(client: FlaskClient, check_id: str, **body: Any) -> Any:
    return client.post(f"/api/checks/{check_id}/decision", json={"label": "REFUTED", "author": "Ada", **body})


def test_every_change_is_kept_and_shown(client: FlaskClient, check: Check) -> None:
    check_id = check("To be signed.")["id"]
    assert client.get(f"/api/checks/{check_id}").json["decisions"] == []
    assert sign(client, check_id, note="The page is wrong.").status_code == 200
    assert sign(client, check_id, label="SUPPORTED", author="Bo", seen=1).status_code == 200
    told = sign(client, check_id, label="", author="Ada", seen=2).json
    assert [(one["label"], one["author"]) for one in told["decisions"]] == [
        ("REFUTED", "Ada"), ("SUPPORTED", "Bo"), (None, "Ada"),
    ]  # fmt: skip
    assert told["verdict"]["label"] == "SUPPORTED", "the machine's stays"
    assert told["decisions"][0]["note"] == "The page is wrong."
    page = client.get(f"/checks/{check_id}").text
    assert "changed “Refuted” to “Supported”" in page
    assert "withdrew the verdict" in page
    assert "Nobody has signed" in page


def test_lists_show_what_a_person_signed_beside_the_machine(client: FlaskClient, check: Check) -> None:
    check_id = check("To be listed.")["id"]
    collection = client.post("/api/collections", json={"name": "Signed ones"}).json["url"]
    client.post(f"/api{collection}/items", json={"kind": "check", "id": check_id})
    sign(client, check_id, author="A <i>person")
    for address in ("/", "/history?q=to+be+listed", collection):
        told = re.sub(r"\s+", " ", re.sub(r"</?(?:span|bdi|svg|path)\b[^>]*>", "", client.get(address).text))
        assert "Machine: supported Refuted signed by A &lt;i&gt;person" in told, address
    sign(client, check_id, label="")
    for address in ("/", "/history?q=to+be+listed", collection):
        assert "signed by" not in client.get(address).text, address


def test_the_later_of_two_is_told(app: Flask, client: FlaskClient, check: Check) -> None:
    check_id = check("Two decide at once.")["id"]
    assert sign(client, check_id, seen=0).status_code == 200
    refused = sign(client, check_id, author="Bo", seen=0)
    assert refused.status_code == 409
    assert "Ada decided about this claim meanwhile" in refused.json["detail"]
    form = {
        "label": "SUPPORTED",
        "author": "Bo",
        "note": "I looked <b>twice</b>.",
        "seen": "0",
        "csrf_token": token(client),
    }
    page = client.post(f"/checks/{check_id}/decision", data=form)
    assert page.status_code == 409
    assert "Ada decided about this claim while you did" in page.text
    assert "I looked &lt;b&gt;twice&lt;/b&gt;." in page.text, "nothing typed is lost"
    again = client.post(f"/checks/{check_id}/decision", data={**form, "seen": "1"})
    assert (again.status_code, again.location) == (303, f"/checks/{check_id}#decision")
    own = app.extensions["esoteric"].decisions
    with pytest.raises(DecidedMeanwhile):
        own.add(check_id, Label.REFUTED, "", "Cy", "", 1)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"author": " "}, "Your name is missing"),
        ({"label": "MAYBE"}, "is not a verdict"),
        ({"label": None}, "nothing to withdraw"),
        ({"author": "x" * 121}, "at most 120"),
        ({"note": "\x00"}, "cannot be stored"),
        ({"seen": "1"}, "“seen”"),
    ],
)
def test_what_is_no_decision_is_refused(client: FlaskClient, check: Check, body: dict[str, Any], words: str) -> None:
    refused = sign(client, check("Never signed.")["id"], **body)
    assert refused.status_code == 422
    assert words in refused.json["detail"]


def test_a_review_is_a_draft_until_a_person_has_signed(client: FlaskClient, check: Check) -> None:
    check_id = check("To be published.")["id"]
    draft = json.loads(client.get(f"/checks/{check_id}.jsonld").data)
    assert draft["creativeWorkStatus"] == "Draft"
    assert draft["reviewBody"].startswith("Draft: made by a machine")
    assert "ClaimReview, draft" in client.get(f"/checks/{check_id}").text
    sign(client, check_id, note="It is not so.", author="Ada Lovelace")
    review = json.loads(client.get(f"/checks/{check_id}.jsonld").data)
    assert review["creativeWorkStatus"] == "Published"
    assert review["author"] == {"@type": "Person", "name": "Ada Lovelace"}
    assert review["reviewRating"]["ratingValue"] == 1
    assert review["reviewBody"] == "It is not so."
    sign(client, check_id, label="")
    assert json.loads(client.get(f"/checks/{check_id}.jsonld").data)["creativeWorkStatus"] == "Draft"


@pytest.fixture(scope="module")
def report(app: Flask) -> dict[str, Any]:
    """One with a text, of which the first claim is signed and the last cannot be checked."""
    client = app.test_client()
    text = "Warsaw is in Poland. =1+1 is a sum. On this the pages disagree. " + "too long " * 60
    claims = [{"text": claim} for claim in ("Warsaw is in Poland.", "=1+1 is a sum.", "On this the pages disagree.")]
    body = {"text": text, "title": "A <i>report</i>", "claims": [*claims, "too long " * 60]}
    report_id = client.post("/api/reports", json=body).json["id"]
    first = wait_report(client, report_id)["claims"][0]
    sign(client, first["check_id"], note="Seen on a map.", author="Ada")
    return wait_report(client, report_id)


def test_evidence_stands_before_the_verdict(client: FlaskClient, report: dict[str, Any]) -> None:
    page = client.get(f"/reports/{report['id']}/claims/3").text
    places = [page.index(words) for words in ("For the claim", "Against it", "The machine's verdict", "Your verdict")]
    assert places == sorted(places)
    assert 'href="#quote-1"' in page
    assert 'id="quote-1"' in page
    supported = client.get(f"/reports/{report['id']}/claims/1").text
    assert "For the claim" in supported
    assert "at most 500" in client.get(f"/reports/{report['id']}/claims/4").text
    assert client.get(f"/reports/{report['id']}/claims/5").status_code == 404
    assert client.get(f"/reports/{report['id']}/claims/0").status_code == 404


def test_a_marked_sentence_opens_its_evidence_beside_it(client: FlaskClient, report: dict[str, Any]) -> None:
    address = f"/reports/{report['id']}"
    closed = client.get(f"{address}?verdict=SUPPORTED").text
    assert 'id="panel"' not in closed, "no panel is rendered before it is asked for"
    assert f'id="sentence-3" href="{address}?verdict=SUPPORTED&amp;claim=3#sentence-3"' in closed
    opened = client.get(f"{address}?verdict=SUPPORTED&claim=3").text
    assert opened.count('class="panel"') == 1
    parts = (
        'id="sentence-3"',
        "For the claim",
        "Against it",
        "The machine's verdict",
        "Where it says so",
    )
    places = [opened.index(words) for words in parts]
    assert places == sorted(places)
    assert opened.index('id="found"') < places[0], "the table of claims comes before the text"
    for inside in (f'href="{address}?verdict=SUPPORTED#sentence-3"', 'href="#quote-1"', 'id="quote-1"'):
        assert inside in opened
    alone = client.get(f"{address}/claims/3/panel?verdict=SUPPORTED").text
    token = re.compile(r'(?<=name="csrf_token" value=")[^"]+')
    assert token.sub("", alone.strip()) in token.sub("", opened), "the script puts the same there"
    assert "signed by <bdi>Ada</bdi>" in client.get(f"{address}?claim=1").text


def test_a_claim_that_stands_nowhere_in_the_text_has_its_own_page(client: FlaskClient, report: dict[str, Any]) -> None:
    bare = client.post("/api/reports", json={"claims": ["Warsaw is in Poland."], "text": "A trip."}).json["id"]
    assert client.get(f"/reports/{bare}?claim=1").location == f"/reports/{bare}/claims/1"
    for number in ("9", "0", "-1", "x", "²", "9" * 30):
        found = client.get(f"/reports/{report['id']}?claim={number}", follow_redirects=True)
        assert found.status_code == 404, number
        assert "This report has 4 claims" in found.text
    assert client.get(f"/reports/{report['id']}/claims/9/panel").status_code == 404


def test_how_it_was_checked_reads_as_people_choose(client: FlaskClient, report: dict[str, Any]) -> None:
    page = client.get(f"/reports/{report['id']}").text
    assert "<dt>How</dt><dd>Careful, about" in page
    assert page.index('id="how"') < page.index("<dt>How</dt>") < page.index("<dt>Recipe</dt><dd><code>careful</code>")
    text_id = client.post("/api/texts", json={"text": "Warsaw is in Poland. It is large."}).json["id"]
    review = client.get(f"/texts/{text_id}").text
    assert '<option value="">the corpus: Sample</option>' in review
    assert review.index(">Quick</label>") < review.index("Names of the recipes") < review.index("<code>fast</code>")


def test_a_decision_on_a_report_comes_back_to_it(client: FlaskClient, report: dict[str, Any]) -> None:
    check_id = report["claims"][1]["check_id"]
    form = {"label": "NOT_ENOUGH_EVIDENCE", "author": "Bo", "seen": "0", "report": report["id"], "number": "2"}
    sent = client.post(f"/checks/{check_id}/decision", data={**form, "csrf_token": token(client)})
    assert sent.location == f"/reports/{report['id']}/claims/2#decision"
    refused = client.post(f"/checks/{check_id}/decision", data={**form, "csrf_token": token(client)})
    assert refused.status_code == 409
    assert "Claim 2 of" in refused.text
    odd = client.post(f"/checks/{check_id}/decision", data={**form, "number": "²", "csrf_token": token(client)})
    assert odd.status_code == 409
    shown = client.get(f"/reports/{report['id']}").text
    assert "2 signed by a person" in shown
    held = client.get(f"/checks/{check_id}").text
    assert f"/reports/{report['id']}/claims/2" in held


def test_where_the_machine_could_not_a_person_can(client: FlaskClient) -> None:
    """A claim that is too long, and one whose check failed: signed by form and by HTTP, and not lost when the rest is
    tried again.
    """
    body = {"claims": ["too long " * 60, "Let it explode.", "Let it explode again."], "text": "too long " * 60}
    report_id = client.post("/api/reports", json=body).json["id"]
    first, second, third = wait_report(client, report_id)["claims"]
    assert "at most 500" in first["error"]
    page = client.get(f"/reports/{report_id}/claims/1").text
    assert "at most 500" in page
    assert "Your verdict" in page
    form = {"label": "REFUTED", "author": "Ada", "seen": "0", "report": report_id, "number": "1"}
    signed = client.post(f"/checks/{first['check_id']}/decision", data={**form, "csrf_token": token(client)})
    assert (signed.status_code, signed.location) == (303, f"/reports/{report_id}/claims/1#decision")
    assert sign(client, second["check_id"], author="Bo").status_code == 200
    assert "signed by <bdi>Ada</bdi>" in client.get(f"/reports/{report_id}?claim=1").text
    single = client.get(f"/checks/{second['check_id']}").text
    assert "Something went wrong" in single
    assert "signed by <bdi>Bo</bdi>" in single
    reviews = json.loads(client.get(f"/reports/{report_id}.jsonld").data)["@graph"]
    assert [review["author"]["name"] for review in reviews] == ["Ada", "Bo"]
    client.post(f"/api/reports/{report_id}/resume")
    after = wait_report(client, report_id)
    assert [claim["check_id"] for claim in after["claims"][:2]] == [first["check_id"], second["check_id"]]
    assert after["claims"][2]["check_id"] != third["check_id"], "tried again"
    assert (after["decided"], after["failed"]) == (2, 3)


def test_an_unsigned_claim_that_cannot_be_checked_can_still_be_signed_after_a_retry(client: FlaskClient) -> None:
    report_id = client.post("/api/reports", json={"claims": ["too long " * 60]}).json["id"]
    wait_report(client, report_id)
    client.post(f"/api/reports/{report_id}/resume")
    (claim,) = wait_report(client, report_id)["claims"]
    assert sign(client, claim["check_id"]).status_code == 200


def test_what_is_signed_about_a_failed_check_is_exported_as_in_its_report(client: FlaskClient) -> None:
    report_id = client.post("/api/reports", json={"claims": ["This will explode."]}).json["id"]
    (claim,) = wait_report(client, report_id)["claims"]
    address = f"/checks/{claim['check_id']}"
    assert client.get(f"{address}.jsonld").status_code == 409, "there is no draft of a check without a result"
    assert ".jsonld" not in client.get(address).text
    sign(client, claim["check_id"], note="It did not.", author="Ada")
    alone = json.loads(client.get(f"{address}.jsonld").data)
    assert [alone] == json.loads(client.get(f"/reports/{report_id}.jsonld").data)["@graph"]
    assert (alone["creativeWorkStatus"], alone["author"]["name"]) == ("Published", "Ada")
    assert f'href="{address}.jsonld"' in client.get(address).text
    assert client.get(f"{address}.md").status_code == 409, "the machine still found nothing"
    sign(client, claim["check_id"], label="")
    assert client.get(f"{address}.jsonld").status_code == 409


def test_what_is_refused_about_a_failed_check_keeps_the_form(client: FlaskClient, check: Check) -> None:
    check_id = check("This will explode.")["id"]
    assert "Your verdict" in client.get(f"/checks/{check_id}").text
    form = {"label": "REFUTED", "author": " ", "note": "I saw it.", "seen": "0", "csrf_token": token(client)}
    refused = client.post(f"/checks/{check_id}/decision", data=form)
    assert refused.status_code == 422
    assert "Your name is missing" in refused.text
    assert "I saw it." in refused.text


def test_a_report_is_filtered_and_sorted(client: FlaskClient, report: dict[str, Any]) -> None:
    address = f"/reports/{report['id']}"
    assert client.get(f"{address}?verdict=CONFLICTING").text.count("<tr id=") == 1
    assert client.get(f"{address}?verdict=failed").text.count("<tr id=") == 1
    assert client.get(f"{address}?q=WARSAW").text.count("<tr id=") == 1
    page = client.get(address).text
    order = {
        sort: re.findall(r'<tr id="claim-(\d)"', client.get(f"{address}?sort={sort}").text) for sort in ("", "text")
    }
    assert order == {"": ["1", "3", "2", "4"], "text": ["1", "2", "3", "4"]}, "a person refuted the first"
    for query, found in (
        ("verdict=CONFLICTING", 1),
        ("verdict=CONFLICTING&q=disagree", 1),
        ("verdict=CONFLICTING&q=sum", 0),
    ):
        assert (report["id"] in client.get(f"/reports?{query}").text) == bool(found), query
    assert "3 claims checked; 1 could not be checked." in page
    none = client.get("/reports?verdict=CONFLICTING&q=in+no+report").text
    assert "No report has a claim that is conflicting evidence and contains" in none
    assert "No claim matches" in client.get(f"{address}?q=in+no+report").text
    assert "<i>report" not in page


def test_exports(client: FlaskClient, report: dict[str, Any]) -> None:
    address = f"/reports/{report['id']}"
    for kind in ("md", "html"):
        assert re.search(
            r"3 of 4 claims checked: 1 refuted, .+; 1 could not be checked\. \d signed by a person",
            client.get(f"{address}.{kind}").text,
        ), kind
    whole = json.loads(client.get(f"{address}.json").data)
    assert [claim["text"] for claim in whole["claims"]] == [claim["text"] for claim in report["claims"]]
    assert whole["claims"][0]["check"]["evidence"]
    assert whole["claims"][0]["decision"]["author"] == "Ada"
    assert whole["claims"][3]["check"] is None
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff"))))
    assert rows[0]["decision"] == "REFUTED"
    assert rows[1]["claim"] == "'=1+1 is a sum."
    assert rows[2]["against"]
    assert "at most 500" in rows[3]["error"]
    notes = client.get(f"{address}.md").text
    assert "**Refuted**, signed by Ada" in notes
    assert "<script>" not in notes
    reviews = json.loads(client.get(f"{address}.jsonld").data)["@graph"]
    assert reviews[0]["author"]["name"] == "Ada"
    assert {review["creativeWorkStatus"] for review in reviews} == {"Published"}


def test_a_single_check_is_exported_with_who_signed_it(client: FlaskClient, check: Check) -> None:
    address = f"/checks/{(check_id := check('To be handed over.')['id'])}"
    assert "signed by" not in client.get(f"{address}.md").text
    sign(client, check_id, note="The page is *wrong*.")
    row = next(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff"))))
    assert (row["verdict"], row["decision"], row["author"]) == ("SUPPORTED", "REFUTED", "Ada")
    assert row["note"] == "The page is *wrong*."
    assert row["decided"]
    notes = client.get(f"{address}.md").text
    assert "**Refuted**, signed by Ada" in notes
    assert "The page is \\*wrong\\*." in notes
    assert "Decisions:" not in notes, "the one that is signed tells everything"
    sign(client, check_id, label="")
    row = next(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff"))))
    assert (row["decision"], row["author"]) == ("", "")
    notes = client.get(f"{address}.md").text
    assert "signed by" not in notes
    assert "Ada decided “Refuted”: The page is" in notes
    assert "Ada withdrew the verdict" in notes


@pytest.mark.parametrize("kind", ["md", "html"])
def test_files_to_hand_over_show_every_change(client: FlaskClient, kind: str) -> None:
    report_id = client.post("/api/reports", json={"claims": ["To be changed."]}).json["id"]
    (claim,) = wait_report(client, report_id)["claims"]
    sign(client, claim["check_id"], note="I was there.")
    assert "decided “" not in client.get(f"/reports/{report_id}.{kind}").text
    sign(client, claim["check_id"], label="SUPPORTED", author="<i>Bo", note="So was I.")
    told = re.sub(r"</?(bdi|q)\b[^>]*>", "", client.get(f"/reports/{report_id}.{kind}").text)
    assert "Ada decided “Refuted”: I was there." in told
    assert "&lt;i&gt;Bo changed “Refuted” to “Supported”: So was I." in told


def test_one_file_needs_nothing_else(client: FlaskClient, report: dict[str, Any]) -> None:
    answer = client.get(f"/reports/{report['id']}.html")
    assert "attachment" in answer.headers["Content-Disposition"]
    page = answer.text
    assert page.rstrip().endswith("</html>")
    for outside in ("<link", "<script", "src=", "@import", "url("):
        assert outside not in page, outside
    assert 'href="#claim-1"' in page
    assert 'id="claim-1"' in page
    assert "A &lt;i&gt;report&lt;/i&gt;" in page
    assert HOSTILE not in page


@pytest.mark.parametrize("kind", ["md", "html"])
def test_files_name_who_said_a_claim_that_reads_as_in_the_text(client: FlaskClient, kind: str) -> None:
    claim = {"text": "Warsaw is a city.", "original": "Warsaw is a city.", "speaker": "Mayor <b>Mo"}
    report_id = client.post("/api/reports", json={"claims": [claim]}).json["id"]
    wait_report(client, report_id)
    told = client.get(f"/reports/{report_id}.{kind}").text.replace("<bdi>", "")
    assert "Said by Mayor &lt;b&gt;Mo" in told


@pytest.mark.parametrize("kind", ["md", "html"])
def test_exports_say_how_the_report_was_made(client: FlaskClient, kind: str) -> None:
    body = {"claims": ["Warsaw is a city."], "against": "corpus"}
    report_id = client.post("/api/reports", json=body).json["id"]
    made = wait_report(client, report_id)
    whole = client.get(f"/reports/{report_id}.{kind}").text
    told = whole[whole.index("Made on" if kind == "md" else "How it was made") :].replace("\\_", "_")
    assert "Checked against" in told
    assert "he corpus" in told
    assert made["models"]
    assert made["settings"]
    for value in (*made["models"].values(), *made["settings"]):
        assert value in told


def test_nothing_signed_is_nothing_to_publish(client: FlaskClient) -> None:
    report_id = client.post("/api/reports", json={"claims": ["Never to be signed."]}).json["id"]
    wait_report(client, report_id)
    refused = client.get(f"/reports/{report_id}.jsonld")
    assert refused.status_code == 409
    assert "Nobody has signed" in refused.json["detail"]
