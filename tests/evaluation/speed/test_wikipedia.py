"""The table of what a page of today's Wikipedia costs, made small."""

from __future__ import annotations

import re
from pathlib import Path

from evaluation.__main__ import main


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
