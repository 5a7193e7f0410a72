"""The README's way from a folder to Elasticsearch, each line run as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.process import ROOT, Server, free_port
from tests.conftest import SAMPLE
from tests.elastic.corpora import Cluster

pytestmark = pytest.mark.slow


def block() -> list[str]:
    found = re.search(r"<!-- grow: begin -->\n```\n(.*?)\n```", (ROOT / "README.md").read_text("utf-8"), re.S)
    assert found
    return found[1].splitlines()


@pytest.fixture
def environment(cluster: Cluster, tmp_path: Path) -> dict[str, str]:
    """A folder with what the reader has: the program, a dump and the authority's certificate."""
    for name in (
        "indexing",
        "retrieval",
        "evaluation",
        "app",
        "templates",
        "static",
        "data",
        "Makefile",
        "requirements.txt",
        "requirements.lock",
    ):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    (tmp_path / ".venv" / "installed").touch()
    (tmp_path / "wiki-pages.zip").mkdir()
    (tmp_path / "wiki-pages.zip" / "wiki-001.jsonl").symlink_to(SAMPLE / "wiki-001.jsonl")
    if cluster.authority:
        (tmp_path / "http_ca.crt").write_bytes(Path(cluster.authority).read_bytes())
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("ELASTICSEARCH", "STORE", "MAKE"))
    }
    return {**kept, "DATA": str(tmp_path / "own"), "PORT": str(free_port())}


def test_from_embedded_to_elasticsearch(cluster: Cluster, environment: dict[str, str], tmp_path: Path) -> None:
    """Only the server's name, the user and the password are this server's."""
    lines = block()
    assert len(lines) == 5
    quoted = "'" + cluster.password.replace("'", "'\\''") + "'"
    script = "\n".join(lines).replace("https://localhost:9200/wikipedia", cluster.place())
    script = script.replace("USER=elastic", f"USER={cluster.user}").replace("PASSWORD=...", f"PASSWORD={quoted}")
    *loading, run = script.splitlines()
    assert run == "make run"
    loaded = subprocess.run(
        ["sh", "-ec", "\n".join(loading)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert loaded.returncode == 0, loaded.stderr
    assert '"pages": 302' in loaded.stdout
    exports = "\n".join(line for line in loading if line.startswith("export"))
    server = Server(port=int(environment["PORT"]))
    server.command = ["sh", "-ec", f"cd {tmp_path}\n{exports}\nexec {run}"]
    server.environment = environment
    try:
        server.start("/readyz", limit=300)
        done = server.wait(
            server.submit("Warsaw is the capital of Poland."), lambda check: check["state"] == "done", 300
        )
        assert done["corpus"]["pages"] == 302
    finally:
        server.close()
