"""How large things are, and what stands in line with what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.process import Server

Open = Callable[..., Any]
TEXT = "Warsaw is small beside a thumb. The pages disagree about a thumb. Why is that? It is so."
LEAST = 24  # pixels of a target (WCAG 2.2, 2.5.8)
CONTROLS = "button, summary, select, nav a, .tally a, input:not([type=radio], [type=checkbox], [type=hidden])"
SMALL = f"""(all) => all.filter((one) => one.checkVisibility())
  .map((one) => [one.getBoundingClientRect(), one.textContent.trim() || one.name])
  .filter(([box]) => Math.min(box.width, box.height) < {LEAST})
  .map(([box, name]) => `${{name}}: ${{box.width}} x ${{box.height}}`)"""
BOXES = "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
LINES = """(one) => {
  const inside = document.createRange();
  inside.selectNodeContents(one);
  return inside.getClientRects().length;
}"""


def boxes(page: Any, selector: str) -> list[dict[str, float]]:
    return list(page.locator(selector).evaluate_all(BOXES))


def test_a_thumb_hits_every_control(judged: Server, open_page: Open) -> None:
    check = judged.submit("Warsaw lies under a thumb.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    judged.client.post("/api/documents", files={"files": ("thumb.txt", b"Warsaw is the capital of Poland.")})
    text = judged.client.post("/api/texts", json={"text": TEXT}).json()
    made = judged.client.post("/api/reports", json={"text_id": text["id"]}).json()
    judged.wait_report(made["id"])
    page = open_page(judged.address, viewport={"width": 360, "height": 740})
    report = f"{made['url']}?claim=1"
    for path in ("/", "/history", "/documents", "/corpora", f"/checks/{check}", f"/texts/{text['id']}", report):
        page.goto(judged.address + path)
        assert page.locator(CONTROLS).evaluate_all(SMALL) == [], path


def test_four_ways_stand_side_by_side(judged: Server, open_page: Open) -> None:
    checks = [judged.submit(f"Warsaw lies beside {number} others.") for number in range(4)]
    for check in checks:
        judged.wait(check, lambda shown: shown["state"] == "done")
    page = open_page(f"{judged.address}/compare?{'&'.join(f'check={check}' for check in checks)}")
    assert len({round(box["y"]) for box in boxes(page, ".compared > section")}) == 1


def test_a_signed_check_stays_in_line_with_the_others(judged: Server, open_page: Open) -> None:
    """Where its row is full, the rest of it follows at the same edge."""
    check = judged.submit("Warsaw is signed in a long row.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    author = "Ada of the House of the Long Names"
    judged.client.post(f"/api/checks/{check}/decision", json={"label": "REFUTED", "author": author})
    page = open_page(f"{judged.address}/history?q=long row")
    row, ends = boxes(page, ".checks.long li")[0], boxes(page, ".checks.long li > :last-child")[0]
    assert ends["right"] == row["right"]
    assert ends["top"] > boxes(page, ".checks.long a")[0]["bottom"], "a second line"


def test_an_opened_form_starts_at_the_edge(server: Server, open_page: Open) -> None:
    server.client.post("/api/documents", files={"files": ("edge.txt", b"Warsaw is the capital of Poland.")})
    for path, opens in (("/documents", ".confirm summary"), ("/corpora", ".row summary")):
        page = open_page(server.address + path)
        expect(page.locator("[role=status]", has_text="Reading")).to_have_count(0)
        page.locator(opens).first.click()
        assert boxes(page, "details[open] form")[0]["left"] == boxes(page, "main h1")[0]["left"], path


@pytest.mark.parametrize("width", [360, 1280])
def test_a_score_stands_on_one_line_beside_its_slider(judged: Server, open_page: Open, width: int) -> None:
    text = judged.client.post("/api/texts", json={"text": TEXT}).json()
    page = open_page(judged.address + text["url"], viewport={"width": width, "height": 740})
    assert page.locator(".threshold .field span").evaluate(LINES) == 1


@pytest.mark.parametrize(
    "claim", ["Agatha Christie once disappeared for eleven days.", "The Eiffel Tower is in Berlin."]
)
def test_a_panel_shows_one_side_below_the_other(server: Server, open_page: Open, claim: str) -> None:
    made = server.client.post("/api/reports", json={"claims": [claim]}).json()
    server.wait_report(made["id"])
    page = open_page(f"{server.address}{made['url']}?claim=1")
    full, empty = (boxes(page, f"#panel .side{kind}")[0] for kind in (":not(.empty)", ".empty"))
    assert empty["top"] > full["bottom"]
    assert empty["width"] == full["width"]


def test_names_of_settings_stand_on_one_line_of_a_file(server: Server, open_page: Open, tmp_path: Path) -> None:
    made = server.client.post("/api/reports", json={"claims": ["The Eiffel Tower is in Rome."]}).json()
    server.wait_report(made["id"])
    file = tmp_path / "report.html"
    file.write_text(server.client.get(f"{made['url']}.html").text, "utf-8")
    page = open_page(file.as_uri())
    expect(page.locator("dt", has_text="relevance_model")).to_have_count(1)
    assert len({box["height"] for box in boxes(page, ".facts dt")}) == 1
