"""A check is deleted and brought back in a browser, with and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.app.process import Server
from tests.browser.axe import axe_faults

CLAIM = "The Eiffel Tower stands in a town of undone deletions."


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_deleted_check_comes_back(server: Server, open_page: Callable[..., Any], scripts: bool) -> None:
    page = open_page(f"{server.address}/", java_script_enabled=scripts, viewport={"width": 360, "height": 740})
    page.fill("#claim", CLAIM)
    page.click("button.primary")
    page.wait_for_selector("body.result", timeout=120_000)
    result = page.url.partition("?")[0]  # the second of the same claim says that it was checked earlier

    page.goto(f"{server.address}/history")
    page.locator("summary", has_text="Delete").first.click()  # the newest stands first
    page.get_by_role("button", name="Yes, delete it").first.click()
    page.get_by_text("You can undo this for ten minutes").wait_for()
    assert page.locator(f"main li:has-text('{CLAIM}')").count() == 0
    if scripts:
        assert axe_faults(page) == []
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("body.result")
    assert page.url == result
    page.goto(f"{server.address}/history")
    assert CLAIM in page.inner_text("main")
