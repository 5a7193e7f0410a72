"""What a page shows only for a while, or where something failed, through axe: wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.gate import Gate
from tests.app.process import Server, free_port
from tests.browser.opening import open_signing
from tests.browser.test_reports import look

Open = Callable[..., Any]
HELD = "pages"  # the stage in which the checks at work wait
GERMAN = "Der Mann ist nicht mit der Frau in die Stadt gegangen. Das ist auch gut so für sie alle."
UNNAMED = b"what they said,who said it\nThe moon is round.,Ada of York\nRome is very old.,Bo\n"
UNFIT = ["too long " * 60, "Let it explode."]


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Gate]]:
    """The application over the quick fake pipeline, with a gate."""
    port, gate = free_port(), Gate(tmp_path_factory.mktemp("gate"))
    data = str(tmp_path_factory.mktemp("data"))
    server = Server("-m", "tests.app.fake_server", data, str(port), str(gate.folder), port=port)
    server.start("/readyz", limit=60)
    yield server, gate
    gate.open()
    server.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_where_work_is_not_done(
    held: tuple[Server, Gate], open_page: Open, width: int, scheme: str
) -> None:
    server, gate = held
    page = open_page(server.address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    for name, address in ended(server, gate, scheme).items():
        page.goto(server.address + address)
        look(page, name)
    decided_meanwhile(server, page, f"Two decide in {scheme}.")
    look(page, "a decision that came too late")
    refused(server, page)
    look(page, "a refused text")
    gate.close("finding claims")
    sent = server.client.post("/api/texts", json={"text": "Warsaw is a city. " * 1_200}).json()
    page.goto(f"{server.address}/texts/{sent['id']}")
    expect(page.locator("#status")).to_contain_text("Finding the claims")
    look(page, "a text being read")
    page.goto(server.address)  # a text's page loads itself again once it has been read
    gate.close(HELD)
    live = server.submit(f"This waits in {scheme}.")
    server.wait(live, lambda shown: shown["state"] == "running")
    made = server.client.post("/api/reports", json={"claims": ["One waits.", "Two wait."], "text": "One waits."}).json()
    for name, address in (("a live check", f"/checks/{live}"), ("a report at work", made["url"])):
        page.goto(server.address + address)
        expect(page.locator("#status")).not_to_be_empty()
        look(page, name)
    gate.open()


def ended(server: Server, gate: Gate, scheme: str) -> dict[str, str]:
    """Name -> address of what has ended, but not well, and of a table that nobody has chosen a column of."""
    failed = server.submit(f"This will explode in {scheme}.")
    server.wait(failed, lambda shown: shown["state"] == "failed")
    gate.close(HELD)
    stopped = server.submit(f"This is stopped in {scheme}.")
    assert server.client.post(f"/api/checks/{stopped}/cancel").json()["state"] == "cancelled"
    gate.open()
    body = {"claims": UNFIT, "text": " ".join(UNFIT), "title": "What failed"}
    report = server.client.post("/api/reports", json=body).json()
    server.wait_report(report["id"])
    table = server.client.post("/api/tables", files={"file": ("said.csv", UNNAMED)}).json()
    return {
        "a failed check": f"/checks/{failed}",
        "a stopped check": f"/checks/{stopped}",
        "a claim that cannot be checked": f"{report['url']}/claims/1",
        "a claim whose check failed": f"{report['url']}/claims/2",
        "its panel": f"{report['url']}?claim=2",
        "a table": table["url"],
    }


def decided_meanwhile(server: Server, page: Any, claim: str) -> None:
    check = server.submit(claim)
    server.wait(check, lambda shown: shown["state"] == "done")
    page.goto(f"{server.address}/checks/{check}")
    server.client.post(f"/api/checks/{check}/decision", json={"label": "REFUTED", "author": "Ada"})
    open_signing(page)
    page.check("[name=label][value=SUPPORTED]")
    page.fill("#author", "Bo")
    page.get_by_role("button", name="Sign", exact=True).click()
    expect(page.locator("#fault")).to_contain_text("Ada decided about this claim while you did")


def refused(server: Server, page: Any) -> None:
    page.goto(server.address)
    page.fill("#claim", GERMAN)
    page.click("button.primary")
    expect(page.locator("#problem")).to_contain_text("not English")
    expect(page.get_by_label("Your text")).to_have_value(GERMAN)
