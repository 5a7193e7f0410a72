"""What was checked is filed and found again: by keyboard alone, without scripts on a telephone, with nothing for axe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.process import Server
from tests.browser.axe import axe_faults
from tests.browser.test_browser import contrast_faults, overflow
from tests.browser.test_reports import reach

Open = Callable[..., Any]


def test_a_check_is_filed_and_found_by_keyboard_alone(judged: Server, open_page: Open) -> None:
    check = judged.submit("On this the pages disagree, and it is filed.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    page = open_page(f"{judged.address}/checks/{check}")
    reach(page, "new-collection")
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    page.wait_for_url("**#filed")
    page.locator(".filing .checks a").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("body.collection")
    reach(page, "q")
    page.keyboard.type("disagree")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=disagree**")
    expect(page.locator(".checks li")).to_have_count(1)
    page.get_by_role("button", name="Remove").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing in this collection matches.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_check_is_named_by_keyboard_and_found_by_its_name(judged: Server, open_page: Open, scheme: str) -> None:
    check = judged.submit(f"On this the pages disagree, and it is named in the {scheme}.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    narrow = {"width": 360, "height": 740}
    page = open_page(f"{judged.address}/checks/{check}", viewport=narrow, color_scheme=scheme)
    page.locator("#keep > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#naming summary").focus()
    page.keyboard.press("Enter")
    reach(page, "name")
    page.keyboard.type(f"Its {scheme} name, {'W' * 60}")
    assert axe_faults(page) == []
    assert overflow(page) <= 0
    page.keyboard.press("Enter")
    page.wait_for_url("**#named")
    expect(page.locator("#named")).to_contain_text(f"Its {scheme} name")
    expect(page.locator("h1")).to_contain_text("the pages disagree")
    for address in (page.url, f"{judged.address}/history?q={scheme}+NAME"):
        page.goto(address)
        assert axe_faults(page) == [], address
        assert not contrast_faults(page), address
        assert overflow(page) <= 0, address
    expect(page.locator(".checks li")).to_have_count(1)
    expect(page.locator(".checks li")).to_contain_text("the pages disagree")
    page.select_option("[name=verdict]", "SUPPORTED")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".checks li")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_scripts_on_a_telephone(judged: Server, open_page: Open, scheme: str) -> None:
    claims = ["Warsaw is a city.", "On this the pages disagree, in a report."]
    report = judged.client.post("/api/reports", json={"claims": claims, "title": "W" * 60}).json()["id"]
    judged.wait_report(report)
    narrow = {"width": 360, "height": 740}
    page = open_page(
        f"{judged.address}/reports/{report}", java_script_enabled=False, viewport=narrow, color_scheme=scheme
    )
    page.fill("#new-collection", f"On a telephone, in the {scheme}")
    page.get_by_role("button", name="Add to collection", exact=True).click()
    page.locator(".filing .checks a").first.click()
    page.select_option("[name=verdict]", "CONFLICTING")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".checks li")).to_have_count(1)
    looking = open_page(page.url, viewport=narrow, color_scheme=scheme)
    for address in (page.url, f"{judged.address}/collections", f"{judged.address}/reports/{report}"):
        looking.goto(address)
        assert axe_faults(looking) == [], address
        assert not contrast_faults(looking), address
        assert overflow(looking) <= 0, address
