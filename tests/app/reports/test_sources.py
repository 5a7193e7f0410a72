"""A report names its sources as a single check does: on its pages, in its files, and when the corpus has moved on."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from app.reports.exports import COLUMNS
from retrieval.verdicts.reasons import ONE_SOURCE
from tests.app import fake
from tests.app.conftest import wait
from tests.app.fake import FakeResources, page
from tests.app.reports.waiting import wait_report

CLAIMS = ["It rests on one source.", "The pages disagree about it.", "It failed, so let it explode."]
REVISION = "https://en.wikipedia.org/w/index.php?title=Marie_Curie&oldid=1234"
WARSAW = "https://en.wikipedia.org/wiki/Warsaw"
BEFORE = [
    *("number", "claim", "original", "speaker", "state", "error", "verdict", "confidence", "abstained"),
    *("decision", "author", "note", "decided", "for", "for_source", "against", "against_source", "check"),
]


@pytest.fixture(scope="module")
def resources() -> Iterator[FakeResources]:
    """Its pages are of two corpora, one of them named as a formula; one page is a file named so."""
    curie, warsaw, hostile = fake.PAGES
    named = (
        replace(curie, corpus="Album"),
        replace(warsaw, corpus="=1+1"),
        replace(hostile, source="-1+1.txt"),
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fake, "PAGES", named)
        yield FakeResources()


@pytest.fixture(scope="module")
def report(app: Any) -> dict[str, Any]:
    client = app.test_client()
    made = client.post("/api/reports", json={"claims": CLAIMS, "text": " ".join(CLAIMS)}).json
    return wait_report(client, made["id"])


def link(address: str, words: str) -> str:
    """As templates write one that opens in a new tab."""
    href = address.replace("&", "&amp;")
    return f'<a class="open" href="{href}" target="_blank" rel="noopener noreferrer">{words}<'


def test_the_table(client: FlaskClient, report: dict[str, Any]) -> None:
    assert COLUMNS[: len(BEFORE)] == BEFORE, "what was there keeps its place"
    first, second, failed = csv.DictReader(
        io.StringIO(client.get(f"/reports/{report['id']}.csv").text.removeprefix("\ufeff"))
    )
    told = [first[f"for_{name}"] for name in ("url", "revision", "retrieved", "corpus")]
    assert told == [REVISION, "1234", "2025-12-07", "Album"]
    told = [second[f"against_{name}"] for name in ("url", "revision", "retrieved", "corpus")]
    assert told == [WARSAW, "", "2017-06", "'=1+1"]
    assert [one["one_source"] for one in (first, second, failed)] == ["True", "False", ""]
    assert not any(failed[name] for name in COLUMNS[len(BEFORE) :])


def test_markdown(client: FlaskClient, report: dict[str, Any]) -> None:
    first, second, failed = client.get(f"/reports/{report['id']}.md").text.split("\n## ")[1:]
    quotation = f"<{REVISION}#:~:text=Marie%20Curie%20was%20a%20physicist.>"
    assert f"In Album. {quotation} Revision 1234, as of 7 December 2025." in first
    assert f"<{WARSAW}> The text is of June 2017; the page may read differently today." in second
    assert "From &#45;1+1.txt." in first
    assert [ONE_SOURCE in one for one in (first, second, failed)] == [True, False, False]


def test_one_file(client: FlaskClient, report: dict[str, Any]) -> None:
    shown = client.get(f"/reports/{report['id']}.html").text
    first, second, failed = shown.split('<section class="page"')[1:]
    assert link(f"{REVISION}#:~:text=Marie%20Curie%20was%20a%20physicist.", "At its source") in first
    assert "In <bdi>Album</bdi>" in first
    assert "Revision 1234, as of 7 December 2025." in first
    assert "From <bdi>-1+1.txt</bdi>." in first
    assert link(WARSAW, "At its source") in second
    assert "The text is of June 2017; the page may read differently today." in second
    assert [ONE_SOURCE in one for one in (first, second, failed)] == [
        True,
        False,
        False,
    ]
    outside = re.findall(r'<a [^>]*href="https://en[^>]*>', shown)
    assert outside
    assert all('target="_blank" rel="noopener noreferrer"' in one for one in outside)


def test_the_panel_names_the_corpora(client: FlaskClient, report: dict[str, Any]) -> None:
    shown = client.get(f"/reports/{report['id']}/claims/2/panel").text
    assert "in <bdi>Album</bdi>" in shown
    assert "in <bdi>=1+1</bdi>" in shown
    assert "The corpus has changed" not in shown


def test_a_comparison(client: FlaskClient, report: dict[str, Any]) -> None:
    own = report["claims"][0]["check_id"]
    other = client.post("/api/checks", json={"claim": CLAIMS[0], "recipe": "fast"}).json["id"]
    wait(client, other)
    shown = client.get(f"/compare?check={own}&check={other}").text
    assert shown.count(link(f"{REVISION}#:~:text=Marie%20Curie%20was%20a%20physicist.", "At its source")) == 1
    assert shown.count("In <bdi>Album</bdi>") == 2
    assert "Revision 1234, as of 7 December 2025." in shown
    assert shown.count(ONE_SOURCE) == 1, "what both share is said once"
    alone = client.get(f"/compare?check={report['claims'][1]['check_id']}").text
    assert ONE_SOURCE not in alone
    assert link(WARSAW, "At its source") in alone


@pytest.fixture
def moved_on(resources: FakeResources) -> Iterator[None]:
    """Another corpus: Marie Curie won one prize, and nothing else is known."""
    before = resources.info, resources.pages
    resources.move_on(page("Marie Curie", "Marie Curie was a physicist.", "She won one Nobel Prize."))
    yield
    resources.info, resources.pages = before


@pytest.mark.usefixtures("moved_on")
@pytest.mark.parametrize("place", ["claims/1", "claims/1/panel"])
def test_a_corpus_that_has_moved_on(client: FlaskClient, report: dict[str, Any], place: str) -> None:
    shown = client.get(f"/reports/{report['id']}/{place}").text
    assert "The corpus has changed since this was checked on" in shown
    assert "Of 3 quotations, 1 reads differently now and 1 is from a page that is gone." in shown
    assert shown.count("Its page now reads differently in the corpus.") == 1
    assert shown.count("Its page is no longer in the corpus.") == 1
    failed = client.get(f"/reports/{report['id']}/{place.replace('1', '3')}").text
    assert "The corpus has changed" not in failed


@pytest.mark.usefixtures("moved_on")
def test_a_comparison_of_checks_whose_corpus_has_moved_on(client: FlaskClient, report: dict[str, Any]) -> None:
    own, failed = (report["claims"][number]["check_id"] for number in (0, 2))
    shown = client.get(f"/compare?check={own}&check={failed}").text
    assert shown.count("The corpus has changed since this was checked on") == 1
    assert "Of 3 quotations, 1 reads differently now and 1 is from a page that is gone." in shown
    assert shown.count("Its page now reads differently in the corpus.") == 1
    assert shown.count("Its page is no longer in the corpus.") == 1


def test_a_corpus_that_has_not(client: FlaskClient, report: dict[str, Any]) -> None:
    assert "The corpus has changed" not in client.get(f"/reports/{report['id']}/claims/1").text
    assert "The corpus has changed" not in client.get(f"/compare?check={report['claims'][0]['check_id']}").text
