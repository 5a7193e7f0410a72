"""A person chooses several corpora, or the open web, and sees where each sentence is from and what leaves the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexing.load import load_documents
from retrieval.verdicts.reasons import ONE_SOURCE
from tests.app.process import Server, free_port
from tests.browser.axe import axe_faults
from tests.browser.opening import open_options
from tests.retrieval.web.hostile_web import HostileWeb, article, hostile_web

CLAIM = "The director of Casablanca was born in Budapest."
OWN = "The director of Casablanca, Michael Curtiz, was born in Budapest, as our family album says."
ON_THE_WEB = "The director of Casablanca was born in Budapest in 1886, as the town's register says."
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    with hostile_web() as found:
        found.pages["/curtiz"] = article(ON_THE_WEB, "A director <b>from</b> Budapest")
        found.found = [f"{found.url}/curtiz"]
        yield found


@pytest.fixture(scope="module")
def searching(sample: Path, web: HostileWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data, port = tmp_path_factory.mktemp("data"), free_port()
    notes = data / "album.txt"
    notes.write_text(OWN, "utf-8")
    load_documents([notes], data / "corpora" / "album", report=lambda _: None)
    settings = {"WEB": "searxng", "WEB_URL": web.url, "WEB_PRIVATE": "127.0.0.1"}
    server = Server("-m", "app", port=port, PORT=str(port), STORE=str(sample), DATA=str(data), **settings)
    server.start("/readyz", limit=90)
    yield server
    server.close()


def result(page: Any) -> str:
    page.fill("#claim", CLAIM)
    page.click("button.primary")
    page.wait_for_selector("body.result", timeout=120_000)
    return str(page.inner_text("main"))


def test_the_corpus_and_a_folder(searching: Server, web: HostileWeb, open_page: Open) -> None:
    page = open_page(f"{searching.address}/", java_script_enabled=False, viewport={"width": 360, "height": 740})
    page.set_default_timeout(120_000)
    open_options(page)
    page.select_option("#against", "corpus")
    page.click(".several summary")
    page.check(".several input[value='corpus:album']")
    page.check("#recipe-fast")
    page.fill("#claim", CLAIM)
    page.click("button.primary")
    page.wait_for_selector("text=Link and exports")
    shown = page.inner_text("main")
    assert OWN in shown
    assert page.locator(".page > .corpus, .page .corpus").count() >= 2
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert web.asked == []


def test_the_open_web(searching: Server, web: HostileWeb, open_page: Open) -> None:
    page = open_page(f"{searching.address}/")
    page.set_default_timeout(120_000)
    open_options(page)
    assert "leaves this machine" in page.inner_text(".hint.web")
    page.click(".several summary")
    assert axe_faults(page) == []
    shown = result(page)
    assert ON_THE_WEB in shown
    assert "In the open web" in shown
    assert page.locator(f"a.open[href^='{web.url}/curtiz']").first.get_attribute("rel") == "noopener noreferrer"
    assert web.queries == [CLAIM]
    assert "Sent to 127.0.0.1" in page.text_content(".steps-used")
    assert axe_faults(page) == []


WIKI = "https://en.wikipedia.org/w/index.php?title=Marie_Curie&oldid=1234"
QUOTATION = "She won two Nobel Prizes."
THERE = f"<!doctype html><title>Marie Curie</title><p style='margin-top: 9000px'>{QUOTATION}</p>"


@pytest.mark.parametrize("kind", ["check", "claim of a report"])
def test_a_quotation_opens_in_its_revision_where_it_stands(judged: Server, open_page: Open, kind: str) -> None:
    page = open_page(judged.address + result_of(judged, kind, f"A {kind} rests on one source."))
    assert page.get_by_text(ONE_SOURCE, exact=True).first.is_visible()
    link = page.locator("a.open[href*='She%20won']")
    assert link.get_attribute("href") == f"{WIKI}#:~:text=She%20won%20two%20Nobel%20Prizes."
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")
    page.context.route("https://en.wikipedia.org/**", lambda route: route.fulfill(body=THERE, content_type="text/html"))
    with page.expect_popup() as opened:
        link.click()
    tab = opened.value
    assert tab.title() == "Marie Curie"
    assert tab.url.startswith(WIKI)
    assert tab.evaluate("[window.opener, document.referrer]") == [None, ""]
    tab.wait_for_function("scrollY > 5000")  # Chromium has found the words


def result_of(server: Server, kind: str, claim: str) -> str:
    """The path of a finished check, or of its page in a report."""
    if kind == "check":
        check_id = server.submit(claim)
        server.wait(check_id, lambda check: check["state"] == "done")
        return f"/checks/{check_id}"
    report_id = server.client.post("/api/reports", json={"claims": [claim]}).json()["id"]
    server.wait_report(report_id)
    return f"/reports/{report_id}/claims/1"


# Where the first and the last letter of the text behind the quotation stand.
ENDS = """(prose) => {
  const text = prose.lastChild, letters = text.data.trimEnd().length, found = [];
  for (const at of [text.data.search(/\\S/), letters - 1]) {
    const letter = document.createRange();
    letter.setStart(text, at);
    letter.setEnd(text, at + 1);
    found.push(letter.getBoundingClientRect().left);
  }
  return found;
}"""


def test_a_sentence_that_turns_itself_around_turns_nothing_else(judged: Server, open_page: Open) -> None:
    """By U+202E, which shows what follows from right to left until the paragraph ends."""
    check = judged.submit("Warsaw is turned around.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    page = open_page(f"{judged.address}/checks/{check}")
    prose = page.get_by_label("Text of Hostile page").first
    assert "An ordinary sentence." in prose.inner_text()
    first, last = prose.evaluate(ENDS)
    assert first < last
