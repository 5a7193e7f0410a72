"""The review of a text: nothing that a person did on it is lost, whatever is refused and whatever they choose anew."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.tables.reports import MOST_CLAIMS
from app.texts.review import Sentence, folded
from retrieval.errors import StoreDamaged
from retrieval.text.extraction.finder import FoundClaim
from tests.app.conftest import token, wait
from tests.app.fake import FakeResources

TEXT = "Marie Curie was a physicist. Was she not great? Perhaps she was perhaps tall. Warsaw is in Poland."


@pytest.fixture
def address(client: FlaskClient) -> str:
    """Of the review of a text with four sentences: two claims, a question, and a claim of a low score."""
    return str(client.post("/api/texts", json={"text": TEXT}).json["url"])


@pytest.fixture(params=["too often", "no corpus"])
def refusal(request: pytest.FixtureRequest, app: Flask, resources: FakeResources) -> Iterator[int]:
    """The status with which every report is refused meanwhile."""
    rate, info = app.extensions["esoteric"].rate, resources.info
    if request.param == "too often":
        rate.per_minute = 1e-9
    else:
        resources.info = StoreDamaged("The corpus at x cannot be read. Load it again.")
    yield 429 if request.param == "too often" else 503
    rate.per_minute, resources.info = 0, info  # 0: no limit, as what was refused still counts


def ticked(page: str) -> list[str]:
    return re.findall(r'name="chosen" value="(\d+)" checked', page)


def wording(page: str, number: int) -> str:
    return re.search(rf'name="claim-{number}"[^>]*>([^<]*)<', page).group(1)  # type: ignore[union-attr]


def sent(client: FlaskClient, **more: Any) -> dict[str, Any]:
    """The form as a person left it."""
    edited = {"claim-0": "Marie Curie was a chemist.", "claim-1": "She was great.", "title": "Of <Curie>"}
    form = {"csrf_token": token(client), "chosen": ["1", "3"], "recipe": "fast", "shared": "1", **edited}
    return form | {"threshold": "0.3", "threshold-before": "0.3"} | more


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Warsaw is in Poland.", "1 of its 1 sentence looks worth checking."),
        ("Warsaw is in Poland. Is it?", "1 of its 2 sentences looks worth checking."),
        (TEXT, "3 of its 4 sentences look worth checking."),
    ],
)
def test_how_many_sentences_look_worth_checking(client: FlaskClient, text: str, words: str) -> None:
    assert words in client.get(client.post("/api/texts", json={"text": text}).json["url"]).text


def test_a_refused_review_keeps_all_that_was_done_on_it(client: FlaskClient, address: str, refusal: int) -> None:
    refused = client.post(f"{address}/report", data=sent(client))
    assert refused.status_code == refusal
    assert_kept(refused.text, ["1", "3"])


def test_a_review_without_a_choice_keeps_what_was_typed(client: FlaskClient, address: str) -> None:
    refused = client.post(f"{address}/report", data=sent(client, chosen=[]))
    assert refused.status_code == 422
    assert_kept(refused.text, [])


def assert_kept(page: str, chosen: list[str]) -> None:
    assert ticked(page) == chosen
    assert f"Check {len(chosen)} claim" in page
    assert wording(page, 0) == "Marie Curie was a chemist."
    assert wording(page, 1) == "She was great."
    assert wording(page, 3) == "Warsaw is in Poland."
    assert 'name="title" value="Of &lt;Curie&gt;"' in page
    assert re.search(r'value="fast"[^>]* checked', page)


@pytest.mark.parametrize(
    ("threshold", "chosen"),
    [
        ("0.95", ["1"]),  # what no threshold decides stays
        ("0.6", ["0", "1", "3"]),
        ("0.2", ["0", "1", "2", "3"]),
        ("0.3", ["1", "3"]),  # as it was: Enter in another field presses the same button
    ],
)
def test_choosing_anew_keeps_what_was_typed(
    client: FlaskClient, address: str, threshold: str, chosen: list[str]
) -> None:
    page = client.post(address, data=sent(client, threshold=threshold))
    assert page.status_code == 200
    assert f'name="threshold-before" value="{threshold}"' in page.text
    assert_kept(page.text, chosen)


def test_an_edited_twin_is_a_claim_of_its_own(client: FlaskClient) -> None:
    address = client.post("/api/texts", json={"text": "It rained today. It rained today."}).json["url"]
    assert "Says the same as sentence 1" in client.get(address).text
    form = sent(client, chosen=["0", "1"], **{"claim-0": "", "claim-1": "It snowed today."})
    page = client.post(address, data=form).text
    assert "Says the same" not in page
    assert wording(page, 0) == "It rained today.", "an emptied field means the sentence"
    report = client.post(f"{address}/report", data=form).location
    claims = client.get(f"/api{report}").json["claims"]
    assert [claim["text"] for claim in claims] == ["It rained today.", "It snowed today."]


GERMAN = "Der Mann ist nicht mit der Frau in die Stadt gegangen. Das ist auch gut so für sie alle."
HEBREW = "הבירה של פולין היא ורשה. העיר נמצאת על הנהר ויסלה."


def read_page(client: FlaskClient, address: str) -> str:
    """The review's page as soon as its text has been read, however busy the machine is."""
    until = time.monotonic() + 60
    while "% read." in (page := client.get(address).text):
        assert time.monotonic() < until, page
        time.sleep(0.1)
    return page


