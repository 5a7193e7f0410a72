"""The menu "Link and exports" closes as menus do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.process import Server

Open = Callable[..., Any]
SUMMARY, MENU = "#keep > summary", "#keep[open]"


@pytest.mark.parametrize("width", [1280, 360])
def test_escape_and_a_click_beside_it_close_the_menu_of_a_result(judged: Server, open_page: Open, width: int) -> None:
    check = judged.submit(f"The menu of {width} closes.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    page = open_page(f"{judged.address}/checks/{check}", viewport={"width": width, "height": 740})
    page.locator(SUMMARY).click()
    page.locator("#permalink").click()
    expect(page.locator(MENU)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(MENU)).to_have_count(0)
    expect(page.locator(SUMMARY)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(MENU)).to_have_count(1)
    page.locator("footer").click()
    expect(page.locator(MENU)).to_have_count(0)


def test_escape_closes_one_thing_at_a_time(judged: Server, open_page: Open) -> None:
    claims = ["Warsaw lies beside a menu.", "Oslo lies beside a menu."]
    made = judged.client.post("/api/reports", json={"claims": claims, "text": " ".join(claims)}).json()
    judged.wait_report(made["id"])
    page = open_page(f"{judged.address}{made['url']}")
    page.locator("a.checked").first.click()
    expect(page.locator("#panel")).to_be_focused()
    page.locator(SUMMARY).click()
    page.keyboard.press("Escape")
    expect(page.locator(MENU)).to_have_count(0)
    expect(page.locator("#panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_have_count(0)


def test_without_scripts_its_button_closes_it(judged: Server, open_page: Open) -> None:
    check = judged.submit("The menu closes without scripts.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    page = open_page(f"{judged.address}/checks/{check}", java_script_enabled=False)
    page.locator(SUMMARY).click()
    expect(page.locator("#permalink")).to_be_visible()
    page.locator(SUMMARY).click()
    expect(page.locator("#permalink")).to_be_hidden()
