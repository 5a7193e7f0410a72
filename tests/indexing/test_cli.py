"""The command line of `indexing`: exit codes, one clear sentence for each thing that can be wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexing.__main__ import main
from retrieval.stores.embedded import generations
from retrieval.stores.pages import SCHEMA
from tests.app.process import free_port
from tests.making import dump_row, write_dump

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("STORE", "DATA"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return write_dump(tmp_path / "wiki-001.jsonl", [dump_row("A", "One ."), dump_row("B", "Two .")])


@pytest.fixture
def store(tmp_path: Path, dump: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["fever", str(dump), "--store", str(tmp_path / "store")]) == 0
    capsys.readouterr()
    return tmp_path / "store"


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """Run a command that cannot start; returns its one sentence."""
    assert main([str(argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [line for line in captured.err.splitlines() if "pages/s]" not in line]
    assert len(lines) == 1
    assert lines[0].endswith(".")
    return lines[0]


def test_a_real_process_loads_and_describes_what_it_loaded(tmp_path: Path, dump: Path) -> None:
    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "indexing", *map(str, arguments)]
        environment = {**os.environ, "DATA": str(tmp_path / "data")}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)

    loaded = run("fever", dump, "--name", "Two letters")
    assert loaded.returncode == 0
    assert loaded.stdout.startswith(f"2 pages in {tmp_path}/data/store, fingerprint ")
    info = run("info")
    assert (info.returncode, info.stderr) == (0, "")
    described = json.loads(info.stdout)
    assert {"pages", "fingerprint", "built", "vectors", "bytes"} <= set(described)
    assert (described["pages"], described["name"], described["schema"]) == (2, "Two letters", SCHEMA)
    assert described["fingerprint"] in loaded.stdout
    missing = run("fever", tmp_path / "nowhere")
    assert (missing.returncode, missing.stderr.count("\n"), "Traceback" in missing.stderr) == (2, 1, False)


@pytest.mark.parametrize("command", [(), ("fever",), ("documents",), ("info",)])
def test_help_shows_an_example(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    assert "Example: python -m indexing " in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [(), ("fever",), ("nonsense",), ("fever", "a", "--limit", "0"), ("fever", "a", "--limit", "²"), ("info", "--what")],
)
def test_wrong_arguments(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_the_store_comes_from_the_settings(
    dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STORE", str(tmp_path / "chosen"))
    assert main(["fever", str(dump)]) == 0
    assert main(["info"]) == 0
    assert (tmp_path / "chosen" / "CURRENT").exists()


def test_paths_that_hold_no_dump(tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "cut.zip").write_bytes(b"PK\3\4 and no more")
    assert "does not exist" in refused(capsys, "fever", tmp_path / "nowhere", "--store", store)
    assert "holds no file named" in refused(capsys, "fever", tmp_path / "empty", "--store", store)
    assert "not a complete zip archive" in refused(capsys, "fever", tmp_path / "cut.zip", "--store", store)
    assert "named twice" in refused(capsys, "fever", tmp_path / "wiki-001.jsonl", tmp_path, "--store", store)


def test_a_store_that_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "info", "--store", tmp_path / "none").startswith(
        f"There is no corpus at {tmp_path}/none. Load one"
    )
    assert not (tmp_path / "none").exists()


def test_a_store_that_is_half_built(tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    current = generations.current_generation(store)
    current.rename(store / "building")
    (store / "building" / "progress.json").write_text("{}")
    (store / "CURRENT").unlink()
    assert "was never loaded completely" in refused(capsys, "info", "--store", store)


def test_a_store_of_another_version(store: Path, dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = generations.current_generation(store) / "corpus.json"
    card.write_text(card.read_text().replace(f'"schema": {SCHEMA}', '"schema": 0'))
    sentence = f"has schema 0, this program reads schemas up to {SCHEMA}. Load it again with `--replace`."
    assert refused(capsys, "info", "--store", store).endswith(sentence)
    assert refused(capsys, "fever", dump, "--store", store).endswith(sentence)
    assert main(["fever", str(dump), "--store", str(store), "--replace"]) == 0


def test_a_store_that_is_damaged(store: Path, dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (generations.current_generation(store) / "meta.json").write_bytes(b"\xff")
    assert "cannot be opened" in refused(capsys, "info", "--store", store)
    assert "cannot be opened" in refused(capsys, "fever", dump, "--store", store)
    assert main(["fever", str(dump), "--store", str(store), "--replace"]) == 0


def test_a_store_that_cannot_be_written(tmp_path: Path, dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in (dump, dump / "below"):
        assert "cannot be written" in refused(capsys, "fever", dump, "--store", place)


def test_a_server_that_is_not_there(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["info"], ["fever", str(dump)], ["vectors"]):
        said = refused(capsys, *command, "--store", f"http://127.0.0.1:{free_port()}/pages")
        assert "cannot be reached" in said


def test_a_setting_without_sense(
    dump: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORT", "eighty")
    assert refused(capsys, "info").startswith("PORT is 'eighty', which is not a whole number")


def test_ctrl_c_before_and_after_the_pages(
    dump: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    for place in ("indexing.load.find_sources", "retrieval.stores.embedded.generations.switch"):
        with monkeypatch.context() as patch:
            patch.setattr(place, interrupt)
            assert main(["fever", str(dump), "--store", "store"]) == 130
        assert "Run the same command again" in capsys.readouterr().err
    assert main(["fever", str(dump), "--store", "store"]) == 0


def test_unless_something_is_loaded(
    tmp_path: Path, dump: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For whoever starts with a sample: a corpus stays as it is, one half loaded or of another version too."""
    load = ["fever", str(dump), "--store", str(tmp_path / "new"), "--unless-loaded"]
    assert [main(load), main(load)] == [0, 0]
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("2 pages in")
    assert second.endswith("holds 2 pages already. Nothing was loaded.")
    monkeypatch.setattr("retrieval.stores.embedded.generations.READABLE", ())
    assert main(load) == 0
    assert "Nothing was loaded" in capsys.readouterr().out
