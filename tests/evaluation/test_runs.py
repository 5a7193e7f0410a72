"""Runs that are cut off, spread over processes, read from predictions, or compared."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluation.__main__ import main
from evaluation.fever.answers import read_predictions, row_answer
from evaluation.fever.data import read_claims
from evaluation.journal import Journal
from retrieval.errors import CorpusError

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "sample" / "claims.jsonl"
LIMIT, ANSWERED = 8, 3  # claims, and how many of them are answered before the kill
RECIPE = ("--recipe", "fast")  # the processes that these tests start load no reader
DYING = f"""  # the command, killed -9 once some answers are on disk
import os, signal, sys
from evaluation.__main__ import main
from evaluation.journal import Journal

def add(journal, id, answer, whole=Journal.add):
    whole(journal, id, answer)
    if len(journal.answers) == {ANSWERED}:
        os.kill(os.getpid(), signal.SIGKILL)

Journal.add = add
main(sys.argv[1:])
"""


def card_of(out: Path) -> dict[str, Any]:
    return json.loads((out / "scorecard.json").read_text("utf-8"))


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def whole(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing disturbed."""
    out = tmp_path_factory.mktemp("whole")
    arguments = ["--store", str(sample_folder), "--limit", str(LIMIT), "--out", str(out)]
    assert main(["fever", str(SAMPLE), *RECIPE, *arguments]) == 0
    return out


def timeless(card: dict[str, Any]) -> dict[str, Any]:
    """What must not change from run to run."""
    measured = {"latency_ms", "latency_histogram", "stages_ms", "peak_rss_mb"}
    return {name: part for name, part in card.items() if name not in measured}


def test_a_run_killed_halfway_goes_on_to_the_same_scorecard(
    whole: Path, sample_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--store", str(sample_folder), "--limit", str(LIMIT), "--out", str(tmp_path)]
    arguments = ["fever", str(SAMPLE), *RECIPE, *arguments]
    killed = subprocess.run([sys.executable, "-c", DYING, *arguments], cwd=ROOT, capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    journal = tmp_path / "claims.jsonl"
    answered = journal.read_bytes().count(b"\n")
    assert answered == ANSWERED
    assert not (tmp_path / "scorecard.json").exists()
    with open(journal, "a", encoding="utf-8") as file:
        file.write('{"id": "torn off in the mid')
    assert main(arguments) == 0
    assert f"{answered} of {LIMIT} claims were answered before" in capsys.readouterr().err
    assert timeless(card_of(tmp_path)) == timeless(card_of(whole))
    assert (tmp_path / "predictions.jsonl").read_bytes() == (whole / "predictions.jsonl").read_bytes()
    assert len(lines(journal)) == LIMIT


def test_processes_give_the_same_scorecard_but_no_times(whole: Path, sample_folder: Path, tmp_path: Path) -> None:
    arguments = ["--store", str(sample_folder), "--limit", str(LIMIT), "--out", str(tmp_path), "--workers", "2"]
    assert main(["fever", str(SAMPLE), *RECIPE, *arguments]) == 0
    assert "latency_ms" not in card_of(tmp_path)
    assert timeless(card_of(tmp_path)) == timeless(card_of(whole))
    assert (tmp_path / "predictions.jsonl").read_bytes() == (whole / "predictions.jsonl").read_bytes()


def test_answers_of_another_run_are_not_taken_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = '{"id": "1", "predicted_label": "SUPPORTS", "predicted_evidence": []}\n'
    first = Journal(tmp_path, {"corpus": "a"}, row_answer)
    first.path.write_text(row)
    assert set(Journal(tmp_path, {"corpus": "a"}, row_answer).answers) == {"1"}
    assert Journal(tmp_path, {"corpus": "b"}, row_answer).answers == {}
    assert "belongs to another run: starting over" in capsys.readouterr().err
    first.path.write_text(row)
    assert Journal(tmp_path, {"corpus": "b"}, row_answer, restart=True).answers == {}


def test_a_damaged_line_is_answered_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path, {}, row_answer)
    good = '{"id": "2", "predicted_label": "REFUTES", "predicted_evidence": [["A", 0]]}\n'
    journal.path.write_bytes(b'{"id": "1"}\n\xff\xfe\n[]\nnull\n' + good.encode() + b'{"id"')
    assert set(Journal(tmp_path, {}, row_answer).answers) == {"2"}
    assert journal.path.read_bytes().endswith(good.encode())


def test_our_own_answers_score_the_same_when_read_back(whole: Path, tmp_path: Path) -> None:
    arguments = ["--limit", str(LIMIT), "--predictions", str(whole / "claims.jsonl"), "--out", str(tmp_path)]
    assert main(["fever", str(SAMPLE), *arguments]) == 0
    assert card_of(tmp_path)["metrics"] == card_of(whole)["metrics"]
    assert (tmp_path / "predictions.jsonl").read_bytes() == (whole / "predictions.jsonl").read_bytes()


def test_a_submission_is_scored_as_far_as_it_goes(whole: Path, tmp_path: Path) -> None:
    arguments = ["--limit", str(LIMIT), "--predictions", str(whole / "predictions.jsonl"), "--out", str(tmp_path)]
    assert main(["fever", str(SAMPLE), *arguments]) == 0
    ours, theirs = card_of(whole)["metrics"], card_of(tmp_path)["metrics"]
    same = (
        "label_accuracy macro_f1 fever_score evidence_precision@5 evidence_recall@5 evidence_f1@5 evidence_set_recall@5"
    )
    assert {name: theirs[name] for name in same.split()} == {name: ours[name] for name in same.split()}
    assert {"calibration_error", "stance_accuracy_gold"} & set(theirs) == set()
    assert {"latency_ms", "reliability", "coverage"} & set(card_of(tmp_path)) == set()


def test_claims_without_a_prediction_are_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = read_claims(SAMPLE)[0]
    row = {"id": int(claim.id), "predicted_label": "supports", "predicted_evidence": []}
    (tmp_path / "some.jsonl").write_text(json.dumps(row) + "\n")
    arguments = ["--predictions", str(tmp_path / "some.jsonl"), "--limit", "3", "--out", str(tmp_path / "out")]
    assert main(["fever", str(SAMPLE), *arguments]) == 1
    assert "2 of 3 claims are not scored" in capsys.readouterr().err
    assert (card_of(tmp_path / "out")["data"]["claims"], card_of(tmp_path / "out")["data"]["scored"]) == (3, 1)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("{", "is not a prediction"),
        ("null", "is not a prediction"),
        ('{"id": 1, "predicted_label": "SUPPORTS"}', "is not a prediction"),
        ('{"id": 1, "predicted_label": "MAYBE", "predicted_evidence": []}', "not one of FEVER's labels"),
        ('{"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["A", "0"]]}', "is not a prediction"),
        ('{"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [], "confidence": 7}', "between 0 and 1"),
        ('{"id": 9, "predicted_label": "SUPPORTS", "predicted_evidence": []}', "answers claim 9 a second time"),
    ],
)
def test_predictions_that_cannot_be_read(row: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"id": 9, "predicted_label": "SUPPORTS", "predicted_evidence": []}\n' + row + "\n")
    with pytest.raises(CorpusError, match="line 2 .*" + fault):
        read_predictions(path)


