"""A load may be broken off at any moment: no page is lost or doubled, and readers never notice."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from indexing.load import load_fever
from retrieval.errors import StoreError
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.stores.embedded.writer import open_writer
from retrieval.types import CorpusInfo
from tests.indexing.breaking_load import WAITING, broken, start
from tests.indexing.loads import PAGES, goes_on
from tests.making import dump_row, make_page, write_dump


def wait_for(come: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not come():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# kill -9

# Renamings of a whole load: 8 checkpoints (every fifth row of 20 + 22 lines), then corpus.json, the folder, CURRENT.
RENAMINGS = 11


@pytest.mark.parametrize("moment", ["page:1", "page:2", "page:18", "page:21", "page:41"])
def test_killed_while_pages_are_added(moment: str, dump: Path, store: Path, whole: CorpusInfo) -> None:
    assert broken(moment, "fever", dump, "--store", store).returncode == -signal.SIGKILL
    with pytest.raises(StoreError, match=r"Load one|Run the same"):
        EmbeddedStore(store)
    reported = goes_on(dump, store, whole)
    assert bool(reported) == (int(moment[5:]) > 5), "after the first checkpoint it goes on, before it begins anew"


@pytest.mark.parametrize("number", [1, 2, 8, 9, 10, 11])
def test_killed_before_a_file_is_renamed(number: int, dump: Path, store: Path, whole: CorpusInfo) -> None:
    assert broken(f"file:{number}", "fever", dump, "--store", store).returncode == -signal.SIGKILL
    goes_on(dump, store, whole)


def test_moments_cover_the_whole_load(dump: Path, store: Path) -> None:
    assert broken(f"file:{RENAMINGS + 1}", "fever", dump, "--store", store).returncode == 0


def test_killed_from_outside_again_and_again(dump: Path, store: Path, whole: CorpusInfo) -> None:
    progress = store / "building" / "progress.json"
    seen = [""]
    for _ in range(3):
        child = start("held:7", "fever", dump, "--store", store)
        wait_for(lambda: progress.exists() and progress.read_text() != seen[-1])
        child.process.kill()
        assert child.returncode == -signal.SIGKILL
        seen.append(progress.read_text())
    assert len(set(seen)) == 4
    assert goes_on(dump, store, whole)


# Ctrl-C


@pytest.mark.parametrize("page", [1, 19, 22, 41])
def test_ctrl_c_says_how_to_go_on(page: int, dump: Path, store: Path, whole: CorpusInfo) -> None:
    ended = broken(f"ctrl-c:{page}", "fever", dump, "--store", store)
    assert ended.returncode == 130
    assert ended.stderr.splitlines()[-1] == (
        f"Stopped after {page - 1} pages; run the same command again to resume. Readers still see the previous corpus."
    )
    assert "Traceback" not in ended.stderr
    assert goes_on(dump, store, whole) == [f"Resuming after {page - 1} pages."]


def test_ctrl_c_while_a_program_waits(dump: Path, store: Path) -> None:
    child = start("held:7", "fever", dump, "--store", store)
    wait_for(lambda: WAITING in child.stdout)
    os.kill(child.process.pid or 0, signal.SIGINT)
    assert child.returncode == 130
    assert "Stopped" in child.stderr
    assert "Traceback" not in child.stderr


def test_a_load_that_a_script_started_in_the_background_heeds_no_ctrl_c(
    dump: Path, store: Path, whole: CorpusInfo
) -> None:
    """The shell has SIGINT ignored there, so that Ctrl-C meant for another program does not end it: we leave it so."""
    ended = broken("deaf:20", "fever", dump, "--store", store)
    assert ended.returncode == 0
    assert EmbeddedStore(store).info().fingerprint == whole.fingerprint


# A full disk


@pytest.mark.parametrize("limit", [1_000, 2_500])
def test_a_full_disk_is_one_sentence(limit: int, dump: Path, store: Path, whole: CorpusInfo) -> None:
    ended = broken(f"bytes:{limit}", "fever", dump, "--store", store)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == (
        f"{store} can no longer be written; its disk is probably full. "
        "Free some space and run the same command again: it resumes where it stopped."
    )
    assert "Traceback" not in ended.stderr
    goes_on(dump, store, whole)


def test_a_disk_that_fills_while_tantivy_writes_by_itself(tmp_path: Path, store: Path) -> None:
    words = " ".join(f"{number:x}{number * 7919 % 104729:x}" for number in range(100))
    dump = write_dump(
        tmp_path / "wiki-1.jsonl", (dump_row(f"P{number}", f"{number:x} {words}") for number in range(9_000))
    )
    ended = broken("flush:9000", "fever", dump, "--store", store)
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
    assert "its disk is probably full" in ended.stderr.splitlines()[-1]


# Readers


def test_a_reader_answers_during_the_load_and_sees_the_new_corpus_after_it(dump: Path, store: Path) -> None:
    with open_writer(store, "old") as writer:
        writer.add([make_page("Old page", "It is old.")])
        writer.finish("old")
    child = start("slow", "fever", dump, "--store", store, "--replace")
    names = []
    old = EmbeddedStore(store)
    while child.process.is_alive():
        names.append(EmbeddedStore(store).info().name)
        assert len(old.search_text("old")) == 1
        time.sleep(0.02)
    assert child.returncode == 0
    assert set(names) <= {"old", "dump"}
    assert names == sorted(names, reverse=True), "first the old corpus, then the new one"
    assert len(names) > 10
    assert EmbeddedStore(store).info().pages == PAGES
    assert len(old.search_text("old")) == 1


def test_a_broken_load_leaves_the_old_corpus_in_place(dump: Path, store: Path, whole: CorpusInfo) -> None:
    load_fever([dump / "wiki-002.jsonl"], str(store), name="old")
    for moment in ("page:15", f"file:{RENAMINGS - 1}", f"file:{RENAMINGS}"):
        assert broken(moment, "fever", dump, "--store", store, "--replace", "--restart").returncode == -signal.SIGKILL
        assert EmbeddedStore(store).info().name == "old"
    assert EmbeddedStore(store).count() == 21