@pytest.mark.parametrize("text", [GERMAN, HEBREW, "\n\n<b>" + GERMAN * 8])
def test_a_refused_text_can_be_mended_and_sent_again(client: FlaskClient, text: str) -> None:
    form = {"claim": text, "csrf_token": token(client), "recipe": "fast", "against": "corpus"}
    address = client.post("/checks", data=form).location
    page = read_page(client, address)
    assert "not English" in page
    assert html.unescape(re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL).group(1)) == text  # type: ignore[union-attr]
    assert 'name="recipe" value="fast"' in page
    assert 'name="against" value="corpus"' in page
    assert ("Check it as one claim" in page) == (len(text) <= 500)
    if len(text) <= 500:
        assert "/checks/" in client.post("/checks", data={**form, "as": "claim"}).location
    assert client.post(f"{address.partition('?')[0]}/delete", data=form).status_code == 303
    assert client.get(address).status_code == 404


def test_a_claim_of_several_sentences_offers_to_find_its_claims(client: FlaskClient) -> None:
    def offered(claim: str) -> bool:
        created = client.post("/api/checks", json={"claim": claim}).json
        wait(client, created["id"])
        return "Find the claims in it instead" in client.get(created["url"]).text

    assert offered("He ran. She swam.")
    assert not offered("Dr. Curie lived at No. 5.")
    form = {"claim": "He ran. She swam.", "as": "text", "recipe": "fast", "csrf_token": token(client)}
    assert "/texts/" in client.post("/checks", data=form).location


def test_too_many_claims_are_said_before_and_kept_when_refused(client: FlaskClient) -> None:
    text = " ".join(f"The town of Warsaw had {number + 100} bridges in 1990." for number in range(MOST_CLAIMS + 30))
    address = client.post("/api/texts", json={"text": text}).json["url"]
    page = read_page(client, address)
    chosen = ticked(page)
    assert len(chosen) == MOST_CLAIMS + 30
    assert re.search(
        r'id="too-many"[^>]*role="status">A report holds at most 2,000 claims, and you chose <b>30</b> too many', page
    )
    refused = client.post(f"{address}/report", data={"csrf_token": token(client), "chosen": chosen, "threshold": "0.3"})
    assert refused.status_code == 422
    assert "2,030 claims are chosen, and a report holds at most 2,000" in refused.text
    assert "remove 30 ticks" in refused.text
    assert ticked(refused.text) == chosen
    fewer = client.post(
        address, data={"csrf_token": token(client), "chosen": chosen[:5], "threshold": "0.3", "threshold-before": "0.3"}
    )
    assert re.search(r'id="too-many"[^>]* hidden>', fewer.text)


def row(
    number: int, *, chosen: bool = True, start: int | None = None, fault: str = "", kind: str = "claim"
) -> Sentence:
    place = 10 * number if start is None else start
    found = FoundClaim(f"claim {number}", f"sentence {place}", place, place + 9, 0.9, kind)
    return Sentence(number, found, found.text, None, False, fault, chosen)


def test_what_is_not_chosen_is_folded_and_a_split_sentence_stands_once() -> None:
    rows = [
        row(0),
        row(1, chosen=False),
        row(2, chosen=False, start=20),
        row(3, chosen=False, start=20),
        row(4, chosen=False, start=40),
        row(5, start=40),
        row(6, chosen=False, fault="too long"),
        row(7, chosen=False, fault="no words", kind="question"),
    ]
    shape = [(shut, [[one.number for one in claims] for claims in run]) for shut, run in folded(rows)]
    assert shape == [(False, [[0]]), (True, [[1], [2, 3]]), (False, [[4, 5], [6]]), (True, [[7]])]
    assert folded([]) == []


def test_the_page_holds_every_sentence_once_and_the_folded_ones_closed(client: FlaskClient, address: str) -> None:
    page = client.get(f"{address}?threshold=0.6").text
    assert re.findall(r'name="chosen" value="(\d)"', page) == ["0", "1", "2", "3"]
    shut = re.findall(r'<details class="fold">(.*?)</ol>', page, re.S)
    assert [re.findall(r'name="chosen" value="(\d)"', one) for one in shut] == [["1", "2"]]
    assert "2 not chosen:" in page
    assert "2 of 4 chosen" in page
