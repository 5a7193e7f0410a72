"""What a person reads where the corpus has moved on since a check, and where it is in a language that nobody judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexing.load import load_documents
from tests.app.process import Server, free_port
from tests.browser.axe import axe_faults

CLAIM = "The harbour of Ostenau was opened in 1987."
OPENED = "The harbour of Ostenau was opened in {} by the mayor.\n\nIts trams run every ten minutes in summer.\n"
GERMAN_CLAIM = "Die Straßenbahnen zu den Häfen wurden im Jahr 1987 eröffnet."
GERMAN = (
    "Die Straßenbahnen zu den Häfen wurden im Jahr 1985 eröffnet. Sie fahren seitdem alle zehn Minuten durch die Stadt."
)
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
Open = Callable[..., Any]


def load(store: Path, name: str, text: str, language: str) -> None:
    file = store.parent / name
    file.write_text(text, "utf-8")
    load_documents([file], str(store), language=language, report=lambda _: None)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def serving(store: Path, tmp_path: Path) -> Iterator[Server]:
    """Not yet started: its corpus is for the test to load."""
    port = free_port()
    server = Server("-m", "app", port=port, PORT=str(port), STORE=str(store), DATA=str(tmp_path / "data"))
    yield server
    server.close()


@pytest.mark.parametrize("view", [WIDE, NARROW], ids=["1280", "360"])
def test_a_quotation_that_reads_differently_now_is_marked(
    store: Path, serving: Server, open_page: Open, view: dict[str, int]
) -> None:
    load(store, "town.txt", OPENED.format(1987), "en")
    serving.start("/readyz", limit=90)
    check_id = serving.submit(CLAIM)
    check = serving.wait(check_id, lambda check: check["state"] == "done")
    assert OPENED.split("\n")[0].format(1987) in [evidence["text"] for evidence in check["evidence"]]
    report_id = serving.client.post("/api/reports", json={"claims": [CLAIM]}).json()["id"]
    serving.wait_report(report_id)
    paths = f"/checks/{check_id}", f"/reports/{report_id}/claims/1"
    for path in paths:
        assert "The corpus has changed" not in open_page(serving.address + path, viewport=view).inner_text("main")
    load(store, "town.txt", OPENED.format(1985), "en")
    for path in paths:
        page = open_page(serving.address + path, viewport=view)
        page.get_by_text("The corpus has changed since this was checked on").wait_for()
        shown = page.inner_text("main")
        assert "1 reads differently now." in shown
        assert "opened in 1987 by the mayor" in shown, "what the verdict rests on stays readable"
        assert page.get_by_text("Its page now reads differently in the corpus.").first.is_visible()
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        assert axe_faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_corpus_that_nobody_judges_shows_sentences_and_says_why(
    store: Path, serving: Server, open_page: Open, scheme: str
) -> None:
    load(store, "hafen.txt", GERMAN, "de")
    serving.start("/readyz", limit=90)
    page = open_page(f"{serving.address}/", color_scheme=scheme)
    page.fill("#claim", GERMAN_CLAIM)
    page.click("button.primary")
    page.wait_for_selector("body.result", timeout=120_000)
    shown = page.inner_text("main")
    assert "there is no verdict" in shown
    assert "German" in shown
    assert GERMAN.split(". ")[0] in shown
    assert "The machine gives none." in shown
    assert page.inner_text(".verdict .label").strip() == "No verdict"
    assert page.locator(":is(.confidence, .probabilities)").count() == 0
    assert page.locator("#evidence").inner_text() == "The nearest sentences"
    assert "Not judged" in shown
    assert "Neutral" not in shown, "a stance that nobody took"
    assert axe_faults(page) == []
