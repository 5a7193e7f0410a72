"""The page Corpora in a browser: from an empty start to a loaded corpus, through a pause and a kill -9, and what follows."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.app.process import Server, free_port
from tests.browser.axe import axe_faults
from tests.indexing.wikipedia.dump_server import DumpServer, serve_dumps
from tests.indexing.wikipedia.synthetic import write_dump
from tests.waiting import until

PAGES, FILES = 3_000, 4
LAST = "00003"  # the part whose fetching the tests hold up
NAME = "Simple English Wikipedia of 2025-12-07"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
LONG = 240_000  # milliseconds for a loader on a busy machine
Open = Callable[..., Any]


@dataclass
class Site:
    """An application without a corpus, and a server of dumps whose last part it gets only when the test lets it."""

    server: Server
    dumps: DumpServer
    data: Path

    def hold(self) -> None:
        self.dumps.held.add(LAST)

    def let_go(self) -> None:
        self.dumps.held.clear()

    def fetched(self, part: str) -> int:
        """How often a part was sent from its beginning."""
        return sum(method == "GET" and f"-{part}." in path and not begin for method, path, begin, _ in self.dumps.asked)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("loading")
    write_dump(folder / "dumps", PAGES, wiki="simplewiki", files=FILES)
    port, data = free_port(), folder / "data"
    with serve_dumps(folder / "dumps") as dumps:
        given = {"PORT": str(port), "DATA": str(data), "STORE": "", "WEB_PRIVATE": "127.0.0.0/8", "CONTACT": "a@b.org"}
        server = Server("-m", "app", port=port, **given)
        server.start()
        yield Site(server, dumps, data)
        server.close()


def ask_for(page: Any, site: Site) -> None:
    """See what the dump takes."""
    page.get_by_label("Another dump").check()
    page.get_by_label("Its folder or address").fill(site.dumps.url)
    page.get_by_label("Its wiki").fill("simplewiki")
    page.get_by_role("button", name="See the space and time it needs").click()
    page.locator(".planned #answer").wait_for(timeout=LONG)


# By mouse or finger, over all pages of this tab.
COUNT_CLICKS = """addEventListener("pointerdown", () => {
  sessionStorage.setItem("clicks", 1 + Number(sessionStorage.getItem("clicks")));
}, true);"""


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)


def one_is_loaded_through_a_pause_and_a_kill(site: Site, open_page: Open) -> None:
    site.hold()
    page = open_page("about:blank", viewport=WIDE)
    page.add_init_script(COUNT_CLICKS)
    page.goto(site.server.address)
    page.get_by_role("link", name="Load or choose a corpus").click()
    assert "There is none yet" in page.inner_text("main")
    assert axe_faults(page) == []
    ask_for(page, site)
    told = page.locator(".planned").inner_text()
    assert NAME in told
    assert "MB of" in told, "the disk"
    assert "less than a minute" in told, "the time"
    page.locator("#answer:focus").wait_for()
    assert axe_faults(page) == []
    page.get_by_role("button", name="Load it").click()
    page.locator(".load").wait_for()
    assert page.evaluate("sessionStorage.getItem('clicks')") == "4", "from an empty start; a listed dump needs no other"

    line = page.locator("[data-live^=line]")
    line.filter(has_text=f"{PAGES * (FILES - 1) // FILES:,} pages").wait_for(timeout=LONG)  # the last part is held
    assert "Loading: " in line.inner_text()
    assert " of " in line.inner_text()
    assert axe_faults(page) == []

    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Paused after").wait_for(timeout=LONG)
    before = [site.fetched(f"{part:05}") for part in (0, 1)]
    assert page.locator(".corpora-list h3").count() == 0, "half a corpus is none"
    narrow = open_page(f"{site.server.address}/corpora", viewport=NARROW, color_scheme="dark")
    assert fits(narrow)
    assert axe_faults(narrow) == []

    page.get_by_role("button", name="Resume").click()
    page.get_by_text("Loading: ").wait_for(timeout=LONG)
    killed = site.server.serving()
    os.kill(killed, signal.SIGKILL)
    until(lambda: site.server.serving() not in (killed, site.server.process.pid))  # the next process is started
    site.let_go()
    page.locator(".corpora-list h3", has_text=NAME).wait_for(timeout=LONG)
    assert "default" in page.locator(".corpora-list h3").inner_text()
    assert f"{PAGES:,}" in page.locator(".corpora-list .facts").inner_text()
    assert [site.fetched(f"{part:05}") for part in (0, 1)] == before, "what was loaded is not fetched again"
    assert axe_faults(page) == []
    assert not list((site.data / "loads").glob("*/downloads")), "nothing is left of the dump"
    assert (site.data / "chosen-corpus").read_text().strip() in os.listdir(site.data / "corpora")


def another_is_cancelled_then_loaded_renamed_and_chosen_and_the_first_removed(site: Site, open_page: Open) -> None:
    site.hold()
    page = open_page(f"{site.server.address}/corpora", viewport=NARROW, color_scheme="dark")
    ask_for(page, site)
    assert fits(page)
    assert axe_faults(page) == []
    page.get_by_label("Name", exact=True).fill("Second")
    page.get_by_label("Check claims against it").uncheck()
    page.get_by_role("button", name="Load it").click()
    page.get_by_text("Loading: ").wait_for(timeout=LONG)
    page.locator("summary", has_text="Cancel").click()
    page.get_by_role("button", name="Cancel the load").click()
    page.locator(".load").wait_for(state="detached", timeout=LONG)
    until(lambda: not (site.data / "corpora" / "Second").exists())  # which goes after the load is no longer shown

    site.let_go()
    ask_for(page, site)
    page.get_by_label("Name", exact=True).fill("Second")
    page.get_by_label("Check claims against it").uncheck()
    page.get_by_role("button", name="Load it").click()
    begun = page.get_by_text("The load has begun")
    begun.wait_for(timeout=LONG)
    second = page.locator(".corpora-list li", has=page.locator("h3", has_text="Second"))
    second.wait_for(timeout=LONG)
    assert "default" not in second.locator("h3").inner_text()
    expect(begun).to_have_count(0, timeout=LONG)

    second.locator("summary", has_text="Rename").click()
    second.get_by_label("New name").fill("The <b>second</b>")
    second.get_by_role("button", name="Rename").click()
    expect(page.locator(".corpora-list")).to_contain_text("The <b>second</b>", timeout=LONG)
    second = page.locator(".corpora-list li", has=page.locator("h3", has_text="second"))
    second.get_by_role("button", name="Make default").click()
    expect(page.locator(".corpora-list li").first).to_contain_text("second", timeout=LONG)
    expect(page.locator(".corpora-list li").first).to_contain_text("default")
    assert axe_faults(page) == []

    first = page.locator(".corpora-list li", has=page.locator("h3", has_text=NAME))
    first.locator("summary", has_text="Remove").click()
    first.get_by_label("I am sure").check()
    first.get_by_role("button", name="Remove").click()
    expect(page.locator(".corpora-list h3")).to_have_count(1, timeout=LONG)
    assert os.listdir(site.data / "corpora") == ["Second"]
    home = open_page(f"{site.server.address}/corpora", viewport=WIDE, java_script_enabled=False)
    assert "second" in home.locator(".corpora-list").inner_text()
    assert fits(page)


def test_corpora_are_loaded_and_changed(site: Site, open_page: Open) -> None:
    """One test, since the second walk begins with what the first has loaded."""
    one_is_loaded_through_a_pause_and_a_kill(site, open_page)
    another_is_cancelled_then_loaded_renamed_and_chosen_and_the_first_removed(site, open_page)
