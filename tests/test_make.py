"""The commands of the README, run as a person would type them."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.process import ROOT, Server, free_port

SAMPLE = ROOT / "data" / "sample" / "wiki-001.jsonl"


@pytest.fixture
def archive_address(tmp_path: Path) -> Iterator[str]:
    """A local server that has a small dump at the place of FEVER's archive."""
    served = tmp_path / "served"
    served.mkdir()
    with zipfile.ZipFile(served / "wiki-pages.zip", "w") as archive:
        rows = SAMPLE.read_text("utf-8").splitlines(keepends=True)
        archive.writestr("wiki-pages/wiki-001.jsonl", "".join(rows[:100]))
        archive.writestr("wiki-pages/wiki-002.jsonl", rows[0] + "".join(rows[100:]))
    handler = functools.partial(_Quiet, directory=str(served))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/wiki-pages.zip"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def make(target: str, data: Path, *variables: str) -> subprocess.CompletedProcess[str]:
    """Run make without an environment of its own: the tests' is complete, and nothing is to be installed here."""
    assert shutil.which("make")
    environment = {name: value for name, value in os.environ.items() if name not in ("STORE", "MAKEFLAGS", "MAKELEVEL")}
    command = ["make", target, f"DATA={data}", f"RUN={sys.executable}", "-o", ".venv/installed", *variables]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


def test_first_start_loads_the_sample_once(tmp_path: Path) -> None:
    first, second = make("sample", tmp_path), make("sample", tmp_path)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "302 pages" in first.stdout
    assert second.stdout == ""


def test_a_running_application_switches_to_wikipedia(tmp_path: Path, archive_address: str) -> None:
    little = tmp_path / "little.jsonl"
    little.write_text("".join(SAMPLE.read_text("utf-8").splitlines(keepends=True)[:20]), "utf-8")
    loaded = subprocess.run(
        [sys.executable, "-m", "indexing", "fever", str(little), "--store", str(tmp_path / "store")],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert loaded.returncode == 0, loaded.stderr
    port = free_port()
    server = Server("-m", "app", port=port, DATA=str(tmp_path), PORT=str(port), STORE="", RECIPE="fast")
    try:
        server.start("/readyz", limit=60)
        assert server.client.get("/readyz").json()["corpus"]["pages"] == 19
        done = make("wikipedia", tmp_path, f"WIKIPEDIA={archive_address}")
        assert done.returncode == 0, done.stderr
        deadline = time.monotonic() + 10
        while (pages := server.client.get("/readyz").json()["corpus"]["pages"]) != 302:
            assert time.monotonic() < deadline, pages
            time.sleep(0.1)
        assert "Wikipedia of June 2017" in server.client.get("/").text
    finally:
        server.close()


def test_an_address_without_an_archive_is_one_sentence(tmp_path: Path, archive_address: str) -> None:
    failed = make("wikipedia", tmp_path, f"WIKIPEDIA={archive_address.replace('wiki-pages', 'none')}")
    assert failed.returncode == 2
    assert "Traceback" not in failed.stderr
    assert "none.zip" in failed.stderr or "127.0.0.1" in failed.stderr
    assert not (tmp_path / "store" / "CURRENT").exists()


def test_help_lists_the_commands(tmp_path: Path) -> None:
    listed = make("help", tmp_path).stdout
    assert {"run", "test", "wikipedia"} <= {line.split()[0] for line in listed.splitlines() if line and line[0] != "m"}
