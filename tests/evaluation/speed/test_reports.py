"""A report's time beside its claims' own, on a real application."""

from __future__ import annotations

from pathlib import Path

from evaluation.speed.reports import REPORTS, WARM_UP_CLAIMS, measure_reports, reports_table
from retrieval.settings import Settings


def test_a_report_and_single_runs_take_turns(sample_folder: Path) -> None:
    claims = [f"Warsaw has {number} districts." for number in range(10, 10 + WARM_UP_CLAIMS + REPORTS)]
    found = measure_reports(claims, str(sample_folder), "fast", Settings())
    assert (found["claims"], found["failed"]) == (REPORTS, 0)
    assert found["report_s"] > 0
    assert found["single_s"] > 0


def test_a_missed_goal_is_bold() -> None:
    found = {"claims": 1_000, "failed": 2, "report_s": 300.0, "single_s": 250.0}
    table = reports_table(found, "fast", 118_863)
    assert "1,000 claims over 118,863 pages, recipe `fast`" in table
    assert "| 1,000 claims, 2 failed | 250 s | 300 s | **1.20** |" in table
    assert "| 250 s | 250 s | 1.00 |" in reports_table(found | {"report_s": 250.0}, "fast", 9)
