"""FEVER claims are read as they are published, scored by its rules, and written as a scorecard."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.fever import Answer, fever_point, score_answers
from evaluation.fever_data import FEVER_NAMES, GoldClaim, holds_group, holds_pages, read_claims
from retrieval.errors import CorpusError
from retrieval.types import Label

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample" / "claims.jsonl"

TWO_PAGES = frozenset({("A", 0), ("B", 3)})
GOLD = GoldClaim("1", "A claim.", Label.SUPPORTED, (TWO_PAGES, frozenset({("C", 1)})))
OPEN = GoldClaim("2", "Another.", Label.NOT_ENOUGH_EVIDENCE, ())


def answer(label: str, *sentences: tuple[str, int]) -> Answer:
    return Answer(label, 0.8, tuple(dict.fromkeys(page for page, _ in sentences)), sentences, 10.0)


def test_every_label_has_a_name_in_fever() -> None:
    assert set(FEVER_NAMES) == set(Label)
    assert FEVER_NAMES[Label.CONFLICTING] == "NOT ENOUGH INFO"


def test_one_whole_group_must_be_found() -> None:
    assert holds_group(GOLD, [("X", 1), ("B", 3), ("A", 0)])
    assert holds_group(GOLD, [("C", 1)])
    assert not holds_group(GOLD, [("A", 0), ("B", 2), ("C", 0)])
    assert not holds_group(GOLD, [])
    assert not holds_group(OPEN, [("A", 0)])


def test_the_pages_of_one_whole_group_must_be_found() -> None:
    assert holds_pages(GOLD, ["B", "A"])
    assert holds_pages(GOLD, ["C"])
    assert not holds_pages(GOLD, ["A", "X"])
    assert not holds_pages(OPEN, ["A"])


def test_fever_point() -> None:
    filling = [("X", number) for number in range(4)]
    assert fever_point(GOLD, answer("SUPPORTS", *filling, ("C", 1))) == 1.0
    assert fever_point(GOLD, answer("SUPPORTS", *filling, ("X", 9), ("C", 1))) == 0.0, "the sixth sentence is too late"
    assert fever_point(GOLD, answer("SUPPORTS", ("A", 0))) == 0.0
    assert fever_point(GOLD, answer("REFUTES", ("C", 1))) == 0.0
    assert fever_point(OPEN, answer("NOT ENOUGH INFO")) == 1.0
    assert fever_point(OPEN, answer("SUPPORTS")) == 0.0


def test_recall_is_over_verifiable_claims_and_labels_are_over_all() -> None:
    second = replace(GOLD, id="3")
    answers = [answer("SUPPORTS", ("C", 1)), answer("SUPPORTS", ("A", 0), ("X", 0), ("B", 3)), answer("SUPPORTS")]
    scores = score_answers([GOLD, second, OPEN], answers)
    assert {name: (round(score.value, 3), score.n) for name, score in scores.items()} == {
        "page_set_recall@10": (1.0, 2),
        "evidence_set_recall@1": (0.5, 2),
        "evidence_set_recall@5": (1.0, 2),
        "evidence_set_recall@10": (1.0, 2),
        "label_accuracy": (0.667, 3),
        "macro_f1": (0.4, 3),
        "fever_score": (0.667, 3),
        "calibration_error": (0.133, 3),
    }


def test_what_cannot_be_computed_is_left_out() -> None:
    assert set(score_answers([OPEN], [answer("NOT ENOUGH INFO")])) == {
        "label_accuracy",
        "macro_f1",
        "fever_score",
        "calibration_error",
    }
    assert score_answers([], []) == {}


# Claims


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


ROW = {
    "id": 7,
    "label": "REFUTES",
    "claim": "A claim.",
    "evidence": [[[1, 2, "A", 0], [1, 2, "B", 3]], [[1, 3, "C", 1]]],
}


def test_claims_as_they_are_published(tmp_path: Path) -> None:
    unknown = {
        "id": 8,
        "label": "NOT ENOUGH INFO",
        "claim": "B",
        "evidence": [[[9, None, None, None]]],
        "natural": False,
    }
    first, second = read_claims(write(tmp_path / "claims.jsonl", ROW, unknown))
    assert first == GoldClaim("7", "A claim.", Label.REFUTED, (TWO_PAGES, frozenset({("C", 1)})))
    assert (second.evidence, second.verifiable, second.natural, second.complete) == ((), False, False, True)


def test_a_group_named_by_two_annotators_counts_once(tmp_path: Path) -> None:
    twice = {**ROW, "evidence": [[[1, 2, "A", 0]], [[5, 6, "A", 0]]]}
    assert read_claims(write(tmp_path / "claims.jsonl", twice))[0].evidence == (frozenset({("A", 0)}),)


def test_limit_and_blank_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "claims.jsonl", ROW, {**ROW, "id": 8}, {**ROW, "id": 9})
    path.write_text("\n" + path.read_text().replace("\n", "\n\n"))
    assert [claim.id for claim in read_claims(path, 2)] == ["7", "8"]


@pytest.mark.parametrize(
    "row",
    [
        "{",
        "[]",
        "7",
        "null",
        "{}",
        json.dumps({**ROW, "label": "MAYBE"}),
        json.dumps({**ROW, "label": ["SUPPORTS"]}),
        json.dumps({**ROW, "claim": None}),
        json.dumps({**ROW, "claim": ["A"]}),
        json.dumps({**ROW, "evidence": None}),
        json.dumps({**ROW, "evidence": [["A", 0]]}),
        json.dumps({**ROW, "evidence": [[[1, 2, ["A"], 0]]]}),
        json.dumps({"label": "SUPPORTS", "claim": "A"}),
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_claim(row: str, tmp_path: Path) -> None:
    (tmp_path / "claims.jsonl").write_text(json.dumps(ROW) + "\n" + row + "\n")
    with pytest.raises(CorpusError, match=r"claims\.jsonl, line 2 is not a FEVER claim .* It needs id, claim, label"):
        read_claims(tmp_path / "claims.jsonl")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "claims.jsonl").write_bytes(b"\xff\xfe\0")
    with pytest.raises(CorpusError, match="not a text file in UTF-8"):
        read_claims(tmp_path / "claims.jsonl")
    with pytest.raises(CorpusError, match="cannot be read: No such file"):
        read_claims(tmp_path / "none.jsonl")
    with pytest.raises(CorpusError, match="cannot be read: Is a directory"):
        read_claims(tmp_path)


# The command, end to end.

METRICS = {
    "page_set_recall@10", "evidence_set_recall@1", "evidence_set_recall@5", "evidence_set_recall@10", "label_accuracy",
    "macro_f1", "fever_score", "calibration_error",
}  # fmt: skip


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_folder: Path) -> Path:
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.setenv("STORE", str(sample_folder))
    monkeypatch.delenv("RECIPE", raising=False)
    return tmp_path


def test_the_sample_is_scored(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fever", str(SAMPLE), "--limit", "10", "--out", str(data / "out" / "deep")]) == 0
    card = json.loads((data / "out" / "deep" / "scorecard.json").read_text())
    # DESIGN section 10, to the letter; more keys are welcome.
    assert {"data", "pipeline", "metrics", "latency_ms", "peak_rss_mb", "machine"} <= set(card)
    assert {"path", "sha256", "claims", "scored"} <= set(card["data"])
    assert card["data"]["sha256"] == hashlib.sha256(SAMPLE.read_bytes()).hexdigest()
    assert (card["data"]["claims"], card["data"]["scored"]) == (10, 10)
    assert {"recipe", "models", "settings", "corpus"} <= set(card["pipeline"])
    assert card["pipeline"]["recipe"] == "fast"
    assert card["pipeline"]["corpus"]["pages"] == 302
    assert set(card["latency_ms"]) == {"p50", "p95", "mean"}
    assert set(card["metrics"]) >= METRICS
    for name, score in card["metrics"].items():
        assert set(score) == {"value", "low", "high", "n"}, name
        assert 0 <= score["low"] <= score["high"] <= 1
        assert 0 <= score["value"] <= 1
    predictions = [json.loads(line) for line in (data / "out" / "deep" / "predictions.jsonl").read_text().splitlines()]
    assert [prediction["id"] for prediction in predictions] == [claim.id for claim in read_claims(SAMPLE)[:10]]
    for prediction in predictions:
        assert set(prediction) == {"id", "predicted_label", "predicted_evidence"}
        assert prediction["predicted_label"] in ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
        assert len(prediction["predicted_evidence"]) <= 5
        assert all(isinstance(page, str) and isinstance(line, int) for page, line in prediction["predicted_evidence"])
    out = capsys.readouterr().out
    assert all(name in out for name in METRICS)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["fever", *map(str, arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_what_cannot_be_scored(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "empty.jsonl").write_text("\n")
    unnatural = write(data / "unnatural.jsonl", {**ROW, "natural": False})
    out = ("--out", data / "out")
    assert "cannot be read" in refused(capsys, data / "none.jsonl", *out)
    assert "holds no claim to score" in refused(capsys, data / "empty.jsonl", *out)
    assert "leave out `--natural`" in refused(capsys, unnatural, "--natural", *out)
    assert "There is no recipe" in refused(capsys, SAMPLE, "--recipe", "slow", *out)
    assert "There is no corpus" in refused(capsys, SAMPLE, "--store", data / "none", *out)
    assert not (data / "none").exists()


def test_an_output_folder_that_cannot_be_made_is_named_before_the_work(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "file").write_text("hello")
    for place in (data / "file", data / "file" / "below"):
        assert "cannot be made" in refused(capsys, SAMPLE, "--limit", "1", "--out", place)


@pytest.mark.parametrize("limit", ["0", "-5", "ten", "1.5"])
def test_a_limit_without_sense(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["fever", str(SAMPLE), "--limit", limit, "--out", "out"])
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("command", [(), ("fever",)])
def test_help_shows_an_example(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    assert "Example: python -m evaluation " in capsys.readouterr().out
