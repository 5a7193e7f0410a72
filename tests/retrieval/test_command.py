"""What the commands share: the settings file, warnings, the version, a reader that goes away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.__main__ import main
from retrieval.settings.in_force import CONFIG
from retrieval.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
FACES = ("retrieval", "app", "indexing", "evaluation", "training")


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True
    )


@pytest.mark.parametrize("face", FACES)
def test_every_command_says_its_version(face: str) -> None:
    said = run(face, "--version")
    assert (said.returncode, said.stdout, said.stderr) == (0, f"ESOTERIC {VERSION}\n", "")


@pytest.mark.parametrize("face", FACES)
def test_every_command_knows_the_settings_file(face: str) -> None:
    assert "--config FILE" in run(face, "--help").stdout


@pytest.mark.parametrize("before", [True, False])
def test_the_settings_file_by_option(before: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("port = 81\nprot = 82\n")
    option, command = ["--config", str(file)], ["settings"]
    assert main(option + command if before else command + option) == 0
    said = capsys.readouterr()
    assert ["PORT", "81", str(file)] in [line.split() for line in said.out.splitlines()]
    assert said.err == f"`prot` in {file} is not a setting. Did you mean port?\n"
    assert CONFIG not in os.environ, "what runs after it is not the command's business"


def test_a_settings_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--config", str(tmp_path / "mine.toml")]) == 2
    assert "mine.toml cannot be read" in capsys.readouterr().err


def test_a_misspelt_variable_is_told_and_the_command_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LLM_MODLE", "m")
    assert main(["recipes"]) == 0
    assert capsys.readouterr().err == "LLM_MODLE in the environment is not a setting. Did you mean LLM_MODEL?\n"


def test_a_reader_that_has_read_enough(tmp_path: Path) -> None:
    """`python -m retrieval models | head` once ended in a traceback."""
    read, write = os.pipe()
    os.close(read)  # so the first write finds nobody
    ended = subprocess.run(
        [sys.executable, "-m", "retrieval", "models"], cwd=ROOT, stdout=write, stderr=subprocess.PIPE, text=True
    )
    os.close(write)
    assert (ended.returncode, ended.stderr) == (141, "")
