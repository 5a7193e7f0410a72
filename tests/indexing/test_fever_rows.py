"""Rows read in a second process: the same load, whatever ends it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing import fever_rows
from indexing.fever import find_sources
from indexing.fever_rows import Row, read_batches, read_rows
from indexing.load import load_fever
from retrieval.errors import CorpusError
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.stores.embedded.writer import prepare
from retrieval.types import CorpusInfo
from tests.indexing.breaking_load import broken
from tests.indexing.loads import PAGES, goes_on, rows
from tests.making import write_dump


def die() -> Iterator[Row]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield from ()


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process reads even the smallest dump."""
    monkeypatch.setattr(fever_rows, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr(fever_rows, "ROWS_A_BATCH", 7)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


@pytest.mark.parametrize("place", [(0, 0), (0, 5), (0, 20), (1, 0), (1, 3), (2, 0)])
def test_a_process_reads_the_same_rows(place: tuple[int, int], dump: Path, beside: None) -> None:
    sources = find_sources([dump])
    every = [row for batch in read_batches(sources, 0, 0, 0, True, prepare) for row in batch]
    file, read = place
    digest = next((row.digest for row in every if row[:2] == place), 0)
    found = list(read_rows(sources, file, read, digest, True, prepare))
    assert found == [row for row in every if (row.file, row.rows) > place and not (row.rows == 0 and row.file == file)]
    assert all(isinstance(row, Row) for row in found)


def test_a_load_by_two_processes_gives_the_same_corpus(
    dump: Path, store: Path, whole: CorpusInfo, beside: None
) -> None:
    card, bad = load_fever([dump], str(store), name="dump")
    assert (card.pages, card.fingerprint, bad) == (whole.pages, whole.fingerprint, 0)
    assert EmbeddedStore(store).count() == PAGES


def test_what_is_wrong_with_a_row_is_told_and_everything_before_it_is_kept(
    dump: Path, store: Path, whole: CorpusInfo, beside: None
) -> None:
    lines = rows(0, 20)
    write_dump(dump / "wiki-001.jsonl", [*lines[:9], '{"id": 7}', *lines[9:]])
    with pytest.raises(CorpusError, match=r"wiki-001\.jsonl, line 11: it lacks the text fields id and lines \('\{"):
        load_fever([dump], str(store))
    write_dump(dump / "wiki-001.jsonl", lines)
    assert goes_on(dump, store, whole) == ["Resuming after 9 pages."]


def test_rows_that_changed_since_are_refused(dump: Path, beside: None) -> None:
    with pytest.raises(CorpusError, match="has changed in lines that are already loaded"):
        list(read_rows(find_sources([dump]), 0, 5, 123, True, prepare))


def test_a_reader_that_is_killed_is_told(dump: Path, beside: None) -> None:
    producer = fever_rows.Producer("the dump", die)
    with pytest.raises(CorpusError, match="The process that read the dump was killed"):
        producer.receive()
    producer.close()


@pytest.mark.parametrize("moment", ["page:18", "page:41", "file:9"])
def test_killed_while_a_process_reads(moment: str, dump: Path, store: Path, whole: CorpusInfo) -> None:
    ended = broken(f"beside {moment}", "fever", dump, "--store", store)
    assert ended.returncode == -signal.SIGKILL
    assert goes_on(dump, store, whole)


def test_ctrl_c_while_a_process_reads(dump: Path, store: Path, whole: CorpusInfo) -> None:
    ended = broken("beside ctrl-c:22", "fever", dump, "--store", store)
    assert ended.returncode == 130
    assert ended.stderr.splitlines()[-1].startswith("Stopped after 21 pages; run the same command again")
    assert "Traceback" not in ended.stderr
    assert goes_on(dump, store, whole) == ["Resuming after 21 pages."]
