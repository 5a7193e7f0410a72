"""`--update`: what a newer dump changes, and what it leaves alone."""

from __future__ import annotations

import bz2
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from indexing.wikipedia import load
from indexing.wikipedia.synthetic import two_lines, write_dump
from retrieval.stores import open_writer
from retrieval.stores.embedded.store import EmbeddedStore
from tests.indexing.wikipedia.dump_server import DumpServer
from tests.indexing.wikipedia.loading import FIRST, NEW, OLD, PAGES, index, run
from tests.making import make_page

NEW_DAY = "2025-12-14"


class TestUpdates:
    def test_only_what_changed_is_written(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run(server, "--date", OLD) == 0
        before = {page.id: page for page in EmbeddedStore(store).sample(PAGES, 0)}
        capsys.readouterr()
        assert run(server, "--update") == 0
        assert "1 new pages, 3 changed, 96 as they were, 1 removed." in capsys.readouterr().err
        after = {page.id: page for page in EmbeddedStore(store).sample(PAGES, 0)}
        assert len(after) == PAGES
        assert sum(after.get(page_id) == page for page_id, page in before.items()) == 96
        expected = tmp_path / "fresh"
        assert run(server, "--store", str(expected)) == 0
        fresh = {page.id: page for page in EmbeddedStore(expected).sample(PAGES, 0)}
        assert {i: replace(page, retrieved=NEW_DAY) for i, page in after.items()} == fresh
        assert EmbeddedStore(store).info().fingerprint == EmbeddedStore(expected).info().fingerprint
        assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-14"
        assert not list((tmp_path / "data" / "downloads").rglob("*.pages"))

    def test_another_title_that_leads_to_a_page_is_written_with_its_version_as_it_was(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        for date, titles in ((OLD, ["Luna"]), (NEW, ["Luna", "Earth I"])):
            redirects = [{"namespace": 0, "title": title} for title in titles]
            document = {
                "page_id": 7,
                "title": "Moon",
                "text": "The Moon is round.",
                "version": 3,
                "redirect": redirects,
            }
            for file in index(server, date).glob("*.bz2"):
                file.write_bytes(bz2.compress(two_lines(document)) if "00000" in file.name else bz2.compress(b""))
        assert run(server, "--date", OLD) == 0
        capsys.readouterr()
        assert run(server, "--update") == 0
        told = "0 new pages, 0 changed, 0 as they were, 1 with other titles or links to them, 0 removed."
        assert told in capsys.readouterr().err
        assert [page.revision for page, _ in EmbeddedStore(store).find_titles(["Earth I"])] == [3]
        assert run(server, "--store", str(tmp_path / "fresh")) == 0
        assert EmbeddedStore(store).info().fingerprint == EmbeddedStore(tmp_path / "fresh").info().fingerprint

    def test_readers_see_the_old_until_the_new_is_whole(self, server: DumpServer, store: Path) -> None:
        assert run(server, "--date", OLD) == 0
        reader, card = EmbeddedStore(store), EmbeddedStore(store).info()
        server.cuts[FIRST.replace(OLD, NEW)] = [0] * 99
        assert run(server, "--update") == 2
        assert reader.is_current()
        assert EmbeddedStore(store).info() == card
        server.cuts.clear()
        assert run(server, "--update") == 0
        assert not reader.is_current()
        assert reader.count() == PAGES

    def test_one_that_broke_off_still_removes_what_is_gone(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert run(server, "--date", OLD) == 0
        monkeypatch.setattr(load, "READERS", 1)
        server.cuts[FIRST.replace(OLD, NEW).replace("00000", "00001")] = [0] * 99
        assert run(server, "--update") == 2
        server.cuts.clear()
        capsys.readouterr()
        assert run(server, "--update") == 0
        assert "1 new pages, 3 changed, 96 as they were, 1 removed." in capsys.readouterr().err
        assert EmbeddedStore(store).count() == PAGES

    def test_other_pages_stay(self, server: DumpServer, store: Path) -> None:
        with open_writer(str(store), "mine") as writer:
            writer.add([make_page("Mine", "My own words.", id="document:mine/mine.md#1", source="mine.md")])
            writer.finish("mine")
        write_dump(server.folder, 10, wiki="simplewiki", date=OLD, files=1)
        assert run(server, "--wiki", "simplewiki") == 0
        assert run(server, "--update") == 0
        assert EmbeddedStore(store).count() == PAGES + 10 + 1

    def test_an_update_that_is_limited_removes_nothing(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(server, "--date", OLD) == 0
        assert run(server, "--update", "--limit", "5") == 0
        assert "removed pages were not looked for" in capsys.readouterr().err
        assert EmbeddedStore(store).count() == PAGES

    def test_articles_that_become_shorter_lose_passages(self, server: DumpServer, store: Path) -> None:
        def dump(date: str, version: int, sentences: int) -> None:
            text = " ".join(f"This is sentence number {n} of an article about one thing." for n in range(sentences))
            place = index(server, date)
            shutil.rmtree(place)
            place.mkdir()
            document = {"page_id": 7, "title": "Thing", "text": text, "version": version}
            (place / f"enwiki_content-{date}-00000.json.bz2").write_bytes(bz2.compress(two_lines(document)))
            (place / "_SUCCESS").touch()

        dump(OLD, 1, 40)
        dump(NEW, 2, 15)
        assert run(server, "--date", OLD, "--text", "full") == 0
        assert EmbeddedStore(store).count() == 4
        assert run(server, "--update", "--text", "full") == 0
        assert sorted(page.id for page in EmbeddedStore(store).sample(9, 0)) == ["enwiki/7#1", "enwiki/7#2"]
        assert run(server, "--update", "--text", "intro") == 0
        assert [page.id for page in EmbeddedStore(store).sample(9, 0)] == ["enwiki/7"]
