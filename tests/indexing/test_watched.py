"""A load that another program starts: what it would take, its lines, its signals, and where it may connect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexing import download
from indexing.__main__ import main
from retrieval.stores.embedded.store import EmbeddedStore
from tests.app.process import ROOT
from tests.indexing.wikipedia.dump_server import DumpServer, serve_dumps
from tests.indexing.wikipedia.synthetic import write_dump

SAMPLE = ROOT / "data" / "sample" / "wiki-001.jsonl"
PAGES = 60


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dumps")
    write_dump(folder, PAGES, wiki="simplewiki", files=2)
    return folder


@pytest.fixture
def server(dumps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DumpServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("DATA", str(tmp_path / "data"))
    monkeypatch.setenv("WEB_PRIVATE", "127.0.0.0/8")
    with serve_dumps(dumps) as state:
        yield state


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def wikipedia(server: DumpServer, store: Path, *options: str) -> int:
    return main(["wikipedia", "--wiki", "simplewiki", f"--address={server.url}", f"--store={store}", *options])


def test_a_plan_says_what_it_takes_and_loads_nothing(
    server: DumpServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wikipedia(server, tmp_path / "store", "--plan", "--public") == 0
    ((plan,),) = [line.values() for line in lines(capsys)]
    size = sum(file.stat().st_size for file in server.folder.rglob("*.bz2"))
    assert plan["name"] == "Simple English Wikipedia of 2025-12-07"
    assert (plan["files"], plan["bytes"], plan["fetched"]) == (2, size, size)
    assert plan["disk"] > size
    assert plan["free"] > plan["disk"]
    assert not (tmp_path / "store").exists()
    assert not [path for method, path, *_ in server.asked if method == "GET" and path.endswith(".bz2")]


def test_a_plan_of_fevers_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fever", str(SAMPLE), f"--store={tmp_path / 'store'}", "--plan"]) == 0
    ((plan,),) = [line.values() for line in lines(capsys)]
    assert (plan["files"], plan["bytes"], plan["fetched"]) == (1, SAMPLE.stat().st_size, 0)


def test_progress_goes_up_to_the_whole(server: DumpServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert wikipedia(server, tmp_path / "store", "--json", "--public") == 0
    told = lines(capsys)
    steps = [line for line in told if "step" in line]
    assert {line["step"] for line in steps} == {"read"}
    assert [line["done"] for line in steps] == sorted(line["done"] for line in steps)
    assert steps[-1]["done"] == steps[-1]["total"]
    assert steps[-1]["pages"] == PAGES
    store = EmbeddedStore(tmp_path / "store").info()
    assert told[-1] == {"loaded": {"pages": PAGES, "fingerprint": store.fingerprint, "name": store.name, "left_out": 0}}


@pytest.mark.parametrize("private", ["", "172.16.0.0/12"])
def test_private_addresses_are_refused(
    server: DumpServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    private: str,
) -> None:
    monkeypatch.setenv("WEB_PRIVATE", private)
    assert wikipedia(server, tmp_path / "store", "--plan", "--public") == 2
    assert "not public" in capsys.readouterr().err
    assert main(["fever", f"{server.url}/x.zip", f"--store={tmp_path / 'store'}", "--public"]) == 2
    assert "not public" in capsys.readouterr().err
    assert not server.asked
    assert wikipedia(server, tmp_path / "store", "--plan") == 0, "the command's own user may"


def test_a_redirect_leads_to_no_private_address_either(
    server: DumpServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.faults["x.zip"] = [(302, {"Location": "http://169.254.169.254/latest/meta-data"})] * 9
    assert main(["fever", f"{server.url}/x.zip", f"--store={tmp_path / 'store'}", "--public"]) == 2
    assert "169.254.169.254 leads to an address that is not public" in capsys.readouterr().err


def test_a_file_that_grows_beyond_the_disk_is_given_up(
    server: DumpServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "SPARE_SPACE", 10**18)
    assert main(["fever", f"{server.url}/20251207/index_name=simplewiki_content/_SUCCESS", "--public"]) == 2
    assert "free" in capsys.readouterr().err
