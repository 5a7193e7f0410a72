"""A person signs in, checks a claim of their own, shares it, and makes a token: by keyboard, on a telephone, in the dark."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.process import Server, free_port
from tests.browser.axe import axe_faults
from tests.browser.test_browser import contrast_faults, lines_of_navigation, overflow

PASSWORD = "correct horse battery"
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The quick application, with accounts."""
    port = free_port()
    data = str(tmp_path_factory.mktemp("data"))
    server = Server("-m", "tests.app.fake_server", data, str(port), port=port, ACCOUNTS="1")
    server.start("/readyz", limit=60)
    yield server
    server.close()


def sign_in(page: Any, name: str, password: str = PASSWORD) -> None:
    page.fill("#name", name)
    page.fill("#password", password)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def readable(page: Any, name: str) -> None:
    assert overflow(page) <= 0, name
    assert not contrast_faults(page), name
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_signing_in_and_what_is_ones_own(closed: Server, open_page: Open, width: int, scheme: str) -> None:
    look = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    page = open_page(f"{closed.address}/history", **look)
    readable(page, f"sign-in-{width}")
    sign_in(page, "chen", "wrong")
    expect(page.locator("#problem")).to_contain_text("Name or password is wrong.")
    expect(page.locator("#name")).to_have_value("chen")
    readable(page, f"refused-{width}")
    sign_in(page, "chen")
    expect(page.locator("h1")).to_have_text("History")
    page.goto(closed.address)
    readable(page, f"home-{width}")
    claim = f"Somebody with a screen of {width} pixels checks this."
    page.fill("#claim", claim)
    page.click("button.primary")
    page.wait_for_selector("body.result")
    readable(page, f"result-{width}")
    own = page.url
    other = open_page(own, **look)
    sign_in(other, "ada")
    expect(other.locator("body")).to_have_class("result")  # an admin sees it
    page.locator("#keep > summary").click()
    page.get_by_role("button", name="Share with everyone here").click()
    page.locator("#keep > summary").click()
    expect(page.get_by_role("button", name="Make private")).to_be_visible()
    page.goto(f"{closed.address}/history")
    expect(page.locator(".checks .meta").first).to_contain_text("chen, shared")
    readable(page, f"history-{width}")
    page.goto(f"{closed.address}/documents")
    readable(page, f"documents-{width}")


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_an_account_and_its_tokens(closed: Server, open_page: Open, width: int, scheme: str) -> None:
    page = open_page(
        f"{closed.address}/account",
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        java_script_enabled=False,
    )
    sign_in(page, "ada")
    page.get_by_label("Name of a new token").fill(f"nightly {width}")
    page.keyboard.press("Enter")
    expect(page.locator("[role=status] code").first).to_contain_text("esoteric_")
    readable(page, f"account-{width}")
    assert lines_of_navigation(page) == 1, "with the account as well"
    page.get_by_role("button", name=f"Revoke nightly {width}").click()
    expect(page.get_by_text(f"nightly {width}")).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("h1")).to_have_text("Sign in")


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_an_admin_and_the_people(closed: Server, open_page: Open, width: int, scheme: str) -> None:
    name = f"bela{width}"
    page = open_page(
        f"{closed.address}/account",
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        java_script_enabled=False,
    )
    sign_in(page, "ada")
    page.get_by_role("link", name="People who have an account here").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Role", exact=True).last.select_option("reader")
    page.locator("#password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("[role=status]")).to_have_text(f"Added {name}, reader.")
    page.get_by_text(f"Change {name}").click()
    page.get_by_label(f"Role of {name}").select_option("checker")
    readable(page, f"people-{width}")
    page.get_by_role("button", name=f"Change the role of {name}").click()
    expect(page.locator("[role=status]")).to_have_text(f"{name} is checker from now on.")
    page.get_by_text("Change ada").click()
    page.get_by_label("I am sure: ada").check()
    page.get_by_role("button", name="Remove ada").click()
    expect(page.locator("#problem")).to_contain_text("ada is the only admin")
    readable(page, f"people-refused-{width}")
    page.get_by_text(f"Change {name}").click()
    page.get_by_label(f"I am sure: {name}").check()
    page.get_by_role("button", name=f"Remove {name}").click()
    expect(page.locator("[role=status]")).to_contain_text(f"Removed {name}.")
    expect(page.locator(".people h3")).to_have_count(2)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_behind_the_login(closed: Server, open_page: Open, width: int, scheme: str) -> None:
    page = open_page(f"{closed.address}/people", viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert axe_faults(page) == []
    sign_in(page, "ada")
    for path in ("/people", "/account"):
        page.goto(closed.address + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => one.setAttribute('open', ''))")
        assert axe_faults(page) == [], path
        assert overflow(page) <= 0, path
