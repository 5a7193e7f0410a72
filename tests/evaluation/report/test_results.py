"""The figures of scorecards in a page of Markdown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.__main__ import main
from evaluation.report.blocks import marks
from evaluation.report.goals import FEVER
from evaluation.report.results import (
    classes_table,
    fast_table,
    headline_table,
    labels_table,
    poison_table,
    results_table,
    speed_table,
)

BEGIN, END = marks("scorecard")


def card() -> dict[str, Any]:
    score = {"value": 0.9561, "low": 0.9, "high": 1.0, "n": 40}
    return {
        "data": {"path": "claims.jsonl", "sha256": "ab" * 32, "claims": 50, "scored": 50},
        "pipeline": {"recipe": "fast", "models": {"verdict": "v@1"}, "settings": {}, "corpus": {"pages": 1234}},
        "metrics": {"label_accuracy": {**score, "value": 0.7}},
        "natural": {
            "evidence_set_recall@5": score,
            "label_accuracy": score,
            "calibration_error": {**score, "value": 0.04},
        },
        "latency_ms": {"p50": 240.4, "p95": 801.0, "mean": 300.0},
        "machine": "a machine",
    }


def further() -> dict[str, dict[str, Any]]:
    """Cards of what was measured apart."""
    score = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 20}
    pairs = {
        **card(),
        "pipeline": {"recipe": "stance", "models": {"cross_encoder": "c@1"}, "settings": {}, "corpus": {}},
        "metrics": {"label_accuracy": score, "two_way_accuracy": score},
    }
    claims = {
        **card(),
        "pipeline": {**card()["pipeline"], "models": {"cross_encoder": "c@1"}},
        "classes": {"number": {"label_accuracy": score}},
    }
    return {"stance-twins": pairs, "stance-no-evidence": pairs, "adversarial": claims}


def test_what_was_measured_apart_stands_in_the_same_table() -> None:
    table = results_table({FEVER: card(), **further()})
    assert "| stance, twins, `two_way_accuracy` | **.500** [.400, .600] |  |  | 20 | ≥ .800 | **no** |" in table
    assert "| stance, evidence removed, `two_way_accuracy` | **.500** [.400, .600] |  |  | 20 | ≤ .550 | yes |" in table
    assert (
        "| the sample's adversarial claims, `label_accuracy` | **.700** [.900, 1.000] |  |  | 40 | ≥ .750 | **no** |"
        in table
    )
    assert "stance, three labels" not in table, "nobody measured it"
    assert "50 pairs, `c@1`" in table


def test_each_machine_is_named_with_what_it_measured() -> None:
    cards = {FEVER: card(), **further()}
    cards["adversarial"]["machine"] = "another machine"
    assert "a machine; adversarial: another machine. In brackets" in results_table(cards)


def test_the_headline_names_the_cores_and_where_the_machines_are() -> None:
    cards = {FEVER: {**card(), "machine": "a processor (AVX2), 2 cores, Python 3.11.7"}}
    below = headline_table(cards).splitlines()[-1]
    assert "; recipe `fast`, 2 cores, no language model. Machines and data: [docs/results.md]" in below


def test_the_headline_says_in_words_what_the_goals_say_in_metrics() -> None:
    table = headline_table({FEVER: card(), **further()})
    assert "| All evidence among the five best sentences | **.956** [.900, 1.000] | 40 | ≥ .965 | **no** |" in table
    assert "| Label accuracy on claims written to mislead | **.700** [.900, 1.000] | 40 | ≥ .750 | **no** |" in table
    assert "stance" not in table, "no words were found for these rows"
    assert "planted" not in table.split("\n\n")[0], "nobody measured it"


def test_what_was_predicted_for_each_label() -> None:
    counts = {"SUPPORTS": {"SUPPORTS": 3, "REFUTES": 1}, "REFUTES": {"REFUTES": 2}}
    lines = labels_table({FEVER: {**card(), "confusion_natural": counts}}).splitlines()
    assert lines[0] == "| gold | claims | predicted supports | predicted refutes | right |"
    assert lines[2:] == ["| supports | 4 | 3 | 1 | .750 |", "| refutes | 2 | 0 | 2 | 1.000 |"]
    assert labels_table({FEVER: card()}) == "Not measured."


def test_data_that_weights_were_chosen_on_are_named() -> None:
    rows = [line for line in results_table({FEVER: card(), **further()}).splitlines() if line.startswith("| stance")]
    assert len(rows) == 3
    assert all("used to tune" in row for row in rows)


def test_classes_of_claims() -> None:
    lines = classes_table({FEVER: card(), **further()}).splitlines()
    assert lines[2].startswith("| number | 20 | .500 [.400, .600] |")
    assert lines[-1].startswith("| **all** | 40 | .700 [")
    assert classes_table({FEVER: card()}) == "Not measured."


def test_planted_pages_by_kind() -> None:
    score = {"value": 0.25, "low": 0.1, "high": 0.4, "n": 24}
    figures = {"turned_verdicts_with_truth": score, "changed_verdicts": score}
    pipeline = {**card()["pipeline"], "corpus": {"fingerprint": "f" * 16, "pages": 302}}
    lines = poison_table(
        {
            FEVER: card(),
            "poison": {**card(), **{"kinds": {"orders": figures}, "metrics": figures, "pipeline": pipeline}},
        }
    ).splitlines()
    assert lines[2] == "| orders | 24 | .250 [.100, .400] |  |  | .250 [.100, .400] |"
    assert lines[3].startswith("| **all** | 24 |")
    assert lines[-1] == f"Recipe `fast`: `v@1`; corpus `{'f' * 16}`, 302 pages; a machine."
    assert poison_table({FEVER: card()}) == "Not measured."


def test_planted_pages_that_no_rule_was_written_for() -> None:
    few, many = ({"value": value, "low": 0.0, "high": 1.0, "n": 24} for value in (0.0, 0.5))
    pipeline = {**card()["pipeline"], "corpus": {"fingerprint": "f" * 16, "pages": 302}}
    own = {
        **card(),
        "pipeline": pipeline,
        "kinds": {},
        "metrics": {"turned_verdicts_with_truth": few, "changed_verdicts": few},
    }
    unseen = {"turned_verdicts_with_truth": many, "changed_verdicts": many}
    poison = {**own, "unseen": unseen, "unseen_kinds": {"headline": unseen}}
    lines = poison_table({FEVER: card(), "poison": poison, "poison-fast": poison}).splitlines()
    assert lines[3].startswith("| headline | 24 | .500 [")
    assert lines[4].startswith("| **all of these eight, written after the rules** | 24 | .500 [")
    assert lines[-1] == lines[-2] == "| `fast` | .000 [.000, 1.000] |  |  | .500 [.000, 1.000] |  |  |"
    poison["pipeline"] = {**pipeline, "models": {"cross_encoder": "v@1"}}
    (row,) = (line for line in results_table({FEVER: card(), "poison": poison}).splitlines() if "eight further" in line)
    assert "| ≤ .100 | **no** | written after all rules but one |" in row


def test_the_quick_recipe_stands_beside_the_default() -> None:
    careful = {**card(), "pipeline": {**card()["pipeline"], "recipe": "careful"}}
    cards = {FEVER: careful, "fast": {**card(), "machine": "another machine"}}
    lines = fast_table(cards).splitlines()
    assert lines[0] == "| figure | `fast`, all | `careful`, all | `fast`, natural | `careful`, natural |"
    assert lines[2].startswith("| `label_accuracy` | .700 [.900, 1.000] | .700 [.900, 1.000] | .956 [.900, 1.000] |")
    assert lines[-1] == "50 claims. `fast`: another machine; `careful`: a machine."
    assert fast_table({FEVER: card()}) == "Not measured."
    assert "Further" not in results_table(cards), "a comparison is no further measurement"


def test_time_and_memory_of_a_claim() -> None:
    lines = speed_table({FEVER: {**card(), "peak_rss_mb": 1432}}).splitlines()
    assert lines[2].startswith("| a claim, recipe `fast`, 1,234 pages | 300 ms mean, 240 p50, 801 p95 | 50 claims")
    assert lines[3].startswith("| claims a minute, one after the other | 200 |")
    assert "| 1,432 MB |" in lines[4]
    assert speed_table({FEVER: card()}) == "Not measured."


def test_cards_beside_the_scorecard_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}{END}{' and '.join(marks('classes'))}", "utf-8")
    (tmp_path / "scorecard.json").write_text(json.dumps(card()), "utf-8")
    for name, content in further().items():
        (tmp_path / f"scorecard-{name}.json").write_text(json.dumps(content), "utf-8")
    assert main(["results", str(tmp_path / "scorecard.json"), "--into", str(page)]) == 0
    assert "stance, twins" in page.read_text("utf-8")
    assert "| number | 20 |" in page.read_text("utf-8")
    (tmp_path / "scorecard-adversarial.json").write_text("{}")
    assert main(["results", str(tmp_path / "scorecard.json"), "--into", str(page)]) == 2


def test_the_table_stands_beside_its_goals() -> None:
    table = results_table({FEVER: card()})
    rows = {line.split(" | ")[0].strip("| `"): line for line in table.splitlines() if line.startswith("| ")}
    assert "| **.956** [.900, 1.000] |" in rows["evidence_set_recall@5"]
    assert "| 40 | ≥ .965 | **no** |" in rows["evidence_set_recall@5"]
    assert "| **.700** [" in rows["label_accuracy"]
    assert "| ≥ .750 | **no** |" in rows["label_accuracy"], "judged on all claims, not on natural ones"
    assert "| ≤ .030 | **no** |" in rows["calibration_error"], "less is better"
    assert "| ≤ 250 | yes |" in rows["ms a claim, p50"]
    assert "| ≤ 700 | **no** |" in rows["ms a claim, p95"]
    assert "passage_f1" not in table


def test_pages_are_filled_in_and_stay_as_they_are_elsewhere(tmp_path: Path) -> None:
    page, source = tmp_path / "page.md", tmp_path / "scorecard.json"
    page.write_text(f"Before.\n{BEGIN}\nold\n{END}\nAfter.\n", "utf-8")
    source.write_text(json.dumps(card()), "utf-8")
    for _ in range(2):
        assert main(["results", str(source), "--into", str(page)]) == 0
        assert page.read_text("utf-8") == f"Before.\n{BEGIN}\n{results_table({FEVER: card()})}\n{END}\nAfter.\n"


def test_pages_that_cannot_be_filled_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, bare, source = tmp_path / "page.md", tmp_path / "bare.md", tmp_path / "scorecard.json"
    page.write_text(f"{BEGIN}{END}", "utf-8")
    bare.write_text("Nothing.", "utf-8")
    source.write_text(json.dumps(card()), "utf-8")
    for into, fault in ((bare, "has no place"), (tmp_path / "none.md", "cannot be read")):
        assert main(["results", str(source), "--into", str(page), str(into)]) == 2
        assert fault in capsys.readouterr().err
    assert page.read_text("utf-8") == f"{BEGIN}{END}", "all pages or none"
    assert main(["results", str(bare), "--into", str(page)]) == 2
    assert "no scorecard" in capsys.readouterr().err
