"""Quotations that can be followed to their sources, and what is said when the corpus has moved on."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from app.checks.result import CHANGED, GONE, moved, moved_sentence
from retrieval.output.origins import link, origin, quotation_link
from retrieval.types import Claim, Evidence, FactCheck, Hit, Stance
from tests.app.fake import PAGES, FakeResources, page

Check = Callable[..., dict[str, Any]]
REVISION = "https://en.wikipedia.org/w/index.php?title=Marie_Curie&oldid=1234"


def test_evidence_and_pages_say_where_they_are_from(check: Check) -> None:
    done = check("It says where it is from.")
    curie, hostile = done["evidence"][0], done["evidence"][-1]
    assert (curie["url"], curie["revision"], curie["retrieved"]) == (REVISION, 1234, "2025-12-07")
    assert (hostile["url"], hostile["revision"], hostile["retrieved"]) == (None, None, None)
    pages = {one["page_id"]: one for one in done["pages"]}
    assert pages["Marie_Curie"]["url"] == REVISION
    assert pages["Warsaw"]["url"] == "https://en.wikipedia.org/wiki/Warsaw"
    assert (pages["Warsaw"]["revision"], pages["Warsaw"]["retrieved"]) == (None, "2017-06")


def test_the_page_links_each_quotation_to_its_revision(client: FlaskClient, check: Check) -> None:
    shown = client.get(f"/checks/{check('It can be opened.')['id']}").text
    links = re.findall(r'<a class="open" href="([^"]+)" target="_blank" rel="noopener noreferrer">', shown)
    quotation = REVISION.replace("&", "&amp;") + "#:~:text=Marie%20Curie%20was%20a%20physicist."
    assert quotation in links
    assert REVISION.replace("&", "&amp;") in links
    assert "https://en.wikipedia.org/wiki/Warsaw" in links
    assert len(re.findall(r'target="_blank"', shown)) == len(links)
    assert "Revision 1234, as of 7 December 2025." in shown
    assert "The text is of June 2017; the page may read differently today." in shown


def test_the_exports_carry_them(client: FlaskClient, check: Check) -> None:
    address = f"/checks/{check('It can be exported with its sources.')['id']}"
    row = next(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff"))))
    assert (row["url"], row["revision"], row["retrieved"]) == (REVISION, "1234", "2025-12-07")
    markdown = client.get(f"{address}.md").text
    assert f"<{REVISION}> Revision 1234, as of 7 December 2025." in markdown
    assert f"<{REVISION}#:~:text=She%20won%20two%20Nobel%20Prizes.>" in markdown
    cited = json.loads(client.get(f"{address}.jsonld").data)["citation"]
    assert cited[0]["isPartOf"] == {"@type": "WebPage", "name": "Marie Curie", "url": REVISION}
    assert cited[0]["url"].startswith(f"{REVISION}#:~:text=")
    assert "url" not in cited[-1]


class TestMovedOn:
    @pytest.fixture(autouse=True)
    def restored(self, resources: FakeResources) -> Iterator[None]:
        before = resources.info
        yield
        resources.info, resources.pages = before, PAGES

    def test_quotations_that_still_stand(self, client: FlaskClient, check: Check, resources: FakeResources) -> None:
        done = check("The corpus moves on and says the same.")
        moved_in_its_page = replace(PAGES[0], text="Born: 1867. " + PAGES[0].text)
        resources.move_on(moved_in_its_page, *PAGES[1:])
        shown = client.get(f"/checks/{done['id']}").text
        assert "All quotations are still in it." in shown
        assert "reads differently" not in shown

    def test_quotations_that_slid_into_another_passage(
        self, client: FlaskClient, check: Check, resources: FakeResources
    ) -> None:
        """An article that was whole is now cut into more passages than are asked for at once; the last holds a quotation."""
        done = check("The corpus moves on and its articles have grown.")
        passages = [page("Marie Curie", f"Sentence {number}.") for number in range(1, 60)]
        passages.append(page("Marie Curie", "Marie Curie was a physicist."))
        cut = [replace(one, id=f"{PAGES[0].id}#{number}") for number, one in enumerate(passages, 1)]
        resources.move_on(*cut, *PAGES[1:])
        shown = client.get(f"/checks/{done['id']}").text
        assert "Of 3 quotations, 1 reads differently now." in shown

    def test_quotations_that_changed(self, client: FlaskClient, check: Check, resources: FakeResources) -> None:
        done = check("The corpus moves on and says something else.")
        other = page("Marie Curie", "Marie Curie was a physicist.", "She won one Nobel Prize.")
        resources.move_on(other)
        shown = client.get(f"/checks/{done['id']}").text
        assert "Of 3 quotations, 1 reads differently now and 1 is from a page that is gone." in shown
        items = re.findall(r'<li>(<(?:p class="around"|span class="quotation").*?)</li>', shown, re.S)
        numbers = [re.findall(r'<sup class="ref">(\d)</sup>', item) for item in items]
        told = {number: "in the corpus" in item for (number,), item in zip(numbers, items, strict=True)}
        assert told == {"1": False, "2": True, "3": True}


def test_what_moved_is_told_by_number() -> None:
    good, other, third = (Evidence(s, 0.5, Stance(1, 0, 0), "claim") for s in PAGES[0].sentences())
    check = FactCheck(Claim("1", "x"), pages=(Hit(PAGES[0], 1.0, "title"),), evidence=(good, other, third))
    now = {PAGES[0].id: replace(PAGES[0], text=f"{third.sentence.text} {good.sentence.text}")}
    assert moved(check, now) == {2: CHANGED}
    assert moved(check, {}) == {1: GONE, 2: GONE, 3: GONE}
    slid = replace(PAGES[0], id=f"{PAGES[0].id}#4", text=other.sentence.text)
    assert moved(check, {**now, slid.id: slid}) == {}, "in another passage of its article"
    assert moved(check, {slid.id: slid}) == {1: CHANGED, 3: CHANGED}
    assert moved_sentence({2: CHANGED}, 1) == "Of 1 quotation, 1 reads differently now."
    assert moved_sentence({}, 0) == ""


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, ""),
        ({"revision": 5}, "Revision 5."),
        ({"revision": 5, "retrieved": "2025-12-07", "part": 2, "parts": 9}, "Revision 5, as of 7 December 2025; passage 2 of 9."),
        ({"site": "a.org", "retrieved": "2017-06"}, "The text is of June 2017; the page may read differently today."),
        ({"source": "https://a.example", "retrieved": "2026-01-02"}, "Retrieved on 2 January 2026."),
        ({"retrieved": "yesterday"}, "Retrieved on yesterday."),
    ],
)  # fmt: skip
def test_origins_in_words(fields: dict[str, Any], told: str) -> None:
    assert origin(replace(PAGES[2], **fields)) == told


@pytest.mark.parametrize("source", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "vbscript:x"])
def test_a_source_that_could_run_is_text(source: str) -> None:
    hostile = replace(PAGES[2], source=source)
    evidence = Evidence(hostile.sentences()[1], 0.5, Stance(1, 0, 0), "claim")
    assert (link(hostile), quotation_link(hostile, evidence)) == ("", "")
