"""`make wikipedia-today` as a person meets it: a running application, revisions to click on, an update that is noticed, a load
that is broken off.
"""

from __future__ import annotations

import bz2
import functools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexing.fever import parse_row
from retrieval.stores.embedded.store import EmbeddedStore
from tests.app.process import Server, free_port
from tests.conftest import SAMPLE
from tests.indexing.wikipedia.dump_server import serve_dumps
from tests.indexing.wikipedia.synthetic import two_lines
from tests.test_make import make

pytestmark = pytest.mark.slow

CLAIM = "Charlotte Brontë was born in Thornton."
TITLE = "Charlotte Brontë"


def write_sample_dump(folder: Path, date: str, changed: bool = False) -> None:
    """The sample encyclopedia in the form of the dumps; changed: one page has another text and revision, and one page
    more links to each."""
    place = folder / date / "index_name=enwiki_content"
    place.mkdir(parents=True)
    lines = []
    for number, raw in enumerate((SAMPLE / "wiki-001.jsonl").read_bytes().splitlines()):
        if page := parse_row(raw):
            other = changed and page.title == TITLE
            text = page.text.replace("Thornton", "a village") if other else page.text
            document = {"page_id": number, "title": page.title, "opening_text": text, "incoming_links": 1 + changed}
            lines.append(two_lines({**document, "version": 1000 + number + (5000 if other else 0)}))
    (place / f"enwiki_content-{date}-00000.json.bz2").write_bytes(bz2.compress(b"".join(lines)))
    (place / "_SUCCESS").touch()


@pytest.fixture
def application(tmp_path: Path) -> Iterator[Server]:
    """Over the sample, which `make wikipedia-today` is to replace."""
    assert make("sample", tmp_path).returncode == 0
    port = free_port()
    server = Server("-m", "app", port=port, DATA=str(tmp_path), PORT=str(port), STORE="", RECIPE="fast")
    try:
        server.start("/readyz", limit=60)
        yield server
    finally:
        server.close()


def answer(server: Server, claim: str) -> dict[str, Any]:
    """The check of a claim, once it is done."""
    check_id = server.client.post("/api/checks", json={"claim": claim}).json()["id"]
    deadline = time.monotonic() + 60
    while (check := server.client.get(f"/api/checks/{check_id}").json())["state"] in ("queued", "running"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert check["state"] == "done", check
    return dict(check)


def test_from_the_sample_to_wikipedia_and_on(application: Server, tmp_path: Path) -> None:
    write_sample_dump(tmp_path / "dumps", "20251207")
    with serve_dumps(tmp_path / "dumps") as dumps:
        loaded = make("wikipedia-today", tmp_path, f"ADDRESS={dumps.url}")
        assert loaded.returncode == 0, loaded.stderr
        check = answer(application, CLAIM)
        cited = next(evidence for evidence in check["evidence"] if evidence["title"] == TITLE)
        assert (
            cited["url"]
            == f"https://en.wikipedia.org/w/index.php?title=Charlotte_Bront%C3%AB&oldid={cited['revision']}"
        )
        assert cited["retrieved"] == "2025-12-07"
        shown = application.client.get(f"/checks/{check['id']}").text
        assert f"oldid={cited['revision']}#:~:text=" in shown
        assert "The corpus has changed" not in shown
        write_sample_dump(tmp_path / "dumps", "20251214", changed=True)
        updated = make("wikipedia-today", tmp_path, f"ADDRESS={dumps.url}", "UPDATE=1")
        assert "0 new pages, 1 changed, 301 as they were, 0 removed." in updated.stderr
    shown = application.client.get(f"/checks/{check['id']}").text
    assert "The corpus has changed" in shown
    assert "reads differently" in shown
    later = answer(application, CLAIM)
    assert later["id"] != check["id"]
    revisions = {evidence["revision"] for evidence in later["evidence"] if evidence["title"] == TITLE}
    assert revisions <= {cited["revision"] + 5000}


def test_what_was_broken_off_is_resumed_or_begun_anew(tmp_path: Path) -> None:
    write_sample_dump(tmp_path / "dumps", "20251207")
    (file,) = (tmp_path / "dumps").rglob("*.bz2")
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    current = tmp_path / "store" / "CURRENT"
    with serve_dumps(tmp_path / "dumps") as dumps:
        load = functools.partial(make, "wikipedia-today", tmp_path, f"ADDRESS={dumps.url}")
        assert "damaged or cut short" in load().stderr
        write_sample_dump(tmp_path / "dumps", "20251214", changed=True)
        file.rename(tmp_path / "aside")
        gone = load()
        assert gone.returncode == 2
        assert "Start over with the one of 2025-12-14" in gone.stderr
        assert "Traceback" not in gone.stderr
        (tmp_path / "aside").rename(file)
        file.write_bytes(whole)
        resumed = load()
        assert (resumed.returncode, resumed.stdout.count("302 pages")) == (0, 1), resumed.stderr
        assert "Resuming the unfinished load of the dump of 2025-12-07; a newer one" in resumed.stderr
        before = current.read_text("utf-8")
        again = load("DATE=20251207", "RESTART=1")
        assert "English Wikipedia of 2025-12-07: one file" in again.stderr
        assert current.read_text("utf-8") != before


def test_restart_discards_what_was_broken_off_and_text_chooses_the_form(tmp_path: Path) -> None:
    write_sample_dump(tmp_path / "dumps", "20251207")
    (file,) = (tmp_path / "dumps").rglob("*.bz2")
    file.write_bytes(file.read_bytes()[:-100])
    with serve_dumps(tmp_path / "dumps") as dumps:
        load = functools.partial(make, "wikipedia-today", tmp_path, f"ADDRESS={dumps.url}")
        assert load().returncode == 2
        write_sample_dump(tmp_path / "dumps", "20251214")
        begun = load("RESTART=1", "TEXT=full")
        assert begun.returncode == 0, begun.stderr
        assert {page.part for page in EmbeddedStore(tmp_path / "store").sample(302, 0)} == {1}
        assert "English Wikipedia of 2025-12-14: one file" in begun.stderr