def test_two_runs_side_by_side(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other run says SUPPORTS of every claim and shows no evidence: worse where it must be, by the right amount."""
    rows = [{**json.loads(line), "predicted_label": "SUPPORTS"} for line in lines(whole / "predictions.jsonl")]
    rows = [{**row, "predicted_evidence": []} for row in rows]
    (tmp_path / "flat.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    limit = ["--limit", str(LIMIT)]
    assert main(["fever", str(SAMPLE), *limit, "--predictions", str(tmp_path / "flat.jsonl"), "--out", str(tmp_path / "flat")]) == 0  # fmt: skip
    own = ["--predictions", str(whole / "claims.jsonl"), "--out", str(tmp_path / "own")]
    assert main(["fever", str(SAMPLE), *limit, *own, "--compare", str(tmp_path / "flat" / "scorecard.json")]) == 0
    found = card_of(tmp_path / "own")["comparison"]
    assert found["claims"] == LIMIT
    recall = found["metrics"]["evidence_set_recall@5"]
    assert recall["other"] == 0.0
    assert recall["difference"] == recall["this"] == card_of(whole)["metrics"]["evidence_set_recall@5"]["value"]
    assert recall["low"] <= recall["difference"] <= recall["high"]
    assert recall["p"] < 0.01
    assert "calibration_error" not in found["metrics"], "the other run has no confidence"
    assert "side" in capsys.readouterr().out
    assert "This run and another" in (tmp_path / "own" / "report.html").read_text("utf-8")


def test_a_run_beside_itself_shows_no_difference(whole: Path, tmp_path: Path) -> None:
    arguments = ["--limit", str(LIMIT), "--predictions", str(whole / "claims.jsonl"), "--out", str(tmp_path)]
    assert main(["fever", str(SAMPLE), *arguments, "--compare", str(whole / "scorecard.json")]) == 0
    for name, row in card_of(tmp_path)["comparison"]["metrics"].items():
        assert (row["difference"], row["low"], row["high"], row["p"]) == (0.0, 0.0, 0.0, 1.0), name


def test_what_cannot_be_compared(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ["fever", str(SAMPLE), "--predictions", str(whole / "claims.jsonl"), "--limit", "2"]
    assert main([*own, "--out", str(tmp_path), "--compare", str(tmp_path / "none" / "scorecard.json")]) == 2
    assert "is no scorecard of this program" in capsys.readouterr().err
    assert main([*own, "--out", str(whole), "--compare", str(whole / "scorecard.json")]) == 2
    assert "names the run in" in capsys.readouterr().err


def test_a_claim_that_fails_is_named_and_not_scored(
    whole: Path,
    sample_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from evaluation.fever import runner
    from retrieval.errors import ModelError

    answer = runner.Checker.answer

    def failing(self: Any, claim: Any, timed: bool = True) -> Any:
        if claim.id == "2":
            raise ModelError("The model's reply cannot be read.")
        return answer(self, claim, timed)

    monkeypatch.setattr(runner.Checker, "answer", failing)
    arguments = ["--store", str(sample_folder), "--limit", "3", "--out", str(tmp_path)]
    arguments = ["fever", str(SAMPLE), *RECIPE, *arguments]
    assert main(arguments) == 1
    assert "Claim 2 is not scored: The model's reply cannot be read." in capsys.readouterr().err
    assert card_of(tmp_path)["data"]["scored"] == 2
    monkeypatch.setattr(runner.Checker, "answer", answer)
    assert main(arguments) == 0, "what failed is tried again"
    assert card_of(tmp_path)["data"]["scored"] == 3
