"""docs/training.md has the commands of every model that ships, as the command line takes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retrieval.command import Parser
from training.__main__ import commands

ROOT = Path(__file__).parents[2]
COMMANDS = re.findall(r"^python -m training (.+)$", (ROOT / "docs" / "training.md").read_text("utf-8"), re.M)
MODELS = {
    "encoder",
    "cross-encoder",
    "reader",
    "ranker",
    "verdict",
    "careful",
    "averitec-verdict",
    "checkworthy",
    "coreference",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_takes_each(command: str) -> None:
    options = Parser("python -m training").add_commands(commands, "MODEL").parse_args(command.split())
    assert options.run


def test_no_model_is_forgotten() -> None:
    assert MODELS <= {command.split()[0] for command in COMMANDS} <= MODELS | {"pairs", "mine"}


def test_each_training_reads_pairs_that_a_command_before_it_wrote() -> None:
    written = {"data/local/training"}
    for line in (ROOT / "docs" / "training.md").read_text("utf-8").splitlines():
        work = re.search(r"--work (\S+)", line)
        if copied := re.match(r"mkdir .* cp \S+ (\S+)$", line):
            written.add(copied[1])
        elif line.startswith("python -m training mine") and work:
            written.add(work[1])
        elif line.startswith("python -m training cross-encoder"):
            assert not work or work[1] in written, line
