"""The table of what each step is worth, on made answers and on a few claims of the sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.fever.ablation import STEP_FIGURES, measure_steps, steps_table
from evaluation.fever.answers import row_answer
from evaluation.journal import Journal
from evaluation.report.blocks import write_block
from retrieval.errors import SettingError
from retrieval.recipes.esoteric import STEPS
from retrieval.resources import Resources
from retrieval.settings import Settings

CLAIMS = Path(__file__).resolve().parents[3] / "data" / "sample" / "claims.jsonl"


def test_each_step_is_left_out_in_turn(sample_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resources = Resources(Settings(data=tmp_path, store=str(sample_folder)))
    card = measure_steps(CLAIMS, tmp_path / "out", resources, limit=2)
    assert set(card["steps"]) == set(STEPS)
    assert json.loads((tmp_path / "out" / "ablation.json").read_text())["steps"] == card["steps"]
    others = Journal(tmp_path / "out" / "title-n-grams", {}, row_answer)
    assert len(others.answers) == 0, "answers of another run are not taken"
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- ablation: begin -->\nold\n<!-- ablation: end -->\nAfter.\n")
    write_block(page, "ablation", steps_table(card))
    assert steps_table(card) in page.read_text()
    assert page.read_text().startswith("Before.")
    assert all(step in page.read_text() for step in STEPS)
    page.write_text("no place")
    with pytest.raises(SettingError, match="no place for the figures"):
        write_block(page, "ablation", steps_table(card))


def test_a_difference_that_is_sure_has_a_star() -> None:
    row = {"this": 0.5, "other": 0.9, "difference": -0.4, "low": -0.6, "high": -0.2, "p": 0.002}
    unsure = {**row, "this": 0.89, "difference": -0.01, "low": -0.02, "high": 0.01}
    steps = {"text": dict.fromkeys(STEP_FIGURES, row), "similarity": dict.fromkeys(STEP_FIGURES, unsure)}
    data = {"path": "claims.jsonl", "sha256": "0" * 64, "claims": 3}
    table = steps_table({"steps": steps, "data": data, "pipeline": {"corpus": {"pages": 7}}})
    assert "| nothing | **0.900**" in table
    assert "| text | 0.500 (-0.400*)" in table
    assert "| similarity | 0.890 (-0.010)" in table
