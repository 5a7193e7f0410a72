"""`python -m app` as a process: it starts in time, or says in one sentence why it cannot."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import create_app
from app.errors import CannotStart
from app.starting import prepare_database
from retrieval.errors import SettingError
from retrieval.recipes import RECIPES
from retrieval.settings import Settings
from retrieval.stores import shown
from retrieval.stores.elastic.server import read_address
from tests.app.process import ROOT, Server, free_port

SAMPLE = ROOT / "data" / "sample" / "wiki-001.jsonl"
ended = ("done", "failed", "cancelled")


def load_sample(store: Path) -> None:
    command = [sys.executable, "-m", "indexing", "fever", str(SAMPLE), "--name", "sample", "--store", str(store)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def refuse(**environment: str) -> str:
    """Its one sentence on stderr, after exit code 2."""
    ended = subprocess.run(
        [sys.executable, "-m", "app"], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.count("\n") == 1
    assert ended.stdout == ""
    return ended.stderr


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    port = free_port()
    server = Server("-m", "app", port=port, PORT=str(port), DATA=str(tmp_path / "data"), STORE="")
    yield server
    server.close()


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert "in use" in refuse(PORT=port, DATA=str(tmp_path))


def test_settings_that_make_no_sense(tmp_path: Path) -> None:
    assert "PORT" in refuse(PORT="eighty", DATA=str(tmp_path))
    assert "PORT" in refuse(PORT="99999", DATA=str(tmp_path))
    (tmp_path / "file").write_text("")
    assert "Set DATA" in refuse(PORT="0", DATA=str(tmp_path / "file" / "data"))


def test_a_damaged_database(tmp_path: Path) -> None:
    (tmp_path / "checks.sqlite").write_bytes(b"not a database, but as long as one" * 100)
    assert "checks.sqlite" in refuse(PORT="0", DATA=str(tmp_path))


@pytest.mark.parametrize("database", ["nonsense", "postgresql://me:secret@127.0.0.1:1/x"])
def test_a_database_that_is_not_there(database: str) -> None:
    with pytest.raises(CannotStart, match="Set DATABASE"):
        prepare_database(Settings(database=database))


def test_a_refusal_shows_no_password(tmp_path: Path) -> None:
    told = refuse(PORT="0", DATA=str(tmp_path), DATABASE="postgresql://me:hu/sh@hush@127.0.0.1:1/x")
    assert "DATABASE" in told
    assert "sh@" not in told


@pytest.mark.parametrize("password", ["hush@hush", "hu/sh@hush", "hu:sh@hush/x", "hu#sh@hush", "hush?@hush"])
def test_no_part_of_a_password_is_shown(password: str) -> None:
    with pytest.raises((CannotStart, SettingError)) as refused:
        prepare_database(Settings(database=f"postgresql://me:{password}@127.0.0.1:1/x"))
    assert "hush" not in str(refused.value)
    with pytest.raises(SettingError) as error:
        shown(read_address(f"https://me:1/{password}@host:9200/pages").url)
    assert "hush" not in str(error.value)


def test_help_shows_an_example() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "app", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "Example: " in shown.stdout


def test_it_starts_without_a_corpus_and_goes_on_when_one_appears(server: Server, tmp_path: Path) -> None:
    assert min(server.start("/"), server.spent()) <= 5
    assert server.client.get("/readyz").status_code == 503
    assert "There is no corpus" in server.client.get("/readyz").json()["detail"]
    assert "There is no corpus" in server.client.get("/").text
    refused = server.client.post("/api/checks", json={"claim": "Warsaw is a city."})
    assert refused.status_code == 503
    assert "There is no corpus" in refused.json()["detail"]
    assert server.client.get("/api/checks").json()["checks"] == []
    assert "Another ESOTERIC" in refuse(PORT="0", DATA=server.environment["DATA"])
    too_large = server.client.post("/api/checks", json={"claim": "x" * 1_000_000})
    assert too_large.status_code == 413
    load_sample(tmp_path / "data" / "store")
    check_id = server.submit("Warsaw is a city.")
    done = server.wait(check_id, lambda check: check["state"] in ended, limit=60)
    assert done["state"] == "done"
    assert set(done["models"]) == set(RECIPES["careful"].roles)
    server.kill()
    shutil.rmtree(tmp_path / "data" / "store")
    server.start()
    assert server.client.get(f"/checks/{check_id}").status_code == 200  # results outlive the corpus
    second = server.client.post("/api/checks", json={"claim": "Warsaw is a city."})
    assert second.status_code == 503


def test_no_garbage_is_sought_while_the_application_is_made(tmp_path: Path) -> None:
    sought: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        sought.append(phase)

    gc.callbacks.append(note)
    try:
        app = create_app(Settings(data=tmp_path))
        assert sought.count("start") <= 1, "the one that is due when collecting is allowed again"
    finally:
        gc.callbacks.remove(note)
    assert gc.isenabled()
    app.extensions["esoteric"].engine.dispose()


def test_no_query_meets_half_of_an_import() -> None:
    """When DBOS imported SQLAlchemy's ORM in a thread, a result page asked for meanwhile was a 500."""
    program = "import sys, app.jobs.jobs; print('dbos' in sys.modules and 'sqlalchemy.orm' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "True\n"
    )


@pytest.mark.parametrize("role", ["web", "worker"])
def test_a_health_check_loads_next_to_nothing(role: str, tmp_path: Path) -> None:
    """A container asks every ten seconds; with a database, models or a web framework, that costs a tenth of a core."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "app", role, "--health"], cwd=ROOT,
        env={**os.environ, "DATA": str(tmp_path), "PORT": str(free_port())}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert told.returncode == 1, told.stderr
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in told.stderr.splitlines()}
    assert "retrieval" in loaded
    assert not loaded & {
        "sqlalchemy",
        "dbos",
        "flask",
        "werkzeug",
        "pydantic",
        "numpy",
        "onnxruntime",
        "spacy",
        "httpx",
    }
