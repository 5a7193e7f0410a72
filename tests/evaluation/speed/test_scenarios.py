"""The table of scenarios is what the command line offers."""

from __future__ import annotations

import pytest

from evaluation.__main__ import main
from evaluation.scenarios import SCENARIOS
from retrieval.command import Command


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_each_is_a_command_that_explains_itself(scenario: Command, capsys: pytest.CaptureFixture[str]) -> None:
    name = scenario.name
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.startswith(f"usage: python -m evaluation {name} ")
    assert " ".join(scenario.example.split()) in shown.replace("- ", "-")


def test_no_two_have_one_name() -> None:
    assert len({scenario.name for scenario in SCENARIOS}) == len(SCENARIOS)
