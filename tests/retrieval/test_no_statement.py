"""What is no statement, from end to end: no verdict, a sentence that says why, and nothing spent. Over the sample."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from evaluation.fever.answers import answer_of
from retrieval.__main__ import main
from retrieval.resources import Resources
from retrieval.types import Claim, Label

ROWS = (
    "Marie Curie",
    "Marie Curie is wonderful.",
    "Where was Marie Curie born?",
    "Was Marie Curie born in Warsaw?",
    "Marie Curie was born in Warsaw.",
)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_folder: Path) -> Path:
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.setenv("STORE", str(sample_folder))
    monkeypatch.setenv("RECIPE", "fast")
    return tmp_path


def test_a_name_is_not_looked_up(resources: Resources) -> None:
    check = resources.pipeline("careful").run(Claim("c", "Marie Curie"))
    assert (check.verdict, check.no_verdict, check.pages, check.timings) == (None, "phrase", (), {})
    assert answer_of(check, None).label == "NOT ENOUGH INFO", "a data set scores it as undecided"


def test_a_question_shows_what_was_found_and_takes_no_side(resources: Resources) -> None:
    check = resources.pipeline("careful").run(Claim("c", "Where was Marie Curie born?"))
    assert (check.verdict, check.no_verdict) == (None, "question")
    assert any(hit.page.title == "Marie Curie" for hit in check.pages)
    assert check.evidence
    assert {one.stance.neutral for one in (*check.evidence, *check.sentences)} == {1.0}


def test_a_yes_no_question_has_the_verdict_of_its_statement(resources: Resources) -> None:
    pipeline = resources.pipeline("fast")
    asked, stated = (pipeline.run(Claim("c", text)) for text in ROWS[3:])
    assert asked.verdict == stated.verdict
    assert (asked.claim.text, asked.evidence) == (ROWS[3], stated.evidence)
    assert (
        all(asked.claim.text[span.start : span.end] == span.text for span in asked.spans if span.text == "Warsaw")
        or asked.spans
    )


def test_a_denial_has_the_opposite_verdict(resources: Resources) -> None:
    pipeline = resources.pipeline("fast")
    denied, stated = (pipeline.run(Claim("c", text)) for text in ("Marie Curie was not born in Warsaw.", ROWS[4]))
    assert denied.verdict is not None
    assert stated.verdict is not None
    assert (denied.verdict.label, stated.verdict.label) == (Label.REFUTED, Label.SUPPORTED)
    assert denied.verdict.confidence == pytest.approx(stated.verdict.confidence)
    assert denied.evidence[0].stance.refutes == stated.evidence[0].stance.supports


def test_the_command_line_says_why(settled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "Marie Curie is wonderful.", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["verdict"], shown["no_verdict"], shown["pages"]) == (None, "opinion", [])
    assert main(["check", "Marie Curie is wonderful."]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "NO VERDICT This is an opinion" in told
    assert "0 sentences" not in told


def test_a_table_leaves_the_label_empty(settled: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "claims.csv", tmp_path / "out.csv"
    table.write_text("claim\n" + "\n".join(ROWS) + "\n", "utf-8")
    assert main(["batch", str(table), "--out", str(out)]) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8-sig"))))
    assert [bool(row["label"]) for row in rows] == [False, False, False, True, True]
    assert [row["reason"].split(",")[0] for row in rows[1:3]] == [
        "This is an opinion: no page can show that it is true or false",
        "This is a question",
    ]
    assert rows[3]["label"] == rows[4]["label"]
    assert {row["error"] for row in rows} == {""}
