"""`--date latest` after a load that was broken off, once a newer dump is there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from indexing.__main__ import main
from indexing.wikipedia import dump_load
from retrieval.stores.embedded.store import EmbeddedStore
from tests.indexing.wikipedia.dump_server import DumpServer
from tests.indexing.wikipedia.loading import FIRST, NEW, OLD, PAGES, index, refused, run
from tests.indexing.wikipedia.synthetic import write_dump

SECOND = FIRST.replace("00000", "00001")
Breaking = Callable[..., None]


@pytest.fixture
def break_off(server: DumpServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Breaking:
    """Loads half of the older dump, the newest at that time, with these options; then the newer one comes out."""
    monkeypatch.setattr(dump_load, "readers", lambda: 1)

    def run_half(*options: str) -> None:
        later = server.folder.with_name("later")
        (server.folder / NEW).rename(later)
        server.cuts[SECOND] = [0] * 99
        assert run(server, *options) == 2
        server.cuts.clear()
        later.rename(server.folder / NEW)
        capsys.readouterr()

    return run_half


def test_the_same_command_resumes_with_the_dump_that_it_began_with(
    server: DumpServer, store: Path, break_off: Breaking, capsys: pytest.CaptureFixture[str]
) -> None:
    break_off()
    assert run(server) == 0
    told = capsys.readouterr().err
    assert (
        "Resuming the unfinished load of the dump of 2025-12-07; a newer one, of 2025-12-14, is there: "
        "`--update` afterwards brings it.\n"
    ) in told
    assert "Resuming after 50 articles." in told
    assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"
    assert run(server, "--update") == 0
    assert "1 new pages, 3 changed, 96 as they were, 1 removed." in capsys.readouterr().err
    assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-14"


def test_an_update_resumes_too(
    server: DumpServer, store: Path, break_off: Breaking, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dump(server.folder, PAGES, date="20251130", files=1)
    assert run(server, "--date", "20251130") == 0
    break_off("--update")
    assert run(server, "--update") == 0
    assert "Resuming the unfinished load of the dump of 2025-12-07; a newer one" in capsys.readouterr().err
    assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"


def test_without_a_newer_dump_nothing_more_is_said(
    server: DumpServer, break_off: Breaking, capsys: pytest.CaptureFixture[str]
) -> None:
    break_off()
    shutil.rmtree(server.folder / NEW)
    assert run(server) == 0
    assert "Resuming the unfinished load" not in capsys.readouterr().err


def test_a_dump_that_lost_its_mark_is_neither_resumed_nor_discarded(
    server: DumpServer, store: Path, break_off: Breaking, capsys: pytest.CaptureFixture[str]
) -> None:
    break_off()
    (index(server) / "_SUCCESS").unlink()
    assert "is not complete yet: it has no _SUCCESS. Try again in a day" in refused(server, capsys)
    (index(server) / "_SUCCESS").touch()
    assert run(server) == 0
    assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"


def test_a_dump_that_is_gone_is_named_with_the_command_that_starts_over(
    server: DumpServer, store: Path, break_off: Breaking, capsys: pytest.CaptureFixture[str]
) -> None:
    break_off("--replace", "--name", "Our Wikipedia")
    shutil.rmtree(server.folder / OLD)
    sentence = refused(server, capsys, "--replace", "--name", "Our Wikipedia")
    assert "A load of the dump of 2025-12-07 was broken off, and that dump is no longer served." in sentence
    assert "Start over with the one of 2025-12-14: " in sentence
    assert "or add RESTART=1 to your `make` command. Readers still see the previous corpus." in sentence
    command = shlex.split(re.findall("`(.*?)`", sentence)[0])
    assert command[:3] == ["python", "-m", "indexing"]
    assert {"--replace", "--restart", "--store", "--address", "Our Wikipedia"} <= set(command)
    assert main(command[3:]) == 0
    assert EmbeddedStore(store).info().name == "Our Wikipedia"
    assert {page.retrieved for page in EmbeddedStore(store).sample(PAGES, 0)} == {"2025-12-14"}


def test_a_password_in_the_address_is_not_repeated(
    server: DumpServer, break_off: Breaking, capsys: pytest.CaptureFixture[str]
) -> None:
    break_off()
    shutil.rmtree(server.folder / OLD)
    assert main(["wikipedia", "--address", server.url.replace("//", "//me:secret@")]) == 2
    told = capsys.readouterr().err
    assert "that dump is no longer served" in told
    assert "secret" not in told


@pytest.mark.parametrize(
    "options", [("--date", NEW), ("--replace",), ("--text", "full"), ("--limit", "5"), ("--update",)]
)
def test_a_load_of_something_else_is_not_resumed(
    server: DumpServer, break_off: Breaking, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    break_off()
    assert f"an unfinished load of something else (wikipedia --wiki enwiki --date {OLD} " in refused(
        server, capsys, *options
    )


@pytest.mark.parametrize("what", ["date", "file"])
def test_an_address_of_another_dump_is_not_that_dump(
    server: DumpServer, break_off: Breaking, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    break_off()
    folder = server.folder / NEW
    address = folder if what == "date" else next(folder.rglob("*.bz2"))
    assert main(["wikipedia", "--address", str(address)]) == 2
    assert "an unfinished load of something else" in capsys.readouterr().err


def test_restart_takes_the_newest(server: DumpServer, store: Path, break_off: Breaking) -> None:
    break_off()
    assert run(server, "--restart") == 0
    assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-14"


def test_a_load_that_a_crash_ended_just_before_its_switch(server: DumpServer, store: Path, break_off: Breaking) -> None:
    break_off()
    (store / "building").rename(store / "gen-0123456789ab")
    assert run(server) == 0
    assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-07"


@pytest.mark.parametrize("note", ["", "[]", "{}", json.dumps({"job": 3, "position": {"pages": 1}})])
def test_notes_that_cannot_be_read_are_passed_over(
    server: DumpServer, store: Path, break_off: Breaking, note: str
) -> None:
    break_off()
    (store / "building" / "progress.json").write_text(note)
    assert run(server) == 0
    assert EmbeddedStore(store).info().name == "English Wikipedia of 2025-12-14"
