"""`--update`: what a newer dump changes, and what it leaves alone."""

from __future__ import annotations

import bz2
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexing.vectors import make_vectors
from indexing.wikipedia import dump_load
from retrieval.stores import open_writer
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import CorpusInfo, Page
from tests.contracts.vectors import MODEL, Hashes
from tests.indexing.wikipedia.dump_server import DumpServer
from tests.indexing.wikipedia.loading import FIRST, NEW, OLD, PAGES, index, run
from tests.indexing.wikipedia.synthetic import two_lines, write_dump
from tests.making import make_page

NEW_DAY = "2025-12-14"


def pages_of(store: Path) -> dict[str, Page]:
    return {page.id: page for page in EmbeddedStore(store).sample(2 * PAGES, 0)}


def uncounted(pages: dict[str, Page]) -> dict[str, Page]:
    """The pages as if nobody had counted the links to them, all taken on the second day."""
    return {page_id: replace(page, prior=0, retrieved=NEW_DAY) for page_id, page in pages.items()}


def write_single(server: DumpServer, date: str, **fields: object) -> None:
    """Replace the dump by one of a single article about the Moon."""
    document = {"page_id": 7, "title": "Moon", "text": "The Moon is round.", "version": 3, **fields}
    shutil.rmtree(index(server, date))
    index(server, date).mkdir()
    file = index(server, date) / f"enwiki_content-{date}-00000.json.bz2"
    file.write_bytes(bz2.compress(two_lines(document)))
    (index(server, date) / "_SUCCESS").touch()


