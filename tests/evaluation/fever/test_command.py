"""`python -m evaluation fever` from end to end: a scorecard as the contract has it, and one sentence for what is wrong."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.__main__ import main
from evaluation.fever.data import read_claims
from retrieval.resources import Resources

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "sample" / "claims.jsonl"
UNNATURAL = {"id": 7, "label": "REFUTES", "claim": "A claim.", "evidence": [[[1, 2, "A", 0]]], "natural": False}

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
    # docs/interfaces.md, to the letter; more keys are welcome.
    assert {"data", "pipeline", "metrics", "latency_ms", "peak_rss_mb", "machine"} <= set(card)
    assert {"path", "sha256", "claims", "scored"} <= set(card["data"])
    assert card["data"]["sha256"] == hashlib.sha256(SAMPLE.read_bytes()).hexdigest()
    assert (card["data"]["claims"], card["data"]["scored"]) == (10, 10)
    assert {"recipe", "models", "settings", "corpus"} <= set(card["pipeline"])
    assert card["pipeline"]["recipe"] == "careful"
    assert card["pipeline"]["corpus"]["pages"] == 302
    assert set(card["latency_ms"]) == {"p50", "p95", "mean"}
    assert set(card["metrics"]) >= METRICS
    for name, score in card["metrics"].items():
        assert set(score) == {"value", "low", "high", "n"}, name
        assert 0 <= score["low"] <= score["high"] <= 1
        assert 0 <= score["value"] <= 1
    predictions = [json.loads(line) for line in (data / "out" / "deep" / "predictions.jsonl").read_text().splitlines()]
    assert [prediction["id"] for prediction in predictions] == [int(claim.id) for claim in read_claims(SAMPLE)[:10]]
    for prediction in predictions:
        assert set(prediction) == {"id", "predicted_label", "predicted_evidence"}
        assert prediction["predicted_label"] in ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
        assert len(prediction["predicted_evidence"]) <= 5
        assert all(isinstance(page, str) and isinstance(line, int) for page, line in prediction["predicted_evidence"])
    out = capsys.readouterr().out
    assert all(name in out for name in METRICS)


def test_fever_has_no_conflicting_label(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the application is set to."""
    monkeypatch.setenv("CONFLICTING_FROM", "0.01")
    given: list[Resources] = []

    def evaluate(path: Path, out: Path, resources: Resources, *_: object, **__: object) -> dict[str, Any]:
        given.append(resources)
        return {"metrics": {}, "data": {"claims": 0, "scored": 0}}

    monkeypatch.setattr("evaluation.fever.run.evaluate", evaluate)
    assert main(["fever", str(SAMPLE), "--out", str(data / "out")]) == 0
    assert given[0].settings.conflicting_from == 0
    assert given[0].settings.top_pages == 10, "the rest is the environment's"


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["fever", *map(str, arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_what_cannot_be_scored(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "empty.jsonl").write_text("\n")
    unnatural = data / "unnatural.jsonl"
    unnatural.write_text(json.dumps(UNNATURAL) + "\n")
    out = ("--out", data / "out")
    assert "cannot be read" in refused(capsys, data / "none.jsonl", *out)
    assert "holds no claim to score" in refused(capsys, data / "empty.jsonl", *out)
    assert "leave out `--natural`" in refused(capsys, unnatural, "--natural", *out)
    assert "There is no recipe" in refused(capsys, SAMPLE, "--recipe", "slow", *out)
    assert "There is no corpus" in refused(capsys, SAMPLE, "--store", data / "none", *out)
    assert not (data / "none").exists()


def test_an_output_folder_that_cannot_be_made_is_named_before_the_work(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Resources, "pipeline", lambda *_: pytest.fail("models are opened"))
    (data / "file").write_text("hello")
    for place in (data / "file", data / "file" / "below"):
        assert "cannot be created" in refused(capsys, SAMPLE, "--limit", "1", "--out", place)


@pytest.mark.parametrize("limit", ["0", "-5", "ten", "1.5"])
def test_a_limit_without_sense(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["fever", str(SAMPLE), "--limit", limit, "--out", "out"])
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err
