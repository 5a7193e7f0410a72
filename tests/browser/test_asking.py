"""What stands before a check: the choices beside the field, the bookmark, and no column that stands empty."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from app.home.pages import MOST_SELECTED
from tests.app.process import Server
from tests.browser.axe import axe_faults
from tests.browser.opening import open_options
from tests.workbook import write_workbook

Open = Callable[..., Any]
EMPTY_BESIDE_FULL = """() => [...document.querySelectorAll(".columns")].filter((row) => {
  const columns = getComputedStyle(row).gridTemplateColumns.split(" ").length;
  const filled = [...row.children].filter((one) => one.checkVisibility() && one.innerText.trim()).length;
  return columns > 1 && filled < columns;
}).length"""


def test_choices_stand_behind_one_line_and_are_remembered(judged: Server, open_page: Open) -> None:
    page = open_page(judged.address)
    assert not page.locator(".ways").is_visible()
    page.locator("#options > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#recipe-fast").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("#recipe-esoteric").is_checked()
    expect(page.locator("#chosen")).to_contain_text("As in the thesis")
    page.goto(judged.address)
    assert page.locator("#recipe-esoteric").is_checked(), "remembered"
    expect(page.locator("#chosen")).to_contain_text("As in the thesis")
    page.goto(f"{judged.address}/?recipe=fast")
    assert page.locator("#recipe-fast").is_checked(), "an address that names another goes first"


@pytest.mark.parametrize("width", [1280, 360])
def test_home_tells_of_the_thesis_while_its_recipe_is_chosen(judged: Server, open_page: Open, width: int) -> None:
    page = open_page(judged.address, viewport={"width": width, "height": 740})
    assert not page.locator(".thesis").is_visible()
    page.locator("#options > summary").click()
    for recipe, shown in (("esoteric", True), ("fast", False)):
        page.locator(f"#recipe-{recipe}").check()
        assert page.locator(".thesis").is_visible() == shown
    page.locator("#recipe-esoteric").check()
    assert {"Purpose", "Instructions", "Dataset"} <= set(page.locator(".thesis h3").all_inner_texts())
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1280, 360])
def test_an_example_is_one_click(judged: Server, open_page: Open, width: int) -> None:
    page = open_page(judged.address, viewport={"width": width, "height": 740})
    example = page.locator("button[name=example]").first
    claim = example.inner_text()
    place = example.bounding_box()
    assert place["y"] + place["height"] <= 740, "in sight"
    example.click()
    page.wait_for_selector("body.result")
    assert page.inner_text("h1") == claim


def test_no_empty_column_beside_a_full_one(judged: Server, open_page: Open) -> None:
    page = open_page(judged.address)
    for path in ("/", "/documents", "/history", "/about"):
        page.goto(judged.address + path)
        assert page.evaluate(EMPTY_BESIDE_FULL) == 0, path


def test_the_bookmark_sends_what_is_selected(judged: Server, open_page: Open) -> None:
    page = open_page(f"{judged.address}/about")
    link = page.locator("a.bookmarklet").get_attribute("href")
    assert page.input_value("#bookmark-address") == link
    assert link.startswith("javascript:")
    before = judged.client.get("/api/checks").json()
    elsewhere = open_page("about:blank")
    for text, fits in (
        ("Warsaw isn't 100 % \u201csmall\u201d & old\U0001f600.", True),
        ("Zażółć gęślą jaźń. " * 2_000, False),
    ):
        elsewhere.set_content("<p></p>")
        elsewhere.evaluate("text => { document.querySelector('p').textContent = text }", text)
        elsewhere.evaluate("getSelection().selectAllChildren(document.body)")
        with elsewhere.context.expect_page() as opened:
            elsewhere.evaluate(link.removeprefix("javascript:"))
        home = opened.value
        expect(home.locator("h1")).to_be_visible()
        filled = home.input_value("#claim")
        assert home.url.startswith(f"{judged.address}/?text=")
        assert home.url.endswith("&cut=1") is not fits
        if fits:
            assert filled == text
            assert home.locator("#cut").count() == 0
        else:
            assert text.startswith(filled)
            assert 0.99 * MOST_SELECTED <= len(quote(filled, safe="-_.!~*'()")) <= MOST_SELECTED
            assert "its beginning only" in home.inner_text("#cut")
    assert judged.client.get("/api/checks").json() == before


@pytest.mark.parametrize("scripts", [True, False])
def test_a_claim_is_compared_under_two_recipes(server: Server, open_page: Open, scripts: bool) -> None:
    claim = f"Agatha Christie once disappeared for {'eleven' if scripts else 'twelve'} days."
    page = open_page(f"{server.address}/compare?claim={claim}", java_script_enabled=scripts)
    assert page.input_value("#claim") == claim
    page.check("#recipe-esoteric")
    page.click("button.primary")
    expect(page.locator(".compared section")).to_have_count(2)
    expect(page.locator(".compared .said strong")).to_have_count(2, timeout=120_000)
    expect(page.locator(".compared h2")).to_have_text(["Careful", "As in the thesis"])
    assert re.match(r"(Both say|They differ: ).*cite", page.inner_text(".lead"))
    first, second = (page.locator(".compared section").nth(n).bounding_box() for n in (0, 1))
    assert first["y"] == second["y"]
    if scripts:
        for width, scheme in ((1280, "light"), (360, "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            assert axe_faults(page) == []
            assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        page.get_by_role("link", name="Open this check").first.click()
        page.wait_for_selector("body.result")


def test_a_workbook_of_500_claims_is_checked(judged: Server, open_page: Open, tmp_path: Path) -> None:
    """Most of its claims are said ten times, so that no hundreds of checks are waited for: claims that say the same share
    one. `tests/app/reports/test_run.py` counts claims that all differ.
    """
    said = [f"Town {n % 50} has {n % 50 + 7} bridges." for n in range(499)]
    rows = [["no", "said by", "what was said"], *[[n, "Ada", claim] for n, claim in enumerate(said)]]
    rows.append([499, "Ada", "Town 499 has 506 bridges."])
    book = write_workbook(tmp_path / "claims.xlsx", Claims=rows)
    page = open_page(judged.address)
    page.set_input_files("#file", str(book))
    page.locator("button.primary").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("body.table")
    assert page.locator("#column-3").is_checked()
    assert "500 cells" in page.inner_text(".way:has(#column-3)")
    assert axe_faults(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.locator("button.primary").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/reports/*")
    expect(page.locator("#status")).to_have_text(re.compile(r"^\s*500 claims checked\."), timeout=300_000)
    shown = judged.client.get(f"/api/reports/{page.url.rpartition('/')[2].partition('?')[0]}").json()
    assert [shown["done"], shown["failed"]] == [500, 0]
    assert [claim["text"] for claim in shown["claims"]] == [row[2] for row in rows[1:]]
    assert len({claim["check_id"] for claim in shown["claims"]}) == 51
    expect(page.locator("main")).to_contain_text("Town 499 has 506 bridges.")  # it loads itself again at the end


def test_a_file_beside_a_claim_is_sent_by_neither(judged: Server, open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "article.md").write_text("Warsaw lies on the Vistula.")
    page, remove = open_page(judged.address), "#no-file"
    open_options(page)
    assert not page.is_visible(remove)
    page.fill("#claim", "Warsaw is in Poland.")
    page.set_input_files("#file", tmp_path / "article.md")
    page.press("#claim", "Enter")
    assert page.url.rstrip("/") == judged.address.rstrip("/"), "not sent"
    page.locator("#options > summary").click()
    page.press("#claim", "Enter")
    expect(page.locator("#options[open]")).to_have_count(1)
    assert page.evaluate("document.getElementById('file').validationMessage").startswith("You typed something and also")
    assert page.input_value("#claim") == "Warsaw is in Poland."
    assert page.evaluate("document.getElementById('file').files.length") == 1, "both are kept"
    assert axe_faults(page) == []
    page.fill("#claim", "")
    (tmp_path / "large.md").write_bytes(b"x" * 20_000_001)
    page.set_input_files("#file", tmp_path / "large.md")
    page.press("#claim", "Enter")
    assert page.url.rstrip("/") == judged.address.rstrip("/"), "nor is this sent"
    assert page.evaluate("document.getElementById('file').validationMessage").startswith(
        "This file is larger than 20 MB"
    )
    page.fill("#claim", "Warsaw is in Poland.")
    page.click(remove)
    assert not page.is_visible(remove)
    page.press("#claim", "Enter")
    page.wait_for_url("**/checks/*")


TYPED = {
    "Dr. Curie lived there, at No. 5.": "claim",
    "Curie lived there. She swam a lot.": "text",
    "He ran. She swam.": "claim",
    "He was born in the U.S. The country is large today.": "text",
    "Jan. 5 was a cold day in all of Poland. it was said so!": "claim",
    "1. Warsaw is a city.": "claim",
    "Warsaw is a city\nKraków is another city": "text",
    "Is Émile Zola “the best?” He was quite good.": "text",
    "a " * 251: "long",
    "https://example.org/a": "off",
}


def test_the_field_says_what_it_saw_as_the_server_does(judged: Server, open_page: Open) -> None:
    page = open_page(judged.address)
    for typed, kind in TYPED.items():
        page.fill("#claim", typed)
        expect(page.locator("#seen")).to_have_attribute("data-kind", kind)
        expect(page.locator("#seen")).not_to_be_empty()
        if kind != "off":
            token = page.input_value(".ask [name=csrf_token]")
            answer = page.request.post(
                f"{judged.address}/checks", form={"claim": typed, "csrf_token": token}, max_redirects=0
            )
            assert ("/checks/" in answer.headers["location"]) == (kind == "claim"), typed
    assert axe_faults(page) == []
    page.fill("#claim", "")
    expect(page.locator("#seen")).to_be_hidden()
    page.goto(f"{judged.address}/?text=Warsaw+is+a+city.+It+is+large+too.")
    expect(page.locator("#seen")).to_contain_text("a text of several sentences")
    page.fill("#claim", "https://example.org/a")
    page.press("#claim", "Enter")
    expect(page.locator("#problem")).to_contain_text("This is an address")
    page.wait_for_load_state("load")
    expect(page.locator("#seen")).to_be_hidden()  # the refusal says it
    page.fill("#claim", "https://example.org/b")
    expect(page.locator("#seen")).to_contain_text("the address of a page")


def test_a_claim_of_several_sentences_becomes_a_text_after_all(judged: Server, open_page: Open) -> None:
    page = open_page(judged.address)
    page.fill("#claim", "Warsaw swims. It sinks.")
    page.click("button.primary")
    page.get_by_role("button", name="Find the claims in it instead").click()
    page.wait_for_selector("#send")
    assert page.locator(".sentences li").count() == 2
