"""The table of what a page of today's Wikipedia costs, made small."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from evaluation.__main__ import main
from evaluation.speed.wikipedia import measure


def test_the_table_stands_between_its_marks(tmp_path: Path) -> None:
    report = tmp_path / "page.md"
    report.write_text("Before.\n<!-- wikipedia: begin -->\nold\n<!-- wikipedia: end -->\nAfter.\n")
    assert main(["wikipedia", "--pages", "40", "--report", str(report)]) == 0
    text = report.read_text()
    assert text.startswith(
        "Before.\n<!-- wikipedia: begin -->\nMade by `python -m evaluation wikipedia --pages 40` on "
    )
    assert text.endswith("<!-- wikipedia: end -->\nAfter.\n")
    assert "old" not in text
    rows = re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \|$", text, re.M)
    assert len(rows) == 9
    assert all(re.search(r"\d", first + second) for _, first, second in rows)


def test_what_else_runs_is_not_waited_for() -> None:
    """It waited for all children of its own process, and so for ever if one of them was a server."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        cost = measure("-c", "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'sum(range(10**7))'])")
        assert other.poll() is None
        assert cost.every > cost.loader > 0, "what outlives the load counts"
        other.communicate(b"\n")
