"""The stance model alone, with the real model on six pairs and by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.stance.run import read_pairs, score_stances, strongest
from retrieval.errors import CorpusError
from retrieval.types import Stance

ROME = "Rome : Rome is the capital of Italy and has 2.8 million inhabitants."
PAIRS = [
    {"claim": "Rome is the capital of Italy.", "evidence": ROME, "label": "SUPPORTS"},
    {"claim": "Rome is the capital of France.", "evidence": ROME, "label": "REFUTES"},
    {"claim": "Rome has more than two million inhabitants.", "evidence": ROME, "label": "SUPPORTS"},
    {"claim": "Marie Curie was born in Warsaw.", "evidence": "Curie was born in Paris.", "label": "REFUTES"},
    {"claim": "Marie Curie was born in Warsaw.", "evidence": "Marie Curie was born in Warsaw.", "label": "SUPPORTS"},
    {"claim": "Marie Curie liked tea.", "evidence": "Marie Curie was born in Warsaw.", "label": "NOT ENOUGH INFO"},
]


def test_six_pairs_with_the_real_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(pair) + "\n" for pair in PAIRS).encode()))
    assert main(["stance", str(path), "--out", str(tmp_path / "out")]) == 0
    card = json.loads((tmp_path / "out" / "scorecard.json").read_text("utf-8"))
    assert set(card["metrics"]) == {"label_accuracy", "macro_f1", "two_way_accuracy"}
    assert card["metrics"]["two_way_accuracy"]["n"] == 5
    assert card["metrics"]["two_way_accuracy"]["value"] >= 0.6, "these are easy"
    assert card["pairs_per_s"] > 0
    assert (card["data"]["claims"], card["data"]["scored"]) == (6, 6)
    assert card["per_label"]["SUPPORTS"]["gold"] == 3
    assert "stance model" in (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "two_way_accuracy" in capsys.readouterr().out


def test_stance_figures_by_hand() -> None:
    yes, no, neither = Stance(0.8, 0.1, 0.1), Stance(0.1, 0.6, 0.3), Stance(0.2, 0.1, 0.7)
    assert [strongest(stance) for stance in (yes, no, neither)] == ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    gold = ["SUPPORTS", "REFUTES", "SUPPORTS", "NOT ENOUGH INFO"]
    scores = score_stances(gold, [yes, yes, neither, neither])
    assert scores["label_accuracy"].value == 0.5
    assert scores["two_way_accuracy"].value == pytest.approx(2 / 3), "the third leans to support, neutral left out"
    assert scores["two_way_accuracy"].n == 3
    # SUPPORTS: 1 of 2 given, 1 of 2 gold; REFUTES: none; NOT ENOUGH INFO: 1 of 2 given, 1 of 1 gold.
    assert scores["macro_f1"].value == pytest.approx((1 / 2 + 0 + 2 / 3) / 3)


@pytest.mark.parametrize(
    "row", ["{", "[]", "null", json.dumps({**PAIRS[0], "label": "MAYBE"}), json.dumps({**PAIRS[0], "claim": 7})]
)
def test_a_line_that_is_no_pair(row: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(json.dumps(PAIRS[0]) + "\n" + row + "\n")
    with pytest.raises(CorpusError, match=r"line 2 is not a pair .* It needs claim, evidence and label"):
        read_pairs(tmp_path / "pairs.jsonl")


def test_files_that_hold_no_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plain.jsonl.gz").write_text("not gzipped")
    (tmp_path / "empty.jsonl").write_text("\n")
    for name, fault in (
        ("plain.jsonl.gz", "not gzipped"),
        ("empty.jsonl", "holds no pair"),
        ("none", "cannot be read"),
    ):
        assert main(["stance", str(tmp_path / name), "--out", str(tmp_path / "out")]) == 2
        assert fault in capsys.readouterr().err
