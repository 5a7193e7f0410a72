"""Figures of which sentences are worth checking, and the command that writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.__main__ import main
from evaluation.extraction.checkworthy import average_precision, figures, read_sentences
from retrieval.errors import CorpusError

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "sample" / "texts" / "sentences.jsonl"


def test_figures_by_hand() -> None:
    gold, scores = [True, True, False, False], [0.9, 0.3, 0.6, 0.1]
    found = {name: score["value"] for name, score in figures(gold, scores, [True, False, True, False]).items()}
    assert found == {
        "f1": 0.5,
        "macro_f1": 0.5,
        "average_precision": pytest.approx((1 + 2 / 3) / 2, abs=1e-4),
        "precision": 0.5,
        "recall": 0.5,
    }


ROWS = st.lists(st.tuples(st.booleans(), st.sampled_from([0.1, 0.2, 0.5, 0.9])), min_size=1, max_size=30)


@given(ROWS.filter(lambda rows: any(worthy for worthy, _ in rows)))
def test_average_precision_is_the_library_s(rows: list[tuple[bool, float]]) -> None:
    from sklearn.metrics import average_precision_score

    gold, scores = [worthy for worthy, _ in rows], [score for _, score in rows]
    found = average_precision(gold, scores)
    assert found is not None
    assert found.value == pytest.approx(average_precision_score(gold, scores))
    assert found.low <= found.high


def test_without_a_worthy_sentence_there_is_no_such_figure() -> None:
    assert average_precision([False, False], [0.1, 0.2]) is None
    assert "average_precision" not in figures([False], [0.1], [False])


def test_the_command_writes_a_scorecard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checkworthy", str(SAMPLE), "--limit", "12", "--out", str(tmp_path)]) == 0
    card = json.loads((tmp_path / "scorecard.json").read_text("utf-8"))
    assert card["metrics"].keys() == {"f1", "macro_f1", "average_precision", "precision", "recall"}
    assert card["data"]["scored"] == 12
    assert card["pipeline"]["settings"]["threshold"] > 0
    assert "f1" in capsys.readouterr().out
    assert len((tmp_path / "predictions.jsonl").read_text("utf-8").splitlines()) == 12


@pytest.mark.parametrize(
    ("content", "told"),
    [("", "holds no sentence"), ("{}\n", "line 1"), ('{"sentence": 1, "label": "x"}\n', "line 1"), ("[\n", "line 1")],
)
def test_what_cannot_be_scored_is_named(content: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "sentences.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(CorpusError, match=told):
        read_sentences(path)
    with pytest.raises(CorpusError, match="cannot be read"):
        read_sentences(tmp_path / "none.jsonl")
