"""Ev2R's recall from a language model's replies, and METEOR of the answers alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from evaluation.averitec.data import GoldClaim, Prediction, row_prediction
from evaluation.averitec.ev2r import fact_recalls, read_recall
from evaluation.averitec.scores import averitec_measures, claim_score
from evaluation.averitec.table import averitec_table
from evaluation.metrics import score_all
from retrieval.errors import LLMError
from retrieval.types import Reply

GOLD = GoldClaim(
    "7", "It was opened in 1932.", "Refuted", ("When?",), ("When? In 1931.",), answers=(("When?", "In 1931."),)
)
SAID = Prediction("Refuted", ("Who?",), ("Who? In 1931.",), answers=("In 1931.",))


class Judge:
    """Implements `LLM`: gives replies in turn and keeps what it was sent."""

    id = "judge"

    def __init__(self, *replies: object) -> None:
        self._replies, self.sent = [json.dumps(reply) for reply in replies], list[tuple[str, str]]()

    def complete(
        self, instructions: str, content: str, schema: Mapping[str, object] | None = None, *, limits: Any = None
    ) -> Reply:
        self.sent.append((instructions, content))
        return Reply(self._replies[len(self.sent) - 1])


def facts(*found: object) -> dict[str, object]:
    return {"facts": [{"fact": "x", "found": value} for value in found]}


def test_recall_is_the_share_of_facts_found(capsys: pytest.CaptureFixture[str]) -> None:
    other = GoldClaim("8", "<reference>", "Refuted", (), ("No <b>.",))
    judge = Judge(facts(True, False, True, True), facts())
    assert fact_recalls([(GOLD, SAID), (other, SAID)], judge) == {"7": 0.75}
    assert "Claim 8 has no Ev2R recall" in capsys.readouterr().err
    (first, content), (_, second) = judge.sent
    assert GOLD.text not in first
    assert "<reference>\n- When? In 1931.\n</reference>\n<evidence>\n- Who? In 1931." in content
    assert second.count("<reference>") == 1, "found text cannot begin a quotation of its own"


@pytest.mark.parametrize(
    "reply", ["", "{", "[]", "{}", '{"facts": []}', '{"facts": [{"found": "yes"}]}', '{"facts": 3}']
)
def test_replies_that_are_no_list_of_facts(reply: str) -> None:
    with pytest.raises(LLMError):
        read_recall(reply)


def test_recall_reads_past_what_surrounds_the_object() -> None:
    assert read_recall("```json\n" + json.dumps(facts(True, False)) + "\n```") == 0.5


def same(text: str, reference: str) -> float:
    return float(text == reference)


def test_answers_alone_and_claims_that_count_by_facts() -> None:
    score = claim_score(GOLD, SAID, same, 0.5)
    assert (score.questions, score.pairs, score.answers, score.facts) == (0.0, 0.0, 1.0, 0.5)
    measures = {name: found.value for name, found in score_all(averitec_measures([(GOLD, SAID)], [score])).items()}
    assert (measures["a_meteor"], measures["ev2r_recall"], measures["averitec_ev2r@0.50"]) == (1.0, 0.5, 1.0)
    unjudged = averitec_measures([(GOLD, SAID)], [claim_score(GOLD, SAID, same)])
    assert "ev2r_recall" not in unjudged


def test_answers_of_predictions_in_both_forms() -> None:
    ours = {"pred_label": "Refuted", "evidence": [{"question": "Q", "answer": "A"}]}
    theirs = {"label": "Refuted", "questions": [{"question": "Q", "answers": [{"answer": "A"}, {"answer": "B"}]}]}
    assert row_prediction(ours).answers == ("A",)
    assert row_prediction(theirs).answers == ("A", "B")


def test_rows_of_the_ablation_are_told_apart() -> None:
    def row(recipe: str, **settings: str) -> str:
        card = {
            "pipeline": {"recipe": recipe, "models": {}, "settings": {"context_order": "after", **settings}},
            "data": {"path": "p", "sha256": "0", "scored": 1, "claims": 1},
            "metrics": {}, "machine": "m", "per_label": {}, "confusion": {},
        }  # fmt: skip
        return averitec_table([card]).splitlines()[2].split(" | ")[0]

    assert row("rag_fusion", query="claim") == "| `rag_fusion`, searched with the claim"
    assert row("rag_fusion", choice="ranks") == "| `rag_fusion`, sentences chosen by rank fusion"
    assert row("rag_fusion", sufficiency="true").endswith("whether the evidence suffices")
    assert row("rag_fusion", fusion_query="claim") == row("rag_fusion", query="claim"), "as version 1 wrote it"
    assert row("contextual", context_order="none") == "| `contextual`, reranking alone"
    assert row("contextual", context_order="only") == "| `contextual`, contexts alone"
