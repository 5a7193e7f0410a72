"""Recipe `contextual`: as `rag_fusion`, with a reranker and contexts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.pipeline import Pipeline
from retrieval.recipes.answering import OF_QUESTIONS, answer_sentences
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.endings import verdict_over_answers
from retrieval.recipes.rag_fusion import found_answers
from retrieval.stages.averitec.contexts import Contexts

if TYPE_CHECKING:
    from retrieval.resources import Resources


def contextual(resources: Resources) -> Pipeline:
    """`rag_fusion` with a reranker and a context in front of each sentence, in the order that CONTEXT_ORDER names."""
    settings, chosen, order = resources.settings, resources.chosen(), resources.settings.context_order
    reranker, candidates = chosen.reranker(), settings.context_sentences
    contexts = Contexts(
        resources.llm_for("contexts"),
        chosen.answer_scorer(),
        resources.token_count(),
        settings.context_tokens,
        budget=resources.budget(),
    )
    answers = answer_sentences(resources, settings.fusion_answers)
    if order != "none":  # the reader reads each answer with its context, once
        answers = replace(answers, judge=chosen.pair_scorer())
    if order in ("after", "none"):
        answers = replace(answers, candidates=candidates, reranker=reranker)
    elif order == "before":
        answers = replace(answers, answers=candidates, pairs=candidates * settings.fusion_questions)
        contexts = replace(contexts, kept=settings.fusion_answers, reranker=reranker)
    with_contexts = () if order == "none" else (contexts,)
    return Pipeline(
        "contextual", (*found_answers(resources, answers), *with_contexts, *verdict_over_answers(resources))
    )


RECIPE = Recipe(
    "contextual",
    "As rag_fusion, with a reranker and a short context in front of each sentence.",
    (*OF_QUESTIONS, "reranker"),
    ("documents", "questions", "answers", "contexts", "verdict"),
    contextual,
    ("questions", "sentence_questions", "context", "sufficiency", "judgement"),
    ("questions", "contexts"),
    title="By questions, read twice",
    what="Ranks the answers once more, each in its context.",
    seconds=3.4,
)
