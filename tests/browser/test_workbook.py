"""A workbook of 500 claims that all differ becomes a report: by keyboard alone, on a telephone, without scripts, through a
crash half-way, with the real pipeline over a corpus of two pages.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from app.tables.checks import table as checks
from app.tables.database import open_engine
from indexing.load import load_fever
from retrieval.settings import Settings
from tests.app.gate import Gate
from tests.app.process import Server, free_port
from tests.browser.gated_server import AT
from tests.browser.test_browser import contrast_faults, go_to, overflow
from tests.making import dump_row, write_dump
from tests.workbook import write_workbook

Open = Callable[..., Any]
MANY = 500
WAIT = 300.0  # seconds: a busy machine is no fault
PAGES = {"Harlow": "Harlow is a town with 7 bridges .", "Brackwater": "Brackwater has a harbour with 3 cranes ."}


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "gate")


@pytest.fixture
def small(tmp_path: Path, gate: Gate) -> Iterator[Server]:
    """The real application, recipe `fast`, over a corpus of two pages."""
    store = tmp_path / "store"
    load_fever([write_dump(tmp_path / "wiki-001.jsonl", [dump_row(*page) for page in PAGES.items()])], str(store))
    port, environment = free_port(), {"STORE": str(store), "DATA": str(tmp_path / "data"), "RECIPE": "fast"}
    server = Server("-m", "tests.browser.gated_server", str(port), str(gate.folder), port=port, **environment)
    server.start("/readyz")
    yield server
    server.close()


def test_a_workbook_of_500_claims_by_keyboard_without_scripts_through_a_crash(
    small: Server, gate: Gate, open_page: Open, tmp_path: Path
) -> None:
    said = [f"Nobody counted {n} ships." if n % 5 else f"Harlow had {n} bridges." for n in range(MANY)]
    book = write_workbook(tmp_path / "claims.xlsx", Claims=[["no", "claim"], *enumerate(said)])
    page = open_page(small.address, java_script_enabled=False, viewport={"width": 360, "height": 740})
    press(page, "#options > summary")
    tab_to(page, "#file")
    page.set_input_files("#file", str(book))  # the dialogue itself is the browser's
    press(page, "button.primary")
    page.wait_for_selector("body.table")
    assert page.locator("#column-2").is_checked()
    assert page.locator("#recipe-fast").is_checked()
    readable(page)
    press(page, "button.primary")
    page.wait_for_selector("body.report")
    address = page.url
    path = f"/api{address.removeprefix(small.address)}"
    page.goto("about:blank")  # its reloading every second would only slow the checks down
    wait_until_done(small, path, MANY // 2)
    gate.close(AT)
    small.kill()
    small.start()
    assert MANY // 2 <= small.client.get(f"{path}?claims=no").json()["done"] < MANY
    gate.open()
    wait_until_done(small, path, MANY)
    go_to(page, address)
    expect(page.locator("#status")).to_have_text(re.compile(rf"^\s*{MANY} claims checked\."))
    assert page.locator(".claims tbody tr").count() == MANY, "the browser's own search finds each"
    report = small.client.get(path).json()
    assert [claim["text"] for claim in report["claims"]] == said
    assert {claim["state"] for claim in report["claims"]} == {"done"}
    assert stored_checks(tmp_path / "data", report["id"]) == sorted(claim["check_id"] for claim in report["claims"])
    readable(page)


def wait_until_done(server: Server, path: str, many: int) -> None:
    """Until so many claims of a report have been checked. Asked rarely, as each answer counts them all."""
    end = time.monotonic() + WAIT
    while (told := server.client.get(f"{path}?claims=no").json())["done"] < many:
        assert time.monotonic() < end, told
        time.sleep(0.2)


def tab_to(page: Any, wanted: str) -> None:
    """Press Tab until such an element has the focus."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"{wanted} is not reached by Tab")


def press(page: Any, button: str) -> None:
    tab_to(page, button)
    page.keyboard.press("Enter")


def readable(page: Any) -> None:
    """On a narrow screen, in light and in dark."""
    assert overflow(page) <= 0
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert not contrast_faults(page), scheme


def stored_checks(data: Path, report_id: str) -> list[str]:
    """Ids of all checks that were ever begun for a report."""
    engine = open_engine(Settings(data=data))
    with engine.connect() as connection:
        found = list(connection.execute(sa.select(checks.c.id).where(checks.c.report == report_id)).scalars())
    engine.dispose()
    return sorted(found)
