"""What each recipe gets right, from its run to the place where it is chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.home import service as choices
from evaluation.__main__ import main
from evaluation.everyday.recipes import recipes_card
from evaluation.report.results import everyday_table, kinds_table, recipes_table
from retrieval.errors import CorpusError
from retrieval.measured import Measured, Right, measured


def score(value: float, n: int = 300) -> dict[str, float]:
    return {"value": value, "low": round(value - 0.05, 2), "high": round(value + 0.05, 2), "n": n}


def card(recipe: str, value: float, sha256: str = "ab") -> dict[str, Any]:
    return {
        "data": {"path": "everyday.jsonl", "sha256": sha256, "claims": 300, "scored": 300},
        "pipeline": {"recipe": recipe, "models": {"cross_encoder": "c@1"}, "settings": {}, "corpus": {"pages": 1234}},
        "metrics": {"label_accuracy": score(value), "recall_refutes": score(0.4, 90)},
        "classes": {"rank": {"label_accuracy": score(0.5, 12)}},
        "machine": "a machine",
    }


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[list[Path]]:
    """Of `careful` over all claims, and of `fast` over the first hundred, beside it."""
    compared = {"this": 0.58, "other": 0.61, "difference": -0.03, "low": -0.08, "high": 0.02, "p": 0.3}
    second = card("fast", 0.58) | {"comparison": {"claims": 100, "metrics": {"label_accuracy": compared}}}
    folders = [tmp_path / "everyday", tmp_path / "everyday-fast"]
    for folder, content in zip(folders, (card("careful", 0.62), second), strict=True):
        folder.mkdir()
        (folder / "scorecard.json").write_text(json.dumps(content), "utf-8")
    yield folders
    measured.cache_clear()


def test_how_far_each_is_behind_the_first(runs: list[Path]) -> None:
    found = recipes_card(runs)
    assert found["recipes"] == ["careful", "fast"]
    assert "label_accuracy_behind" not in found["careful"]
    assert found["fast"]["label_accuracy_behind"] == {"value": 0.03, "low": -0.02, "high": 0.08, "n": 100}


def test_runs_over_other_claims_are_refused(runs: list[Path]) -> None:
    (runs[1] / "scorecard.json").write_text(json.dumps(card("fast", 0.5, "cd")), "utf-8")
    with pytest.raises(CorpusError, match="other claims"):
        recipes_card(runs)
    with pytest.raises(CorpusError, match="no scorecard"):
        recipes_card([runs[0], runs[0] / "none"])


def test_it_is_told_where_recipes_are_chosen(runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, into = tmp_path / "recipes.json", tmp_path / "measured.json"
    assert main(["recipes", *map(str, runs), "--out", str(out), "--into", str(into)]) == 0
    found = measured(into)
    assert found == Measured(1234, {"careful": Right(0.62, 0.57, 0.67, 300), "fast": Right(0.58, 0.53, 0.63, 300)})
    assert found.recipes["careful"].in_words() == "62 % of 300 everyday claims"
    monkeypatch.setattr(choices, "measured", lambda: found)
    ways = choices.recipe_choices(False)
    assert [one.figures.rpartition(", ")[2] for one in ways.first if one.name in found.recipes] == [
        "right for 62%",
        "right for 58%",
    ]
    assert "300 everyday claims, checked against 1,234 pages" in ways.explanation
    assert all("right" not in one.figures for one in ways.more), "not measured"


def test_without_a_file_nothing_is_claimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = measured(tmp_path / "none.json")
    assert nothing.recipes == {}
    monkeypatch.setattr(choices, "measured", lambda: nothing)
    ways = choices.recipe_choices(False)
    assert ways.explanation == ""
    assert not any(one.right for one in (*ways.first, *ways.more))


def test_the_tables(runs: list[Path]) -> None:
    kinds = {"label_accuracy": score(0.6, 5), "opposite_verdicts": score(0.2, 5)}
    cards = {
        "everyday": card("careful", 0.62),
        "recipes": recipes_card(runs),
        "kinds": {**card("careful", 0.6), "sets": {"one": {"no_verdict": score(1.0, 2)}}, "metrics": kinds},
    }
    table = everyday_table(cards)
    assert "| rank | 12 | .500 [.450, .550] |" in table
    assert "| refuted | 90 | .400 [.350, .450] |" in table
    assert "| `fast` | .580 [.530, .630], 300 claims | .030 [-.020, .080] |" in table
    assert "1,234 pages; a machine." in table
    assert "| one |  |  |  |  | 1.000 [.950, 1.050] | 2 |" in kinds_table(cards)
    assert "| `careful` | Careful |" in recipes_table(cards)
    assert ".620 [.570, .670] |" in recipes_table(cards)
    assert everyday_table({}) == kinds_table({}) == "Not measured."
