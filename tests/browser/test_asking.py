"""What stands before a check: the choices beside the field, the bookmark, and no column that stands empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.app.process import Server

Open = Callable[..., Any]
EMPTY_BESIDE_FULL = """() => [...document.querySelectorAll(".columns")].filter((row) => {
  const columns = getComputedStyle(row).gridTemplateColumns.split(" ").length;
  const filled = [...row.children].filter((one) => one.checkVisibility() && one.innerText.trim()).length;
  return columns > 1 && filled < columns;
}).length"""


def test_choices_stand_beside_the_field_and_are_reached_by_keyboard(judged: Server, open_page: Open) -> None:
    page = open_page(judged.address)
    field, ways = page.locator("#claim").bounding_box(), page.locator(".ways").bounding_box()
    assert ways["x"] > field["x"] + field["width"]
    page.locator("#recipe-fast").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("#recipe-esoteric").is_checked()
    page.set_viewport_size({"width": 360, "height": 740})
    field, ways = page.locator("#claim").bounding_box(), page.locator(".ways").bounding_box()
    assert ways["y"] > field["y"]


def test_no_empty_column_beside_a_full_one(judged: Server, open_page: Open) -> None:
    page = open_page(judged.address)
    for path in ("/", "/documents", "/history", "/about"):
        page.goto(judged.address + path)
        assert page.evaluate(EMPTY_BESIDE_FULL) == 0, path
    page.goto(judged.address)
    page.evaluate("document.querySelector('.columns > div').remove()")  # nothing to try, nothing checked yet
    assert page.evaluate(EMPTY_BESIDE_FULL) == 0


def test_the_bookmark_sends_what_is_selected(judged: Server, open_page: Open) -> None:
    page = open_page(f"{judged.address}/about")
    link = page.locator("a.bookmarklet").get_attribute("href")
    assert page.input_value("#bookmark-address") == link
    assert link.startswith("javascript:")
    before = judged.client.get("/api/checks").json()
    elsewhere = open_page("about:blank")
    for text, least in (
        ("Warsaw isn't 100 % \u201csmall\u201d & old\U0001f600.", 30),
        ("Zażółć gęślą jaźń. " * 2_000, 5_000),
    ):
        elsewhere.set_content("<p></p>")
        elsewhere.evaluate("text => { document.querySelector('p').textContent = text }", text)
        elsewhere.evaluate("getSelection().selectAllChildren(document.body)")
        with elsewhere.context.expect_page() as opened:
            elsewhere.evaluate(link.removeprefix("javascript:"))
        home = opened.value
        expect(home.locator("h1")).to_be_visible()
        filled = home.input_value("#claim")
        assert len(filled) >= least
        assert text.strip().startswith(filled)
        assert home.url.startswith(f"{judged.address}/?text=")
    assert judged.client.get("/api/checks").json() == before
