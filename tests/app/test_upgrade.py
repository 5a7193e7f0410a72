"""A database that version 1.0.0 wrote, and was killed over: today's application goes on with it.

`v1.0.0.sql` is the dump of that database: two checks over the sample, and one that was running when `kill -9` came.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.process import Server, free_port

DUMP = Path(__file__).with_name("v1.0.0.sql")
WARSAW, SYDNEY, UNFINISHED = "84d824c5b0550f6c", "17f4b374fe8556b3", "40c22c4a32b03dd0"


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory, sample_folder: Path) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("upgraded")
    with sqlite3.connect(data / "checks.sqlite") as database:
        database.executescript(DUMP.read_text())
    database.close()
    shutil.copytree(sample_folder, data / "store")
    port = free_port()
    server = Server("-m", "app", port=port, PORT=str(port), DATA=str(data), STORE="")
    try:
        server.start("/readyz")
        yield server
    finally:
        server.close()


def test_what_it_answered_is_shown(upgraded: Server) -> None:
    check = upgraded.client.get(f"/api/checks/{WARSAW}").json()
    assert (check["state"], check["recipe"], check["claim"]) == ("done", "fast", "Warsaw is the capital of Poland.")
    assert check["verdict"]["label"] == "SUPPORTED"
    assert check["verdict"]["confidence"] == pytest.approx(0.8983, abs=1e-4)
    assert check["evidence"][0]["page_id"] == "Warsaw"
    assert "Warsaw is the capital" in upgraded.client.get(f"/checks/{WARSAW}").text
    assert upgraded.client.get(f"/api/checks/{SYDNEY}").json()["recipe"] == "contextual"


@pytest.mark.parametrize("check_id", [WARSAW, SYDNEY])
def test_its_quotations_are_found_in_their_pages_and_exported(upgraded: Server, check_id: str) -> None:
    evidence = upgraded.client.get(f"/api/checks/{check_id}").json()["evidence"]
    assert evidence
    assert all(one["verified"] for one in evidence)
    shown = upgraded.client.get(f"/checks/{check_id}")
    assert shown.status_code == 200
    assert shown.text.count("<blockquote") >= len(evidence)
    for kind in ("json", "md", "csv", "csl", "bib", "ris"):
        exported = upgraded.client.get(f"/checks/{check_id}.{kind}")
        assert exported.status_code == 200, kind
        assert evidence[0]["title"] in exported.text, kind


def test_it_stands_in_every_list(upgraded: Server) -> None:
    listed = {check["id"] for check in upgraded.client.get("/api/checks").json()["checks"]}
    assert {WARSAW, SYDNEY, UNFINISHED} <= listed


def test_what_was_running_is_taken_up_and_ends(upgraded: Server) -> None:
    check = upgraded.wait(UNFINISHED, lambda check: check["state"] not in ("queued", "running"), limit=120)
    assert check["state"] == "done"


def test_new_checks_stand_beside_the_old_ones(upgraded: Server) -> None:
    check = upgraded.wait(upgraded.submit("Paris is the capital of France."), lambda check: check["state"] == "done")
    assert check["id"] not in (WARSAW, SYDNEY, UNFINISHED)
