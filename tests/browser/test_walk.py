"""A claim, an article and a table, from the field to a signed verdict: by keyboard alone, at both widths, with and without
scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from tests.app.process import Server
from tests.browser.test_browser import overflow

Open = Callable[..., Any]
MOST_TABS = 150


def reach(page: Any, wanted: str) -> None:
    """Press Tab until what matches this selector has the focus."""
    for _ in range(MOST_TABS):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by Tab")


def enter(page: Any, wanted: str, shown: str) -> None:
    """Press Enter there, and wait for what it leads to, which is not wider than the window."""
    reach(page, wanted)
    page.keyboard.press("Enter")
    page.wait_for_selector(shown)
    try:
        wider = overflow(page)
    except Error:  # the live page gave way to the result while it was measured
        page.wait_for_load_state()
        wider = overflow(page)
    assert wider <= 0, shown


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_walk(judged: Server, open_page: Open, tmp_path: Path, width: int, scripts: bool) -> None:
    scheme = "dark" if scripts else "light"
    page = open_page(
        judged.address, java_script_enabled=scripts, color_scheme=scheme, viewport={"width": width, "height": 800}
    )
    name = f"Walked at {width}, {scripts}"
    page.keyboard.type(f"{name}: the pages disagree.")  # the field has the focus
    enter(page, "button.primary", "body.result")
    enter(page, "details.sign > summary", "details.sign[open]")
    reach(page, "[name=label]")
    page.keyboard.press("Space")
    reach(page, "#author")
    page.keyboard.type("Ada")
    enter(page, ".signing button", ".signed")

    page.goto(judged.address)
    page.keyboard.type(f"{name} lies a town. {name} lies another one.")
    enter(page, "button.primary", "#send")
    enter(page, "#send", "body.report")
    expect(page.locator("#status")).to_have_text(re.compile(r"^\s*2 claims checked"))
    enter(page, "a.checked", "#panel")
    reach(page, "#panel [name=label]")
    page.keyboard.press("Space")
    assert page.input_value("#panel #author") == "Ada", "remembered"
    enter(page, "#panel .signing button", "#panel")
    expect(page.locator("#status")).to_contain_text("1 signed by a person")

    (tmp_path / "said.csv").write_text(
        f'number,claim\n1,"{name} stands a tower."\n2,"{name} stands a bridge."\n', "utf-8"
    )
    page.goto(judged.address)
    enter(page, "#options > summary", "#options[open]")
    page.set_input_files("#file", tmp_path / "said.csv")
    enter(page, "button.primary", "body.table")
    enter(page, "button.primary", "body.report")
    expect(page.locator("#status")).to_have_text(re.compile(r"^\s*2 claims checked"))
    enter(page, "#found tbody a", "tr.opened #panel")
    reach(page, "#panel [name=label]")
    page.keyboard.press("Space")
    enter(page, "#panel .signing button", "#panel")
    expect(page.locator("#status")).to_contain_text("1 signed by a person")
