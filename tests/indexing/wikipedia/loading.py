"""How the tests run a load, and what the dumps they load are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexing.__main__ import main
from tests.indexing.wikipedia.dump_server import DumpServer

PAGES = 100
OLD, NEW = "20251207", "20251214"
FIRST = f"enwiki_content-{OLD}-00000.json.bz2"


def run(server: DumpServer, *options: str) -> int:
    return main(["wikipedia", "--address", server.url, *options])


def refused(server: DumpServer, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Run a load that cannot be done; returns its last sentence."""
    assert run(server, *options) == 2
    return capsys.readouterr().err.splitlines()[-1]


def index(server: DumpServer, date: str = OLD) -> Path:
    return server.folder / date / "index_name=enwiki_content"
