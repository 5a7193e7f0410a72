"""A person brings an article and leaves with a report: by keyboard, on a telephone, without scripts, through a crash."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.gate import Gate
from tests.app.process import ROOT, Server
from tests.browser.axe import axe_faults
from tests.browser.opening import open_signing
from tests.browser.test_browser import contrast_faults, go_to, on_paper, overflow

TEXTS = ROOT / "data" / "sample" / "texts"
Open = Callable[..., Any]


def article(name: str) -> str:
    return (TEXTS / name).read_text("utf-8")


def test_an_article_comes_back_as_a_report_by_keyboard_alone(server: Server, open_page: Open) -> None:
    """Pasted, reviewed, checked, read, signed; no mouse anywhere."""
    page = open_page(server.address)
    reach(page, "claim")
    page.keyboard.insert_text(article("four-records.txt"))
    page.keyboard.press("Enter")
    page.wait_for_selector("#send")
    assert "This is a text of 705 characters" in page.inner_text(".lead")
    expect(page.locator("#send")).to_have_text("Check 10 claims")
    assert page.locator("li:has(:checked) textarea").nth(1).input_value().startswith("Emil Zátopek won")
    reach(page, "threshold")
    page.keyboard.press("End")
    expect(page.locator("#send")).to_have_text("Check 0 claims")
    page.keyboard.press("Home")
    expect(page.locator("#send")).to_have_text("Check 11 claims")
    reach(page, "send")
    page.keyboard.press("Enter")
    page.wait_for_selector("body.report")
    # The whole text: "0 of 11 claims checked." ends alike.
    expect(page.locator("#status")).to_have_text(re.compile(r"^\s*11 claims checked\."))
    wrong = page.locator("a.checked.refutes", has_text="a mountaineer from Australia")
    expect(wrong).to_have_count(1)
    wrong.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    assert "Edmund Hillary" in page.inner_text("#panel h3")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_have_count(0)
    expect(wrong).to_be_focused()
    page.keyboard.press("Enter")
    against = page.locator("#panel .side.refutes a.quotation").first
    against.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel mark:focus")).to_have_count(1)
    page.keyboard.press("2")
    expect(page.locator("#panel #author")).to_be_focused()
    page.keyboard.type("Ada Lovelace")
    page.keyboard.press("Tab")
    page.keyboard.type("It was New Zealand.")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("1 signed by a person")
    expect(page.locator("#panel")).to_be_focused()


def reach(page: Any, wanted: str) -> None:
    """Press Tab until this element has the focus."""
    for _ in range(150):
        if page.evaluate("document.activeElement.id") == wanted:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by Tab")


def test_without_scripts_on_a_telephone_through_a_crash(gated: Server, gate: Gate, open_page: Open) -> None:
    page = open_page(gated.address, java_script_enabled=False, viewport={"width": 360, "height": 740})
    page.fill("#claim", article("first-steps.md"))
    page.click("button.primary")
    page.wait_for_selector("#send")
    assert overflow(page) <= 0
    page.locator(".sentences .fold > summary").first.click()  # its title, which is not chosen
    page.locator(".sentences .edit > summary").first.click()
    page.fill(".sentences textarea >> nth=0", "The first words were heard in 1969.")
    page.locator(".options > summary").click()
    page.fill("#title", "On the telephone")
    page.fill("#threshold", "0.6")
    page.click("text=Choose again")
    expect(page.locator("input[name=threshold-before]")).to_have_value("0.6")
    assert page.input_value(".sentences textarea >> nth=0") == "The first words were heard in 1969."
    assert page.input_value("#title") == "On the telephone"
    row = page.locator(".sentences .row:has(.read-as)").first
    assert row.locator(".read-as").bounding_box()["x"] == row.locator(".sentence").bounding_box()["x"]
    few = page.locator("input[name=chosen]:checked").count()
    assert 0 < few < 8
    page.locator(".sentences .fold > summary").last.click()
    page.locator("input[name=chosen]:not(:checked)").last.check()
    page.click("#send")
    page.wait_for_selector("body.report")
    address = page.url
    api = f"/api{address.removeprefix(gated.address)}?claims=no"
    assert overflow(page) <= 0
    gated.kill()
    gate.open()
    gated.start()
    go_to(page, address)
    expect(page.locator("#status")).to_have_text(re.compile(rf"^{few + 1} claims checked"))
    assert gated.client.get(api).json()["done"] == few + 1
    page.locator("a.checked.supports, a.checked.refutes").last.click()
    panel, sentence = (page.locator(one).bounding_box() for one in ("#panel", "a.checked[aria-current]"))
    assert panel["y"] >= sentence["y"] + sentence["height"], "below it, as there is no room beside it"
    assert overflow(page) <= 0
    page.locator("#panel a.quotation").first.click()
    assert page.locator("mark:target").is_visible()
    signed = page.inner_text("#panel .kicker")
    page.check("#panel [name=label][value=REFUTED]")
    page.fill("#author", "Bo")
    page.click("#panel .signing button")
    expect(page.locator("#status")).to_contain_text("1 signed by a person")
    assert page.inner_text("#panel .kicker") != signed, "the next one is open"
    page.locator("#panel .close").first.click()
    expect(page.locator("#panel")).to_have_count(0)
    page.locator(".claims tbody tr:not(:has(bdi)) a").first.click()  # which nobody has signed
    page.wait_for_selector("#for-and-against")
    assert overflow(page) <= 0
    open_signing(page)
    page.check("[name=label][value=SUPPORTED]")
    page.fill("#author", "Bo")
    page.get_by_role("button", name="Sign", exact=True).click()
    expect(page.locator(".signed")).to_contain_text("signed by Bo")


@pytest.mark.parametrize("width", [1280, 360])
def test_claims_are_signed_one_after_the_other_in_the_panel(judged: Server, open_page: Open, width: int) -> None:
    """By the keys alone, and without a page load; who decided meanwhile is told."""
    claims = [f"Of {width} towns this is number {number}." for number in (1, 2, 3)]
    made = judged.client.post("/api/reports", json={"claims": claims, "text": " ".join(claims)}).json()
    checks = [claim["check_id"] for claim in judged.wait_report(made["id"])["claims"]]
    page = open_page(f"{judged.address}{made['url']}", viewport={"width": width, "height": 800})
    page.evaluate("window.same = true")
    page.keyboard.press("2")  # nothing has the focus
    page.locator("a.checked").nth(1).press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.type("Ada 1")  # a digit in a field is a digit
    page.keyboard.press("Enter")
    expect(page.locator("#panel h3")).to_have_text(claims[2])
    expect(page.locator("#claim-2")).to_contain_text("Refuted Ada 1")
    expect(page.locator("#panel")).to_be_focused()
    assert "claim=3#sentence-3" in page.url
    judged.client.post(f"/api/checks/{checks[2]}/decision", json={"label": "SUPPORTED", "author": "Bo"})
    page.keyboard.press("3")
    expect(page.locator("#note")).to_be_focused()  # the name is remembered
    page.keyboard.type("I saw it.")
    page.keyboard.press("Enter")
    expect(page.locator("#fault")).to_contain_text("Bo decided about this claim while you did")
    assert page.input_value("#note") == "I saw it."
    assert axe_faults(page) == []
    assert overflow(page) <= 0
    page.locator("#note").press("Enter")
    expect(page.locator("#panel h3")).to_have_text(claims[0])
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("3 signed by a person")
    expect(page.locator("#panel h3")).to_have_text(claims[0])  # none is left
    assert page.evaluate("window.same"), "it was the same page all along"
    page.keyboard.press("Escape")
    expect(page.locator("a.checked").first).to_be_focused()
    labels = [claim["decision"]["label"] for claim in judged.client.get(f"/api{made['url']}").json()["claims"]]
    assert labels == ["SUPPORTED", "REFUTED", "NOT_ENOUGH_EVIDENCE"]


@pytest.mark.parametrize("width", [1280, 360])
def test_claims_of_a_table_open_below_their_rows(server: Server, open_page: Open, width: int) -> None:
    """By keys, and without a page load; what has no verdict is counted until a person signs one."""
    claims = ["The Eiffel Tower is in Berlin.", "Good morning!", f"Warsaw had {width} bridges in 1990."]
    made = server.client.post("/api/reports", json={"claims": claims}).json()
    server.wait_report(made["id"])
    page = open_page(f"{server.address}{made['url']}?sort=text", viewport={"width": width, "height": 800})
    page.evaluate("window.same = true")
    expect(page.locator(".tally")).to_contain_text("1 without a verdict")
    assert not page.locator(".how .facts").first.is_visible(), "how it was made is closed"
    links = page.locator("#found a.opens")
    links.nth(0).press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    panel, row, below = (page.locator(one).bounding_box() for one in ("#panel", "#claim-1", "#claim-2"))
    assert row["y"] + row["height"] <= panel["y"] <= panel["y"] + panel["height"] <= below["y"]
    assert axe_faults(page) == []
    assert overflow(page) <= 0
    assert panel["x"] + panel["width"] <= width
    page.keyboard.press("Escape")
    expect(page.locator("tr.opened")).to_have_count(0)
    expect(links.nth(0)).to_be_focused()
    links.nth(1).press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    expect(page.locator("#panel h3")).to_have_text(claims[2])
    expect(page.locator("tr.opened")).to_have_count(1)
    expect(page.locator("#claim-3 + tr.opened #panel")).to_be_focused()
    expect(page.locator("#claim-2")).to_contain_text("Refuted Ada")
    expect(page.locator(".tally")).not_to_contain_text("without a verdict")
    assert page.evaluate("window.same"), "it was the same page all along"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_on_the_pages_of_a_report(server: Server, open_page: Open, width: int, scheme: str) -> None:
    page = open_page(server.address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.fill("#claim", article("marie-curie.txt"))
    page.click("button.primary")
    page.wait_for_selector("#send")
    look(page, "the review")
    page.click("#send")
    page.wait_for_selector("body.report")  # the review has no progress either
    page.wait_for_selector("#progress", state="detached", timeout=120_000)
    look(page, "the report")
    assert not page.locator(".on-paper").is_visible()
    page.locator("a.checked").nth(1).click()
    expect(page.locator("#panel")).to_be_focused()
    look(page, "the panel")
    panel, text = (page.locator(one).bounding_box() for one in ("#panel", ".article"))
    assert (panel["x"] >= text["x"] + text["width"]) == (width == 1280)
    page.locator("a.checked").nth(2).click()
    expect(page.locator("#panel")).to_have_count(1)
    page.emulate_media(media="print", color_scheme=scheme)
    assert not contrast_faults(page), "on paper, whatever the screen's colours are"
    assert page.locator(".on-paper").is_visible()
    assert page.locator(".tally").is_visible()
    for place in ("#panel", ".filter", ".how details details", ".keep form"):
        assert not page.locator(place).first.is_visible(), place
    page.emulate_media(media="screen", color_scheme=scheme)
    page.locator(".claims a").first.click()
    page.wait_for_selector("#for-and-against")
    look(page, "a claim")
    page.goto(f"{server.address}/reports")
    look(page, "the list")


def look(page: Any, name: str) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => one.setAttribute('open', ''))")
    assert axe_faults(page) == [], name
    assert not contrast_faults(page), name
    assert overflow(page) <= 0, name
    page.evaluate("document.querySelector('.menu')?.removeAttribute('open')")  # it lies over what follows


def test_a_file_becomes_a_review(server: Server, open_page: Open, tmp_path: Path) -> None:
    page = open_page(server.address)
    page.set_input_files("#file", str(TEXTS / "first-steps.md"))
    page.click("button.primary")
    page.wait_for_selector("#send")
    assert "Apollo 11 landed" in page.inner_text(".sentences")


def test_a_claim_that_is_too_long_is_said_before_it_is_sent(judged: Server, open_page: Open) -> None:
    """Marked and not ticked; ticked, it stops the form until it is shortened or left out."""
    page = open_page(judged.address)
    page.fill("#claim", f"Warsaw lies on the Vistula. And so {'the story went on ' * 35}.")
    page.click("button.primary")
    page.wait_for_selector("#send")
    box, told = page.locator("input[name=chosen]").nth(1), page.locator("#fault-1")
    assert not box.is_checked()
    expect(told).to_contain_text("at most 500 are read")
    assert axe_faults(page) == []
    expect(page.locator(".threshold .field")).to_contain_text("0.30")
    page.locator("#threshold").press("Home")
    expect(page.locator(".threshold .field")).to_contain_text("0.00")
    assert not box.is_checked()
    box.check()
    field = page.get_by_label("Claim of sentence 2")
    expect(field).to_be_visible()
    page.click("#send")
    assert "at most 500" in box.evaluate("(one) => one.validationMessage")
    assert "/texts/" in page.url, "not sent"
    field.fill("The story went on.")
    expect(told).to_be_hidden()
    field.fill("on and on " * 60)
    expect(told).to_contain_text("The claim has 599 characters")
    field.fill("The story went on.")
    page.click("#send")
    page.wait_for_selector("body.report")


def test_too_many_chosen_claims_are_said_as_ticks_change(judged: Server, open_page: Open) -> None:
    text = " ".join(f"The town of Warsaw had {number} bridges in 1990." for number in range(100, 2_103))
    address = judged.client.post("/api/texts", json={"text": text}).json()["url"]
    page = open_page(judged.address + address, viewport={"width": 360, "height": 800})
    told = page.locator("#too-many")
    expect(told).to_contain_text("you chose 3 too many", timeout=30_000)
    assert overflow(page) <= 0
    for number in range(2):
        page.locator("input[name=chosen]").nth(number).uncheck()
    expect(told).to_contain_text("you chose 1 too many")
    page.locator("input[name=chosen]").nth(2).uncheck()
    expect(told).to_be_hidden()


def test_the_one_file_opens_by_itself(server: Server, open_page: Open, tmp_path: Path) -> None:
    claims = ["Warsaw is the capital of Poland.", "Marie Curie was born in Paris."]
    text = " ".join(claims)
    made = server.client.post("/api/reports", json={"claims": claims, "text": text}).json()
    server.wait_report(made["id"])
    printed = on_paper(open_page(f"{server.address}{made['url']}"))
    assert "Corpus 302 pages" in printed, "how it was made, which is closed on the screen"
    assert f"Permanent link {server.address}{made['url']}" in printed
    file = tmp_path / "report.html"
    file.write_bytes(server.client.get(f"/reports/{made['id']}.html").content)
    page = open_page(file.as_uri(), viewport={"width": 360, "height": 740})
    page.locator("a.checked").last.click()
    assert page.url.endswith("#claim-2")
    assert overflow(page) <= 0
    assert axe_faults(page) == []
    page.emulate_media(media="print")
    assert page.locator("#claim-2").is_visible()