class TestUpdates:
    def test_only_what_changed_is_written(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run(server, "--date", OLD) == 0
        before = pages_of(store)
        capsys.readouterr()
        assert run(server, "--update") == 0
        assert "1 new pages, 3 changed, 96 as they were, 1 removed." in capsys.readouterr().err
        after = pages_of(store)
        assert len(after) == PAGES
        assert sum(after.get(page_id) == page for page_id, page in before.items()) == 96
        expected = tmp_path / "fresh"
        assert run(server, "--store", str(expected)) == 0
        fresh = pages_of(expected)
        assert uncounted(after) == uncounted(fresh)
        rewritten = {page_id for page_id, page in after.items() if page.retrieved == NEW_DAY}
        # Pages that were written have the new number of links to them, all others the one that they had.
        assert rewritten == {page_id for page_id, page in after.items() if page.prior == fresh[page_id].prior}
        assert len(rewritten) == 4
        assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-14"
        assert not list((tmp_path / "data" / "downloads").rglob("*.pages"))

    def test_another_title_that_leads_to_a_page_is_written_with_its_version_as_it_was(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        for date, titles, links in ((OLD, ["Luna"], 5), (NEW, ["Luna", "Earth I"], 8)):
            redirects = [{"namespace": 0, "title": title} for title in titles]
            write_single(server, date, redirect=redirects, incoming_links=links)
        assert run(server, "--date", OLD) == 0
        capsys.readouterr()
        assert run(server, "--update") == 0
        told = "0 new pages, 0 changed, 0 as they were, 1 of the same version with other titles or text, 0 removed."
        assert told in capsys.readouterr().err
        assert [(page.revision, page.prior) for page, _ in EmbeddedStore(store).find_titles(["Earth I"])] == [(3, 8)]
        assert run(server, "--store", str(tmp_path / "fresh")) == 0
        assert EmbeddedStore(store).info().fingerprint == EmbeddedStore(tmp_path / "fresh").info().fingerprint

    @pytest.mark.parametrize("links", [5, 6])
    def test_the_fingerprint_is_a_fresh_loads_where_no_number_of_links_moved(
        self, server: DumpServer, store: Path, tmp_path: Path, links: int
    ) -> None:
        write_single(server, OLD, incoming_links=5)
        write_single(server, NEW, incoming_links=links)
        fresh = tmp_path / "fresh"
        assert run(server, "--date", OLD) == run(server, "--update") == run(server, "--store", str(fresh)) == 0
        same = EmbeddedStore(store).info().fingerprint == EmbeddedStore(fresh).info().fingerprint
        assert same == (links == 5)
        assert pages_of(store)["enwiki/7"].prior == 5

    def test_pages_that_only_more_or_fewer_pages_link_to_keep_their_vectors(
        self, server: DumpServer, store: Path
    ) -> None:
        assert run(server, "--date", OLD) == 0
        assert make_vectors(str(store), Hashes(), MODEL).vectors == PAGES
        assert run(server, "--update") == 0
        encoder = Hashes()
        assert make_vectors(str(store), encoder, MODEL).vectors == PAGES
        assert len(encoder.texts) == 4

    def test_text_that_became_shorter_with_its_version_as_it_was_loses_passages(
        self, server: DumpServer, store: Path
    ) -> None:
        for date, sentences in ((OLD, 40), (NEW, 15)):  # as where a template that it uses has changed
            text = " ".join(f"This is sentence number {n} of an article about one thing." for n in range(sentences))
            write_single(server, date, text=text)
        assert run(server, "--date", OLD, "--text", "full") == run(server, "--update", "--text", "full") == 0
        assert sorted(pages_of(store)) == ["enwiki/7#1", "enwiki/7#2"]

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
        monkeypatch.setattr(dump_load, "readers", lambda: 1)
        server.cuts[FIRST.replace(OLD, NEW).replace("00000", "00001")] = [0] * 99
        assert run(server, "--update") == 2
        server.cuts.clear()
        capsys.readouterr()
        assert run(server, "--update") == 0
        assert "1 new pages, 3 changed, 96 as they were, 1 removed." in capsys.readouterr().err
        assert EmbeddedStore(store).count() == PAGES

    def test_one_into_an_empty_store_resumes(
        self, server: DumpServer, store: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(dump_load, "readers", lambda: 1)
        server.cuts[FIRST.replace(OLD, NEW).replace("00000", "00001")] = [0] * 99
        assert run(server, "--update") == 2
        server.cuts.clear()
        assert run(server, "--update") == 0
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


class TestForm:
    """Introductions, or whole articles in passages."""

    @pytest.mark.parametrize("text", ["intro", "full"])
    def test_an_update_keeps_that_of_the_corpus(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], text: str
    ) -> None:
        assert run(server, "--date", OLD, "--text", text) == 0
        capsys.readouterr()
        assert run(server, "--update") == 0
        told = capsys.readouterr().err
        assert "1 new pages, 3 changed, 96 as they were, 1 removed." in told
        assert "`--text" not in told
        assert {"#" in page_id for page_id in pages_of(store)} == {text == "full"}

    @pytest.mark.parametrize(("text", "other"), [("intro", "full"), ("full", "intro")])
    def test_another_that_is_asked_for_is_taken_and_told(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], text: str, other: str
    ) -> None:
        write_single(server, OLD)
        write_single(server, NEW)
        assert run(server, "--date", OLD, "--text", text) == 0
        capsys.readouterr()
        assert run(server, "--update", "--text", other) == 0
        told = capsys.readouterr().err
        assert f"`--text {other}` replaces them by " in told
        assert "Leave it out to keep what the corpus holds." in told
        assert list(pages_of(store)) == ["enwiki/7#1" if other == "full" else "enwiki/7"]

    def test_one_that_broke_off_resumes_in_it(
        self, server: DumpServer, store: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert run(server, "--date", OLD, "--text", "full") == 0
        monkeypatch.setattr(dump_load, "readers", lambda: 1)
        server.cuts[FIRST.replace(OLD, NEW).replace("00000", "00001")] = [0] * 99
        assert run(server, "--update") == 2
        server.cuts.clear()
        assert run(server, "--update") == 0
        assert {"#" in page_id for page_id in pages_of(store)} == {True}


class TestDumpsThatCountNoLinks:
    """The program counts mentions once such a dump is loaded: see docs/wikipedia.md."""

    @pytest.fixture
    def counted(self, server: DumpServer, store: Path) -> dict[str, Page]:
        """A corpus of 200 pages that has counted its mentions, as its pages were; a dump of the next week is there."""
        shutil.rmtree(server.folder)
        for date, edition in ((OLD, 1), (NEW, 2)):
            write_dump(server.folder, 200, date=date, files=2, edition=edition, links=False)
        assert run(server, "--date", OLD) == 0
        return pages_of(store)

    def test_pages_that_stay_keep_their_count_and_vector(
        self, server: DumpServer, store: Path, counted: dict[str, Page], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert sum(page.prior > 0 for page in counted.values()) > 5
        make_vectors(str(store), Hashes(), MODEL)
        capsys.readouterr()
        assert run(server, "--update") == 0
        assert "2 new pages, 6 changed, 192 as they were, 2 removed." in capsys.readouterr().err
        after = pages_of(store)
        assert sum(after.get(page_id) == page for page_id, page in counted.items()) == 192
        encoder = Hashes()
        assert make_vectors(str(store), encoder, MODEL).vectors == 200
        assert len(encoder.texts) == 8

    def test_no_page_is_without_its_count_in_between(
        self, server: DumpServer, store: Path, counted: dict[str, Page], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        between: dict[str, Page] = {}
        count = dump_load.count_mentions

        def look(location: str, *others: Any) -> CorpusInfo:
            between.update(pages_of(Path(location)))
            return count(location, *others)

        monkeypatch.setattr(dump_load, "count_mentions", look)
        assert run(server, "--update") == 0
        known = between.keys() & counted.keys()
        assert len(known) == 198
        assert {i: between[i].prior for i in known} == {i: counted[i].prior for i in known}

    def test_pages_that_were_written_are_counted(self, server: DumpServer, store: Path) -> None:
        write_single(server, OLD, title="Luna")
        write_single(server, NEW, title="Luna", text="Luna is round.", version=4)
        with open_writer(str(store), "mine") as writer:
            mine = [make_page(f"Page {n}", "We saw Luna and Mars.") for n in (1, 2)] + [make_page("Mars", "It is red.")]
            writer.add(mine)
            writer.finish("mine")
        for options in (("--date", OLD), ("--update",)):
            assert run(server, *options) == 0
            assert {page.title: page.prior for page in pages_of(store).values()} == {
                "Luna": 2, "Page 1": 0, "Page 2": 0, "Mars": 0,  # of a corpus that this load did not write
            }  # fmt: skip
