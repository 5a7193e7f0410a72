"""Claims by kind of trouble."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.everyday.kinds import Case, Outcome, evaluate_kinds, kinds_measures, read_cases
from evaluation.metrics import score_all
from retrieval.errors import CorpusError
from retrieval.resources import Resources
from retrieval.types import Label


def test_what_counts_as_right_opposite_and_no_verdict() -> None:
    said = [
        ("S", Label.SUPPORTED),
        ("S", Label.REFUTED),  # the wrong way round
        ("R", Label.NOT_ENOUGH_EVIDENCE),  # wrong, and not the wrong way round
        ("R", Label.CONFLICTING),
        ("N", Label.SUPPORTED),
        ("?", Label.REFUTED),  # soft: not counted
        ("-", None),
        ("-", Label.SUPPORTED),
    ]
    cases, answers = [Case("a", "x", want) for want, _ in said], [Outcome(label) for _, label in said]
    scores = score_all(kinds_measures(cases, answers))
    assert {name: (score.value, score.n) for name, score in scores.items()} == {
        "label_accuracy": (0.2, 5),
        "recall_supported": (0.5, 2),
        "recall_refuted": (0.0, 2),
        "recall_not_enough_evidence": (0.0, 1),
        "opposite_verdicts": (0.2, 5),
        "no_verdict": (0.5, 2),
    }


def test_a_file_as_spreadsheets_write_it(tmp_path: Path) -> None:
    path = tmp_path / "claims.csv"
    path.write_bytes('\ufeffset,claim,want\r\none,"It is hot,\r\nor cold.",S\r\ntwo,Hello,-\r\n'.encode())
    assert read_cases(path) == [Case("one", "It is hot,\r\nor cold.", "S"), Case("two", "Hello", "-")]


@pytest.mark.parametrize(
    "content", ["", "set,claim,want\n", "set,claim,want\none,It is hot.,yes\n", "claim\nIt is hot.\n"]
)
def test_what_cannot_be_scored(tmp_path: Path, content: str) -> None:
    path = tmp_path / "claims.csv"
    path.write_text(content, "utf-8")
    with pytest.raises(CorpusError, match="want"):
        read_cases(path)
    with pytest.raises(CorpusError, match="cannot be read"):
        read_cases(tmp_path / "none.csv")


def test_a_run_scores_every_set_and_keeps_what_was_said(tmp_path: Path, resources: Resources) -> None:
    path = tmp_path / "claims.csv"
    path.write_text("set,claim,want\none,Warsaw is the capital of Poland.,S\ntwo,   ,-\n", "utf-8")
    card = evaluate_kinds(path, tmp_path / "out", resources, "fast")
    assert (tmp_path / "out" / "scorecard.json").is_file()
    assert card["data"]["scored"] == 2
    assert card["metrics"]["no_verdict"]["value"] == 1.0, "what is refused gets no verdict"
    assert set(card["sets"]["one"]) == {"label_accuracy", "recall_supported", "opposite_verdicts"}
    rows = [json.loads(line) for line in (tmp_path / "out" / "cases.jsonl").read_text("utf-8").splitlines()]
    assert [row["want"] for row in rows] == ["S", "-"]
    assert rows[1]["said"] is None
    assert rows[1]["note"]
