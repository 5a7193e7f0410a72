"""`python -m indexing wikipedia` against a real server that serves real-form files, and does what servers do."""

from __future__ import annotations

import bz2
import shutil
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import orjson
import pytest

from indexing.__main__ import main
from indexing.wikipedia import dump_load
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.text.addresses import page_address
from tests.indexing.wikipedia.dump_server import DumpServer
from tests.indexing.wikipedia.loading import FIRST, NEW, OLD, PAGES, index, refused, run
from tests.indexing.wikipedia.synthetic import documents, two_lines, write_dump


class TestWhole:
    def test_the_newest_dump_becomes_a_corpus_of_pages_that_open(self, server: DumpServer, store: Path) -> None:
        assert run(server) == 0
        opened = EmbeddedStore(store)
        assert (opened.count(), opened.info().name) == (PAGES, "English Wikipedia of 2025-12-14")
        wanted = {f"enwiki/{document['page_id']}": document for document in documents(0, PAGES, PAGES, edition=2)}
        for page_id, page in opened.get(list(wanted)).items():
            document = wanted.pop(page_id)
            assert (page.title, page.revision, page.retrieved) == (document["title"], document["version"], "2025-12-14")
            assert page_address(page).endswith(f"&oldid={document['version']}")
            assert page.prior == document["incoming_links"]
        assert not wanted

    def test_what_was_loaded_is_deleted_and_kept_where_asked(self, server: DumpServer, tmp_path: Path) -> None:
        downloads = tmp_path / "data" / "downloads"
        assert run(server, "--date", OLD) == 0
        assert not list(downloads.rglob("*.bz2*"))
        assert run(server, "--date", OLD, "--keep") == 0
        assert sorted(file.name for file in downloads.rglob("*.bz2")) == [FIRST, FIRST.replace("00000", "00001")]

    def test_the_program_says_who_it_is(self, server: DumpServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CONTACT", "me@example.org (home)\r\nX: y")
        assert run(server, "--limit", "5") == 0
        agents = {agent for *_, agent in server.asked}
        assert len(agents) == 1
        assert agents.pop().startswith("ESOTERIC-fact-checker (me@example.org homeX: y) ")

    def test_disk_and_progress_are_told(self, server: DumpServer, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(server) == 0
        told = capsys.readouterr().err
        assert told.index("Disk needed: ") < told.index("2 of 2 files, 100 articles")
        assert "B/s" in told

    def test_too_small_a_disk(
        self, server: DumpServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, store: Path
    ) -> None:
        usage = shutil.disk_usage(store.parents[2])
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
        assert "Free some space, or set DATA or `--store` to a larger disk." in refused(server, capsys)
        assert not store.exists()

    @pytest.mark.parametrize("what", ["date", "index", "disk", "file"])
    def test_addresses_of_every_kind(self, server: DumpServer, store: Path, what: str) -> None:
        address = {
            "date": f"{server.url}/{OLD}",
            "index": f"{server.url}/{OLD}/",
            "disk": str(server.folder),
            "file": str(index(server) / FIRST),
        }[what]
        assert main(["wikipedia", "--address", address, "--date", OLD]) == 0
        assert EmbeddedStore(store).count() == (PAGES // 2 if what == "file" else PAGES)
        assert (index(server) / FIRST).exists()

    @pytest.mark.parametrize("missing", ["head", "lists"])
    def test_a_server_without_head_or_listings(self, server: DumpServer, store: Path, missing: str) -> None:
        setattr(server, missing, False)
        assert run(server, "--date", OLD) == 0
        assert EmbeddedStore(store).count() == PAGES

    def test_simplewiki_in_the_single_file_of_before(self, server: DumpServer, store: Path) -> None:
        write_dump(server.folder, 30, wiki="simplewiki", date="20241202", single=True)
        assert run(server, "--wiki", "simplewiki") == 0
        pages = EmbeddedStore(store).sample(30, 0)
        assert {page.site for page in pages} == {"simple.wikipedia.org"}
        assert (len(pages), EmbeddedStore(store).info().name) == (30, "Simple English Wikipedia of 2024-12-02")

    def test_simplewiki_in_parts(self, server: DumpServer, store: Path) -> None:
        write_dump(server.folder, 30, wiki="simplewiki", date=OLD, files=1)
        assert run(server, "--wiki", "simplewiki") == 0
        assert EmbeddedStore(store).count() == 30

    def test_mentions_are_counted_where_the_dump_counts_no_links(self, server: DumpServer, store: Path) -> None:
        texts = {
            1: "Warsaw is a city in Poland.",
            2: "Poland is a country.",
            3: "Marie Curie was born in Warsaw, Poland.",
        }
        lines = [
            two_lines({"page_id": number, "title": title, "text": texts[number], "version": 1})
            for number, title in ((1, "Warsaw"), (2, "Poland"), (3, "Marie Curie"))
        ]
        file = index(server) / FIRST
        file.write_bytes(bz2.compress(b"".join(lines)))
        assert main(["wikipedia", "--address", str(file)]) == 0
        assert {page.title: page.prior for page in EmbeddedStore(store).sample(9, 0)} == {
            "Warsaw": 1,
            "Poland": 2,
            "Marie Curie": 0,
        }
        assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"

    def test_limit(self, server: DumpServer, store: Path) -> None:
        assert run(server, "--limit", "7") == 0
        assert EmbeddedStore(store).count() == 7


class TestNotWhole:
    def test_latest_is_the_newest_that_is_whole(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (index(server, NEW) / "_SUCCESS").unlink()
        assert run(server) == 0
        assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"
        assert "is not complete yet: it has no _SUCCESS" in capsys.readouterr().err

    def test_one_that_was_named_is_refused(self, server: DumpServer, capsys: pytest.CaptureFixture[str]) -> None:
        (index(server) / "_SUCCESS").unlink()
        sentence = refused(server, capsys, "--date", OLD)
        assert "has no _SUCCESS. Try again in a day, or name an earlier one with `--date`." in sentence

    def test_the_mark_may_stand_above(self, server: DumpServer) -> None:
        (index(server) / "_SUCCESS").rename(index(server).parent / "_SUCCESS")
        assert run(server, "--date", OLD) == 0

    def test_a_single_file_of_another_day_is_not_the_dump_that_was_named(
        self, server: DumpServer, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = write_dump(server.folder, 30, date="20241202", single=True)
        assert main(["wikipedia", "--address", str(folder.rename(server.folder / "old")), "--date", OLD]) == 2
        assert f"holds no dump of {OLD} of enwiki" in capsys.readouterr().err

    @pytest.mark.parametrize("options", [("--date", "20200101"), ("--wiki", "dewiki")])
    def test_no_such_dump(
        self, server: DumpServer, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
    ) -> None:
        assert "Look there for its dates" in refused(server, capsys, *options)


class TestServers:
    def test_cut_connections_are_resumed(self, server: DumpServer, store: Path) -> None:
        size = (index(server) / FIRST).stat().st_size
        server.cuts[FIRST] = [size // 3, size // 3]
        assert run(server, "--date", OLD) == 0
        assert EmbeddedStore(store).count() == PAGES
        ranges = [asked for method, path, asked, _ in server.asked if FIRST in path and method == "GET"]
        assert [bool(asked) for asked in ranges] == [False, True, True]

    def test_a_connection_that_is_always_cut(self, server: DumpServer, capsys: pytest.CaptureFixture[str]) -> None:
        server.cuts[FIRST] = [5_000] + [0] * 99
        sentence = refused(server, capsys, "--date", OLD)
        assert "Run the same command again: it resumes after the 5,000 bytes that have come." in sentence

    def test_429_is_waited_for_as_long_as_it_says(self, server: DumpServer, waits: list[float]) -> None:
        server.faults[FIRST] = [(429, {"Retry-After": "7"}), (429, {"Retry-After": "0.9"})]
        assert run(server, "--date", OLD, "--limit", "60") == 0
        assert waits[0] == 7

    def test_429_with_a_date(self, server: DumpServer, waits: list[float]) -> None:
        moment = datetime.now(UTC) + timedelta(seconds=300)
        server.faults[OLD + "/"] = [(429, {"Retry-After": format_datetime(moment, usegmt=True)})]
        assert run(server, "--date", OLD, "--limit", "1") == 0
        assert 200 < waits[0] < 301

    def test_a_pause_that_is_too_long_is_told(self, server: DumpServer, capsys: pytest.CaptureFixture[str]) -> None:
        server.faults["/"] = [(429, {"Retry-After": "7200"})]
        assert "asks you to wait for 120 minutes. Run the same command again" in refused(server, capsys)

    def test_403_names_the_setting(
        self, server: DumpServer, capsys: pytest.CaptureFixture[str], waits: list[float]
    ) -> None:
        server.faults["/"] = [(403, {})] * 9
        sentence = refused(server, capsys)
        assert "answered 403 Forbidden: the server refuses this program. Set CONTACT" in sentence
        assert (len(server.asked), waits) == (1, [])

    def test_403_for_a_file(self, server: DumpServer, capsys: pytest.CaptureFixture[str]) -> None:
        server.faults[FIRST] = [(200, {}), *[(403, {})] * 9]
        assert "Set CONTACT" in refused(server, capsys, "--date", OLD)

    def test_403_with_a_time_is_waited_for(self, server: DumpServer, waits: list[float]) -> None:
        server.faults["/"] = [(403, {"Retry-After": "30"})]
        assert run(server, "--limit", "1") == 0
        assert waits[0] == 30

    def test_a_server_that_is_away(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], waits: list[float]
    ) -> None:
        assert main(["wikipedia", "--address", "http://127.0.0.1:9", "--store", str(tmp_path / "s")]) == 2
        assert "cannot be reached now: Connection refused. Try again" in capsys.readouterr().err

    def test_a_listing_leads_nowhere_else(self, server: DumpServer, capsys: pytest.CaptureFixture[str]) -> None:
        shutil.rmtree(server.folder / NEW)
        (server.folder / NEW).mkdir()
        (server.folder / NEW / "index_name=enwiki_content").mkdir()
        for name in ("..%2F..%2Fetc", f"evil-enwiki_content-{NEW}-1.json.bz2", "_SUCCESS"):
            (index(server, NEW) / name).touch()
        assert run(server) == 0  # the one before


class TestBroken:
    def test_a_damaged_file_is_deleted_and_fetched_anew(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        file = index(server) / FIRST
        right = file.read_bytes()
        file.write_bytes(right[: len(right) // 2] + bytes(100) + right[len(right) // 2 + 100 :])
        sentence = refused(server, capsys, "--date", OLD)
        assert f"{FIRST} is damaged or cut short" in sentence
        assert "It was deleted; run the same command again" in sentence
        assert not list((tmp_path / "data" / "downloads").rglob(FIRST))
        file.write_bytes(right)
        assert run(server, "--date", OLD) == 0
        assert EmbeddedStore(store).count() == PAGES

    def test_a_file_cut_short_on_disk_stays(self, server: DumpServer, capsys: pytest.CaptureFixture[str]) -> None:
        file = index(server) / FIRST
        file.write_bytes(file.read_bytes()[:-50])
        assert main(["wikipedia", "--address", str(file)]) == 2
        assert "Copy it again." in capsys.readouterr().err
        assert file.exists()

    def test_lines_that_are_no_pages_are_named_and_left_out(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = [b'{"index":{"_id":"1"}}\n{"title": \n', two_lines({"page_id": 7, "title": "Right", "text": "It is."})]
        (index(server) / FIRST).write_bytes(bz2.compress(b"".join([*lines, b"[]\n", b'{"title": "No id"}\n'])))
        assert main(["wikipedia", "--address", str(index(server) / FIRST)]) == 1
        told = capsys.readouterr().err
        assert f"{FIRST}, page 1 was left out: " in told
        assert "3 pages could not be read" in told
        assert [page.title for page in EmbeddedStore(store).sample(9, 0)] == ["Right"]


class TestGoingOn:
    def test_a_load_that_broke_goes_on_without_fetching_what_it_has(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        second = FIRST.replace("00000", "00001")
        server.cuts[second] = [0] * 99
        monkeypatch.setattr(dump_load, "readers", lambda: 1)
        assert run(server, "--date", OLD) == 2
        server.cuts.clear()
        server.asked.clear()
        capsys.readouterr()
        assert run(server, "--date", OLD) == 0
        assert "Resuming after 50 articles." in capsys.readouterr().err
        assert not [path for method, path, *_ in server.asked if FIRST in path and method == "GET"]
        assert EmbeddedStore(store).count() == PAGES

    def test_ctrl_c_keeps_what_was_read(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stop(self: object, *_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(dump_load._Load, "_show", stop)
            assert run(server, "--date", OLD) == 130
        assert "run the same command again to resume" in capsys.readouterr().err
        assert run(server, "--date", OLD) == 0
        assert EmbeddedStore(store).count() == PAGES


def test_two_lines_are_an_action_and_a_document() -> None:
    document = next(documents(0, 1, 1))
    action, line, end = two_lines(document).split(b"\n")
    assert orjson.loads(action) == {"index": {"_type": "_doc", "_id": "1000"}}
    assert (orjson.loads(line), end) == (document, b"")
