"""Recipe `rag_fusion`: Momii et al. at AVeriTeC 2024."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.recipes.answering import OF_QUESTIONS, answer_sentences, local_questions
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.endings import verdict_over_answers
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.documents import DocumentSearch
from retrieval.stages.averitec.questions import AskedQuestions, SentenceQuestions

if TYPE_CHECKING:
    from retrieval.resources import Resources


def rag_fusion(resources: Resources) -> Pipeline:
    """Nearest documents, questions, their nearest sentences, a verdict over the pairs (Momii et al. 2024)."""
    found = found_answers(resources, answer_sentences(resources, resources.settings.fusion_answers))
    return Pipeline("rag_fusion", (*found, *verdict_over_answers(resources)))


def found_answers(resources: Resources, answers: AnswerSentences) -> tuple[Stage, ...]:
    """Documents, and sentences of them: searched with questions, or with the claim, and then asked for."""
    settings, chosen, budget = resources.settings, resources.chosen(), resources.budget()
    queries, llm = chosen.question_encoder(), resources.llm_for("questions")
    documents = DocumentSearch(
        resources.store(),
        chosen.page_encoder(),
        settings.fusion_pages,
        queries,
        settings.document_characters,
        settings.document_matches,
    )
    examples = resources.examples()
    if settings.fusion_example == "embedding" and llm is not None:
        examples = examples.by_embedding(chosen.claim_encoder(), chosen.page_encoder())
    answers = replace(answers, fused=settings.fusion_choice == "ranks")
    if settings.fusion_query == "claim":
        sentences = answers.answers * settings.fusion_questions
        by_claim = replace(answers, by_claim=True, answers=sentences)
        return documents, by_claim, SentenceQuestions(llm, budget)
    by_rule = local_questions(resources)
    if llm is None:
        return documents, by_rule, answers
    return documents, AskedQuestions(llm, examples, by_rule, settings.fusion_questions, budget=budget), answers


RECIPE = Recipe(
    "rag_fusion",
    "Questions, the sentences nearest to each, a verdict over the pairs.",
    OF_QUESTIONS,
    ("documents", "questions", "answers", "verdict"),
    rag_fusion,
    ("questions", "sentence_questions", "sufficiency", "judgement"),
    ("questions",),
    title="By questions",
    what="Asks about the claim and weighs the answers.",
    seconds=3.3,
)
