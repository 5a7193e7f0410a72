"""A person at a browser: claim, progress, result, and everything that can come between."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pypdfium2 as pdfium  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import expect

from tests.app.gate import Gate
from tests.app.process import Server
from tests.browser.gated_server import AT
from tests.browser.opening import open_how, open_options

CLAIM = "Agatha Christie once disappeared for eleven days."
HOSTILE = (
    '<img src=x onerror="document.title=1"> Agatha \u202eChristie\u202c disappeared. <script>document.title=2</script>'
)
FOCUSED = """() => {
  const at = document.activeElement;
  return [[at.tagName, at.id || at.className].filter(Boolean).join(" "), getComputedStyle(at).outlineStyle !== "none"];
}"""
Open = Callable[..., Any]


def ask(page: Any, claim: str = CLAIM) -> None:
    page.fill("#claim", claim)
    page.click("button.primary")


def go_to(page: Any, address: str) -> None:
    """Open an address; once more if the page began to refresh itself at that very moment."""
    from playwright.sync_api import Error

    try:
        page.goto(address)
    except Error as error:
        if "ERR_ABORTED" not in str(error):
            raise
        page.goto(address)


def overflow(page: Any) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def lines_of_navigation(page: Any) -> int:
    """On how many lines its words stand."""
    tops = page.locator(".masthead nav a").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    return len({round(top) for top in tops})


def test_claim_progress_result(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page)
    page.wait_for_selector("body.result")
    assert re.search(r"/checks/[0-9a-f]{16}(\?earlier=1)?$", page.url)  # others may have asked before
    assert page.inner_text("h1") == CLAIM
    assert page.locator(".verdict .label strong").inner_text() in ("Supported", "Refuted", "Not enough evidence")
    quotation = page.locator("a.quotation").first
    text = quotation.locator("q").inner_text().strip("“”")
    mark = page.locator(quotation.get_attribute("href"))
    assert mark.inner_text().startswith(text)
    details = mark.locator("xpath=ancestor::details")
    details.locator("summary").click()
    assert not mark.is_visible()
    quotation.click()
    assert mark.is_visible()
    assert page.evaluate("document.activeElement.tagName") == "MARK"
    page.go_back()
    page.wait_for_selector("body.home")
    assert CLAIM in page.inner_text(".checks")
    expect(page.locator("#claim")).to_have_value(CLAIM)
    ask(page, "Sydney is the capital of Australia.")  # the form works after coming back
    page.wait_for_selector("body.result")


def test_an_earlier_answer_says_so(server: Server, open_page: Open) -> None:
    claim = "Sydney is the capital of Australia."
    page = open_page(server.address)
    ask(page, claim)
    page.wait_for_selector("body.result")
    first = page.url.partition("?")[0]
    page.goto(server.address)
    ask(page, claim)
    page.wait_for_selector(".earlier")
    assert page.url == f"{first}?earlier=1"
    page.click(".earlier button")
    page.wait_for_url(lambda url: first not in url)
    page.wait_for_selector("body.result")


def test_progress_cancel_and_reload(gated: Server, gate: Gate, open_page: Open) -> None:
    page = open_page(gated.address)
    ask(page)
    page.wait_for_selector("body.live li.running progress", state="attached")
    assert page.locator(".stages li.done").count() >= 2
    assert page.locator("h1 .span").count() >= 1
    page.wait_for_selector("#found-sentences:not([hidden]) li")
    page.reload()
    page.wait_for_selector("body.live li.running progress", state="attached")
    page.click("#cancel button")
    page.wait_for_selector("text=This check was cancelled")
    check_id = page.url.rpartition("/")[2]
    assert gated.client.get(f"/api/checks/{check_id}").json()["state"] == "cancelled"
    page.click("text=Check again")
    page.wait_for_selector("body.live")
    gate.open()
    page.wait_for_selector("body.result")


def test_a_person_chooses_a_recipe_and_watches_its_steps(gated: Server, gate: Gate, open_page: Open) -> None:
    page = open_page(gated.address)
    open_options(page)
    page.check("#recipe-esoteric")
    ask(page, "The director of Casablanca was born in Budapest.")
    page.wait_for_selector("body.live #found-questions li")
    assert "Was the director of Casablanca born in Budapest?" in page.inner_text("#found-questions")
    page.wait_for_selector("li[data-stage=relevance].running", state="attached")
    assert page.locator("#claim .span.named").count() >= 1
    assert page.locator("#legend").is_visible()
    assert page.locator("#found-pages li").count() >= 2
    assert page.locator("#found-sentences li").count() >= 1
    assert "exact titles" in page.text_content("li[data-stage=titles] .detail")
    gate.open()
    page.wait_for_selector("body.result")
    assert "Was the director of Casablanca born in Budapest?" in page.inner_text(".asked")
    open_how(page)
    assert any("esoteric" in facts for facts in page.locator(".facts").all_inner_texts())
    page.click(".steps-used summary")
    assert "questions by rules" in page.inner_text(".steps-used")


def test_the_server_goes_away_and_comes_back(gated: Server, gate: Gate, open_page: Open) -> None:
    page = open_page(gated.address)
    ask(page, "Emil Zátopek won the marathon at the Olympic Games in Helsinki.")
    page.wait_for_selector("body.live li.running progress", state="attached")
    gated.kill()
    page.wait_for_selector("#gone:not([hidden])")
    assert "resumes by itself" in page.inner_text("#gone")
    gated.start()
    page.wait_for_selector("#gone", state="hidden")
    page.wait_for_selector("body.live li.running progress", state="attached")
    gate.open()
    page.wait_for_selector("body.result")


def test_a_closed_tab_loses_nothing(gated: Server, gate: Gate, open_page: Open) -> None:
    page = open_page(gated.address)
    ask(page, "Sydney is the capital of Australia.")
    page.wait_for_selector("body.live li.running", state="attached")
    address = page.url
    page.close()
    again = open_page(address)
    again.wait_for_selector("body.live li.running", state="attached")
    gate.open()
    again.wait_for_selector("body.result")


def test_without_javascript(gated: Server, gate: Gate, open_page: Open) -> None:
    page = open_page(gated.address, java_script_enabled=False)
    ask(page, "Slovakia adopted the euro before Slovenia did.")
    page.wait_for_selector("body.live .stages li.done", state="attached")
    gate.open()
    page.wait_for_selector("body.result")
    gate.close(AT)
    quotation = page.locator("a.quotation").first
    target = quotation.get_attribute("href") or ""
    quotation.click()
    assert "#quote-" in page.url
    assert page.url.endswith(target[target.index("#") :])
    page.goto(gated.address)
    ask(page, "La La Land won the Academy Award for Best Picture.")
    page.wait_for_selector("body.live")
    page.click("#cancel button")
    page.wait_for_selector("text=This check was cancelled")
    page.goto(f"{gated.address}/history")
    page.click("text=Delete the whole history")
    page.click("text=Yes, delete them all")
    page.wait_for_selector("text=No claim has been checked yet")


def test_keyboard_only(server: Server, open_page: Open) -> None:
    page = open_page(f"{server.address}/history")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.goto(server.address)
    assert page.evaluate("document.activeElement.id") == "claim", "nothing stands before the first claim"
    page.keyboard.type("Warsaw is a city in Poland.")
    page.keyboard.press("Enter")
    page.wait_for_selector("body.result")
    reached = set()
    page.locator("#keep > summary").focus()
    page.keyboard.press("Enter")
    for _ in range(150):
        page.keyboard.press("Tab")
        name, outlined = page.evaluate(FOCUSED)
        if name.startswith("BODY"):
            continue
        assert outlined, name
        reached.add(name)
    assert {"A quotation", "SUMMARY", "INPUT permalink", "BUTTON copy", "BUTTON", "A"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_and_dark(server: Server, open_page: Open, scheme: str) -> None:
    page = open_page(server.address, viewport={"width": 360, "height": 740}, color_scheme=scheme)
    assert overflow(page) <= 0
    ask(page, "W" * 200 + " disappeared once in a very long word.")
    page.wait_for_selector("body.result")
    addresses = [page.url.removeprefix(server.address), "/", "/history", "/about", "/nothing"]
    for path in addresses:
        page.goto(server.address + path)
        assert overflow(page) <= 0, path
        assert not contrast_faults(page), path
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(20, 22, 26)") == (scheme == "dark")


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_verdicts_of_every_kind_can_be_read(judged: Server, open_page: Open, width: int, scheme: str) -> None:
    """Conflicting, not sure, not resting on its evidence: both modes, a telephone and a desk."""
    page = open_page(judged.address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    for claim in ("On this the pages disagree.", "Of this it is unsure.", "This verdict stays the same."):
        page.goto(judged.address)
        ask(page, claim)
        page.wait_for_selector("body.result")
        assert overflow(page) <= 0, claim
        assert not contrast_faults(page), claim
        if "disagree" in claim:
            first, second = (page.locator(f".side.{side}").bounding_box() for side in ("supports", "refutes"))
            assert (first["y"] == second["y"]) == (width > 700), "side by side where there is room"


def test_both_sides_of_a_conflict_are_reached_by_keyboard(judged: Server, open_page: Open) -> None:
    page = open_page(judged.address)
    ask(page, "On this the pages disagree, for a keyboard.")
    page.wait_for_selector("body.result")
    assert page.locator("[aria-labelledby=side-supports] h3#side-supports").count() == 1
    against = page.locator(".side.refutes a.quotation").first
    against.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "MARK"
    assert page.evaluate("document.activeElement.textContent").startswith("Warsaw is the capital")
    open_how(page)
    hidden = page.locator(".probabilities .unseen").all_text_contents()
    assert len(hidden) == 4
    assert all("without the sentences cited" in text for text in hidden)
    assert "The verdict rests on the sentences it cites" in page.inner_text(".grounding")


def contrast_faults(page: Any) -> list[str]:
    """Texts whose contrast with what is behind them is under 4.5 to 1 (WCAG AA)."""
    faults: list[str] = page.evaluate(
        """() => {
          const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
          const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
            .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
          const behind = (element) => {
            for (let at = element; at; at = at.parentElement) {
              const color = numbers(getComputedStyle(at).backgroundColor);
              if (color.length === 3 || color[3] === 1) return color;
            }
            return [255, 255, 255];
          };
          const faults = [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const text = walker.currentNode.textContent.trim();
            const element = walker.currentNode.parentElement;
            if (!text || !element.checkVisibility() || element.closest(".skip, script")) continue;
            const [a, b] = [light(numbers(getComputedStyle(element).color)), light(behind(element))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) faults.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${text.slice(0, 30)}`);
          }
          return faults;
        }"""
    )
    return faults


def test_every_control_has_a_name_and_every_page_an_outline(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page)
    page.wait_for_selector("body.result")
    for path in (page.url.removeprefix(server.address), "/", "/history", "/about"):
        page.goto(server.address + path)
        assert page.locator("h1").count() == 1, path
        assert page.locator("main").count() == 1
        assert page.get_attribute("html", "lang") == "en"
        nameless = page.evaluate(
            """[...document.querySelectorAll("button, a, input:not([type=hidden]), textarea")]
               .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).length"""
        )
        assert nameless == 0, path
        assert page.title() not in ("", "ESOTERIC")


def test_what_scrolls_is_reached_and_scrolled_by_keyboard(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page)
    page.wait_for_selector("body.result")
    page.evaluate("document.querySelectorAll('.prose').forEach((box) => { box.style.maxHeight = '2rem'; })")
    unreached = page.evaluate(
        """[...document.querySelectorAll("main *")].filter((e) => e.scrollHeight > e.clientHeight + 1
             && ["auto", "scroll"].includes(getComputedStyle(e).overflowY)
             && e.tabIndex < 0 && !e.querySelector("a[href], button, [tabindex='0']")).map((e) => e.className)"""
    )
    assert unreached == []
    box = page.locator(".prose").first
    assert box.get_attribute("aria-label").startswith("Text of ")
    box.focus()
    page.keyboard.press("End")
    expect(box).not_to_have_js_property("scrollTop", 0)


def test_hostile_text_stays_text(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page, HOSTILE)
    page.wait_for_selector("body.result")
    assert page.locator("main img").count() == 0
    assert page.locator("main script").count() == 0
    assert "<script>" in page.inner_text("h1")
    assert page.title() not in ("1", "2")


def on_paper(page: Any) -> str:
    """The text of the page as it is printed."""
    pages = pdfium.PdfDocument(page.pdf())
    return " ".join(" ".join(one.get_textpage().get_text_range() for one in pages).split())


def test_prints_what_was_found_and_how_without_controls(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page)
    page.wait_for_selector("body.result")
    printed = on_paper(page)
    assert "Supported" in printed
    assert "Recipe careful" in printed, "how it was found, which is closed on the screen"
    assert f"Permanent link {page.url.partition('?')[0]}" in printed
    for control in ("Documents", "Link and exports", "Sign a verdict", "Add to collection", "JSON"):
        assert control not in printed, control


def test_prints_what_stands_closed(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page)
    page.wait_for_selector("body.result")
    closed = page.locator(".others li").last
    assert not closed.is_visible()
    sentence = closed.locator("q").text_content()
    assert " ".join(sentence.split()) in on_paper(page)


def test_a_mark_begins_no_line(judged: Server, open_page: Open) -> None:
    """At any width: the number of a mark stands at the end of what is marked, whatever its last character is."""
    claims = ["Is Warsaw old?", "“It is 1,000 years old!”", "It lies on the Vistula (north)", "The river is long…"]
    made = judged.client.post("/api/reports", json={"claims": claims, "text": " ".join(claims)}).json()
    judged.wait_report(made["id"])
    page = open_page(judged.address + made["url"], viewport={"width": 360, "height": 740})
    for width in range(200, 344, 3):
        page.locator(".article").evaluate("(one, width) => one.style.width = `${width}px`", width)
        begin = page.evaluate(
            """() => [...document.querySelectorAll(".article .ref")].filter((ref) => {
                 const lines = ref.parentNode.previousElementSibling.getClientRects();
                 return ref.getBoundingClientRect().left < lines[lines.length - 1].right - 1;
               }).map((ref) => ref.textContent)"""
        )
        assert begin == [], width


def test_a_refused_claim_keeps_what_was_typed(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page, "?!")
    page.wait_for_selector("[role=alert]")
    assert page.input_value("#claim") == "?!"
    assert page.get_attribute("#claim", "aria-describedby") == "problem hint"


def test_sources_open_in_a_new_tab(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    ask(page, "Charlotte Brontë wrote Jane Eyre.")
    page.wait_for_selector("body.result")
    links = page.locator("a.open")
    assert links.count() > 1
    for link in links.all():
        assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")
        assert link.get_attribute("href").startswith("https://en.wikipedia.org/wiki/")
    assert "(opens in a new tab)" in links.first.text_content()
    assert "The text is of June 2017; the page may read differently today." in page.inner_text("main")
