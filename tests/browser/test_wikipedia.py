"""Today's Wikipedia in a browser: a quotation opens in the revision that was loaded, and an update shows where it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexing.__main__ import main
from retrieval.stores.embedded.store import EmbeddedStore
from tests.app.process import Server, free_port
from tests.browser.opening import open_options
from tests.indexing.wikipedia.dump_server import DumpServer, serve_dumps
from tests.test_wikipedia_today import CLAIM, TITLE, write_sample_dump

Open = Callable[..., Any]
FIRST, LATER = "20251207", "20251214"


@pytest.fixture
def dumps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DumpServer]:
    """The sample encyclopedia in the form of the dumps, of one week."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("DATA", str(tmp_path / "data"))
    write_sample_dump(tmp_path / "dumps", FIRST)
    with serve_dumps(tmp_path / "dumps") as served:
        yield served


@pytest.fixture
def store(dumps: DumpServer, tmp_path: Path) -> Path:
    """That week, loaded."""
    folder = tmp_path / "store"
    assert main(["wikipedia", "--address", dumps.url, "--store", str(folder)]) == 0
    return folder


@pytest.fixture
def application(store: Path, tmp_path: Path) -> Iterator[Server]:
    port = free_port()
    server = Server("-m", "app", port=port, PORT=str(port), STORE=str(store), DATA=str(tmp_path / "data"))
    server.start("/readyz", limit=180)
    yield server
    server.close()


def test_a_quotation_opens_in_its_revision_until_an_update_changes_the_page(
    application: Server, dumps: DumpServer, store: Path, tmp_path: Path, open_page: Open
) -> None:
    page = open_page(f"{application.address}/")
    page.set_default_timeout(120_000)
    open_options(page)
    page.check("#recipe-fast")
    page.fill("#claim", CLAIM)
    page.click("button.primary")
    page.wait_for_selector("body.result")
    ((loaded, _),) = EmbeddedStore(store).find_titles([TITLE])
    link = page.locator(f"a.open[href*='oldid={loaded.revision}']").first
    assert link.is_visible()
    there = f"https://en.wikipedia.org/w/index.php?title=Charlotte_Bront%C3%AB&oldid={loaded.revision}"
    assert link.get_attribute("href").partition("#")[0] == there
    assert "reads differently" not in page.inner_text("main")

    write_sample_dump(tmp_path / "dumps", LATER, changed=True)
    assert main(["wikipedia", "--address", dumps.url, "--store", str(store), "--update"]) == 0
    ((newer, _),) = EmbeddedStore(store).find_titles([TITLE])
    assert newer.revision > loaded.revision
    page.reload()
    page.wait_for_selector("text=The corpus has changed")
    assert "reads differently" in page.inner_text("main")
    assert page.locator(f"a.open[href*='oldid={loaded.revision}']").count() > 0, (
        "the quotation is still of its revision"
    )
    assert page.locator(f"a.open[href*='oldid={newer.revision}']").count() == 0
