"""`--update` removes what is gone from Wikipedia, and nothing else: not what an older dump, a broken line or a missing part lacks."""

from __future__ import annotations

import bz2
import shutil
from pathlib import Path

import orjson
import pytest

from indexing.wikipedia import changes, command
from indexing.wikipedia.article import INTRO
from indexing.wikipedia.dump import find_dump
from retrieval.errors import CorpusError
from retrieval.stores.embedded.store import EmbeddedStore
from tests.indexing.wikipedia.dump_server import DumpServer
from tests.indexing.wikipedia.loading import FIRST, NEW, OLD, PAGES, index, refused, run
from tests.indexing.wikipedia.synthetic import write_dump

OLDER = (
    "The corpus is of 2025-12-14 and this dump of 2025-12-07: an update would remove newer pages. Name a newer dump "
    "with `--date`, or load the older one with `--replace` instead of `--update`. Readers still see the corpus as it was."
)


class TestOlderDumps:
    @pytest.mark.parametrize("name", ["", "Ours"])
    def test_one_that_is_named_is_refused(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        write_dump(server.folder, 10, wiki="simplewiki", date=OLD, files=1)
        assert run(server, "--name", name) == run(server, "--wiki", "simplewiki", "--name", name) == 0
        card = EmbeddedStore(store).info()
        assert refused(server, capsys, "--update", "--date", OLD) == OLDER
        assert EmbeddedStore(store).info() == card
        assert not (store / "building").exists()
        assert run(server, "--update", "--wiki", "simplewiki") == 0, "which is of that day"
        assert run(server, "--replace", "--date", OLD) == 0
        assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"

    def test_the_newest_whole_one_is_refused_if_it_is_older(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(server) == 0
        (index(server, NEW) / "_SUCCESS").unlink()
        assert refused(server, capsys, "--update") == OLDER

    def test_the_same_day_changes_nothing(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(server) == 0
        fingerprint = EmbeddedStore(store).info().fingerprint
        assert run(server, "--update") == 0
        assert "0 new pages, 0 changed, 100 as they were, 0 removed." in capsys.readouterr().err
        assert EmbeddedStore(store).info().fingerprint == fingerprint

    @pytest.mark.parametrize("newer", ["changed", "new"])
    def test_few_newer_pages_are_found_in_the_end(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
        newer: str,
    ) -> None:  # fmt: skip
        assert run(server, "--date", OLD) == run(server, "--update", "--name", "Ours") == 0
        if newer == "new":  # none of which the older dump has
            pages = EmbeddedStore(store).sample(PAGES, 0)
            leave_out(server, {page.id.removeprefix("enwiki/") for page in pages if page.retrieved == "2025-12-14"})
        monkeypatch.setattr(command, "earlier_load", lambda *_: changes.EarlierLoad("2025-12-07", INTRO))
        assert refused(server, capsys, "--update", "--date", OLD) == OLDER
        assert EmbeddedStore(store).count() == PAGES


def leave_out(server: DumpServer, numbers: set[str]) -> None:
    """Take the pages of these numbers out of the older dump."""
    for file in index(server).glob("*.bz2"):
        lines = bz2.decompress(file.read_bytes()).splitlines(keepends=True)
        pairs = zip(lines[::2], lines[1::2], strict=True)
        left = [action + line for action, line in pairs if orjson.loads(action)["index"]["_id"] not in numbers]
        file.write_bytes(bz2.compress(b"".join(left)))


def break_line(server: DumpServer, of: int, action: bool) -> int:
    """Cut off the newer dump's document of this place, and its action if asked; returns the page's number."""
    file = index(server, NEW) / FIRST.replace(OLD, NEW)
    lines = bz2.decompress(file.read_bytes()).split(b"\n")
    number = int(lines[2 * of].split(b'"_id":"')[1].split(b'"')[0])
    lines[2 * of + 1] = lines[2 * of + 1][:200].replace(b"page_id", b"page_")
    if action:
        lines[2 * of] = lines[2 * of][:10]
    file.write_bytes(bz2.compress(b"\n".join(lines)))
    return number


class TestLinesThatCannotBeRead:
    def test_their_pages_stay(self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(server, "--date", OLD) == 0
        number = break_line(server, 20, action=False)
        assert run(server, "--update") == 1
        assert "1 new pages, 3 changed, 95 as they were, 1 removed." in capsys.readouterr().err
        assert list(EmbeddedStore(store).get([f"enwiki/{number}"]))

    def test_nothing_is_removed_where_they_do_not_tell_whose_they_are(
        self, server: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(server, "--date", OLD) == 0
        number = break_line(server, 20, action=True)
        assert run(server, "--update") == 1
        told = capsys.readouterr().err
        assert (
            "removed pages were not looked for, because some lines that were left out belong to unknown pages." in told
        )
        assert list(EmbeddedStore(store).get([f"enwiki/{number}"]))
        assert EmbeddedStore(store).count() == PAGES + 1


class TestMissingParts:
    @pytest.fixture
    def partial(self, server: DumpServer) -> DumpServer:
        """Whose newer dump lacks a part, as where a mirror copied most of it."""
        shutil.rmtree(server.folder / NEW)
        write_dump(server.folder, PAGES, date=NEW, files=4, edition=2)
        (index(server, NEW) / FIRST.replace(OLD, NEW).replace("00000", "00002")).unlink()
        return server

    @pytest.mark.parametrize("lists", [True, False])
    def test_a_dump_that_is_named_is_refused(
        self, partial: DumpServer, store: Path, capsys: pytest.CaptureFixture[str], lists: bool
    ) -> None:
        partial.lists = lists
        sentence = refused(partial, capsys, "--date", NEW)
        assert (
            "is not complete: part 00002 cannot be found there, perhaps because not all of it was copied." in sentence
        )
        assert sentence.endswith("Try again in a day, or name an earlier one with `--date`.")
        assert not store.exists()

    def test_latest_is_the_newest_that_is_whole(
        self, partial: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(partial) == 0
        assert "part 00002 cannot be found there" in capsys.readouterr().err
        assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"

    def test_an_update_keeps_its_pages(
        self, partial: DumpServer, store: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(partial, "--date", OLD) == 0
        assert run(partial, "--update") == 0
        assert "100 as they were, 0 removed." in capsys.readouterr().err

    def test_several_are_counted_and_the_first_may_be_one(self, partial: DumpServer) -> None:
        first = index(partial, NEW) / FIRST.replace(OLD, NEW)
        first.unlink()
        first.with_name(first.name.replace("00000", "00001")).unlink()
        with pytest.raises(CorpusError, match="part 00001 and 1 more cannot be found there"):
            find_dump(partial.url, "enwiki", NEW, lambda _: None)

    def test_parts_may_be_counted_from_one(self, server: DumpServer) -> None:
        for number in (1, 0):
            file = index(server) / FIRST.replace("00000", f"0000{number}")
            file.rename(file.with_name(FIRST.replace("00000", f"0000{number + 1}")))
        assert len(find_dump(server.url, "enwiki", OLD, lambda _: None).files) == 2
