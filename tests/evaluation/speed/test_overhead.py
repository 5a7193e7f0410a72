"""What a check costs beside its pipeline, on real applications."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluation.speed.overhead import measure_overhead, overhead_table
from retrieval.errors import SettingError

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_two_checkouts_take_turns(sample_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECIPE", "fast")  # the applications load no reader
    claims = [f"Warsaw has {number} bridges." for number in range(2, 8)]  # one may fit into free pages of the database
    found = measure_overhead(claims, str(sample_folder), "fast", beside=ROOT)
    assert set(found) == {"this", "beside"}
    for figures in found.values():
        assert figures["claims"] == 6
        assert figures["beside_ms"]["p50"] > 0
        assert figures["pipeline_ms"]["p50"] > 0
        assert figures["cpu_ms"]["mean"] > 0
        assert 0 < figures["stored_kb"]["mean"] < 1_000
    table = overhead_table({"SQLite": found})
    assert "6 claims of `data/sample`" in table
    assert "| pipeline, p50 / p95 | SQLite |" in table
    assert re.search(r"what the database grows by a claim, mean \| SQLite \| [\d,]+ kB \| [\d,]+ kB \|", table)
    alone = overhead_table({"SQLite": {"this": found["this"]}})
    assert "| SQLite |  |" in alone
    start, end = found["this"]["load"]
    assert f"| load average of the machine, start / end | SQLite | | {start} / {end} | |" in alone


def test_a_server_on_which_no_database_can_be_made() -> None:
    with pytest.raises(SettingError, match="allows no new database"):
        measure_overhead(["A claim."], "nowhere", "fast", database="postgresql://nobody@127.0.0.1:1/none")
