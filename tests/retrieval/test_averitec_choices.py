"""What the papers do otherwise than our recipes is one knob away: recorded replies, a claim's own documents."""

from __future__ import annotations

import pytest

from retrieval.output.record import dump_check, load_check
from retrieval.recipes.aic import Aic
from retrieval.recipes.answering import Answering
from retrieval.recipes.contextual import Contextual
from retrieval.recipes.endings import policy_over_answers
from retrieval.recipes.rag_fusion import RagFusion
from retrieval.resources import Resources
from retrieval.stores.knowledge_file import KnowledgeFile
from tests.retrieval.test_averitec_recipes import CLAIM, QUESTIONS, VERDICT, Recorded, check


def test_sentences_found_by_the_claim_have_questions_of_their_own(resources: Resources) -> None:
    asked = [f"Question {number}?" for number in range(9)]
    local = check(resources, "rag_fusion", query="claim")
    assert {pair.question for pair in local.questions} == {CLAIM.text}
    count = len(local.questions)
    assert 3 < count <= 9
    llm = Recorded(*asked[:count], VERDICT)
    done = check(resources, "rag_fusion", llm, query="claim")
    assert [pair.question for pair in done.questions] == asked[:count]
    assert [pair.answer for pair in done.questions] == [pair.answer for pair in local.questions]
    sentences = [pair.answer for pair in local.questions]
    for (_, content), sentence in zip(llm.sent, sentences, strict=False):
        assert [other for other in sentences if other in content] == [sentence], "each is asked about alone"
    short = check(resources, "rag_fusion", Recorded("One?", *[""] * (count - 1), VERDICT), query="claim")
    assert [pair.question for pair in short.questions] == ["One?", *[CLAIM.text] * (count - 1)]
    assert any("Not every sentence has a question of its own" in note for note in short.notes)


def test_sentences_are_found_by_the_claims_words(resources: Resources) -> None:
    found = check(resources, "rag_fusion", query="bm25", answers=1, questions=1)
    assert [e.sentence.text for e in found.evidence] == ["The Anchor Bridge was opened in March 1931."]
    assert {pair.question for pair in found.questions} == {CLAIM.text}


def test_documents_are_found_by_the_questions(resources: Resources) -> None:
    tea = {"questions": ["How is tea drunk?", "What is tea made of?"]}
    by_claim = check(resources, "rag_fusion", Recorded(tea, VERDICT), pages=1)
    by_questions = check(resources, "rag_fusion", Recorded(tea, VERDICT), pages=1, documents="questions")
    assert "Tea" not in {hit.page.title for hit in by_claim.pages}
    assert [hit.page.title for hit in by_questions.pages] == ["Tea"]


@pytest.mark.parametrize(("supported", "refuted", "label"), [(True, False, "SUPPORTED"), (False, True, "REFUTED"), (False, False, "NOT_ENOUGH_EVIDENCE"), (True, True, "CONFLICTING")])  # fmt: skip
def test_two_questions_to_a_language_model(resources: Resources, supported: bool, refuted: bool, label: str) -> None:
    sides = [{"reason": f"{one}.", "passages": [1, 4], "answer": one} for one in (supported, refuted)]
    llm = Recorded(QUESTIONS, *sides)
    done = check(resources, "rag_fusion", llm, verdict="llm_two")
    assert done.verdict
    assert (done.verdict.label, done.verdict.method) == (label, "recorded")
    assert [call.purpose for call in done.calls] == ["questions", "supported or not", "refuted or not"]
    assert "the evidence supports it" in llm.sent[1][0]
    assert "the evidence refutes it" in llm.sent[2][0]
    assert load_check(dump_check(done)) == done


@pytest.mark.parametrize("broken", [0, 1])
def test_one_unreadable_half_is_no_verdict(resources: Resources, broken: int) -> None:
    replies: list[object] = [{"reason": "So.", "passages": [1], "answer": True}] * 2
    replies[broken] = "Supported"
    done = check(resources, "rag_fusion", Recorded(QUESTIONS, *replies), verdict="llm_two")
    assert done.verdict
    assert done.verdict.method.endswith("two classifiers, in place of recorded")


def test_a_context_stands_apart_where_that_is_set(resources: Resources) -> None:
    replies = (QUESTIONS, *[f"Context {number}." for number in range(6)], VERDICT)
    joined, apart = Recorded(*replies), Recorded(*replies)
    check(resources, "contextual", joined)
    done = check(resources, "contextual", apart, context_prompt="apart")
    text = done.evidence[0].sentence.text
    assert f"[1] Context 0. {text}" in joined.sent[-1][1]
    assert f"[1] {text}\n    Context: Context 0.\n" in apart.sent[-1][1]


def test_where_evidence_is_enough_three_labels_are_left(resources: Resources) -> None:
    llm = Recorded(QUESTIONS, {"enough": True}, VERDICT)
    check(resources, "rag_fusion", llm, sufficiency=True)
    assert "Not Enough Evidence" not in llm.sent[-1][0]
    assert "Conflicting Evidence/Cherrypicking" in llm.sent[-1][0]


@pytest.mark.parametrize("knobs", [Aic, RagFusion, Contextual])
def test_two_strong_sides_overrule_the_classifier_only_where_the_knob_says_so(
    resources: Resources, knobs: type[Answering]
) -> None:
    collected = resources.over(KnowledgeFile([], "empty"))
    assert policy_over_answers(collected, knobs()).two_sides == "off"
    assert policy_over_answers(collected, knobs(two_sides="undecided")).two_sides == "undecided"
