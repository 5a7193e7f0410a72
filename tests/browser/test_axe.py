"""Every page through axe, wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.app.process import Server
from tests.browser.axe import axe_faults

Open = Callable[..., Any]
PAGES = ("/", "/compare", "/reports", "/collections", "/documents", "/history", "/about", "/about/api", "/nothing")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing(judged: Server, open_page: Open, width: int, scheme: str) -> None:
    page = open_page(judged.address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    check = judged.submit("On this the pages disagree, says axe.")
    judged.wait(check, lambda shown: shown["state"] == "done")
    for path in (*PAGES, f"/checks/{check}"):
        page.goto(judged.address + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => one.setAttribute('open', ''))")
        assert axe_faults(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, path
