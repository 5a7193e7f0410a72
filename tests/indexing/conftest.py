"""A dump of two files, a place for a store, and what an unbroken load gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexing.load import load_fever
from retrieval.types import CorpusInfo
from tests.indexing.loads import PAGES, rows
from tests.making import write_dump


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """Two files of 20 pages each; the second holds the last page of the first again."""
    write_dump(tmp_path / "dump" / "wiki-001.jsonl", rows(0, 20))
    write_dump(tmp_path / "dump" / "wiki-002.jsonl", rows(19, PAGES))
    return tmp_path / "dump"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def whole(dump: Path, tmp_path: Path) -> CorpusInfo:
    """What a load that nothing broke off gives."""
    card, _ = load_fever([dump], str(tmp_path / "whole"), name="dump")
    assert card.pages == PAGES
    return card
