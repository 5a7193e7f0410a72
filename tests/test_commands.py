"""The command lines of all faces: every command shows an example that it accepts, and the shell can complete each."""

from __future__ import annotations

import argparse
import importlib
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FACES = ("app", "retrieval", "indexing", "evaluation", "training")


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A command line and all its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


def command_lines() -> dict[str, argparse.ArgumentParser]:
    """What is typed, as `python -m app user add` -> its parser."""
    tops = [importlib.import_module(f"{face}.__main__").parser() for face in FACES]
    return {parser.prog: parser for top in tops for parser in parsers(top)}


def example_of(parser: argparse.ArgumentParser) -> list[str]:
    """The words of the example at the end of its help, behind the settings before it."""
    words = shlex.split((parser.epilog or "").rpartition("Example: ")[2])
    return words[words.index("python") :] if "python" in words else []


def test_every_command_ends_its_help_with_an_example_that_it_accepts() -> None:
    lines = command_lines()
    assert {"python -m app user add", "python -m retrieval check", "python -m evaluation overhead"} <= set(lines)
    for name, parser in lines.items():
        typed = example_of(parser)
        assert typed[: len(name.split())] == name.split(), name
        assert "".join(parser.format_help().split()).endswith("".join((parser.epilog or "").split())), name
        lines[" ".join(typed[:3])].parse_args(typed[3:])


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("python -m app us", {"user"}),
        ("python -m app user ", {"add", "remove", "password", "role", "token", "list"}),
        ("python -m app user role ada ", {"reader", "checker", "admin"}),
        ("python -m retrieval check --know", {"--knowledge"}),
        ("python -m indexing fe", {"fever"}),
        ("python -m evaluation over", {"overhead"}),
        ("python -m training cross", {"cross-encoder"}),
    ],
)
def test_a_shell_is_told_what_may_follow(typed: str, offered: set[str], tmp_path: Path) -> None:
    face = typed.split()[2]
    assert b"PYTHON_ARGCOMPLETE_OK" in (ROOT / face / "__main__.py").read_bytes()[:1024], "else no shell asks"
    answer = tmp_path / "answer"
    asked = {"_ARGCOMPLETE": "3", "COMP_LINE": typed, "COMP_POINT": str(len(typed)), "_ARGCOMPLETE_IFS": "\n"}
    subprocess.run(
        [sys.executable, "-m", face],
        cwd=ROOT,
        env={**os.environ, **asked, "_ARGCOMPLETE_STDOUT_FILENAME": str(answer)},
        check=True,
    )
    found = {line.strip() for line in answer.read_text("utf-8").splitlines()}
    assert offered <= found
    assert {one for one in found if not one.startswith("-")} <= offered
