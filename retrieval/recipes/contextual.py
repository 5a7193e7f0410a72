"""Recipe `contextual`: `rag_fusion` with a reranker and contexts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from retrieval import stage_names
from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.recipes.answering import JUDGING, OF_QUESTIONS, answer_sentences, is_collected, judged_by_four_labels
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.fusion import JUDGEMENTS, Fusion, found_answers, verdict_over_answers
from retrieval.settings.declaring import setting
from retrieval.stages.averitec.contexts import Contexts


@dataclass(frozen=True)
class Contextual(Fusion):
    """The knobs of `rag_fusion`, and those for contexts."""

    recipe: ClassVar[str] = "contextual"
    context_sentences: int = setting(10, "Sentences per question that the reranker reads.")
    context_tokens: int = setting(768, "Tokens of page text from which a sentence's context is written.")
    context_order: str = setting(
        "after",
        "When contexts are written: `after` or `before` reranking; `ranks`: before it, and only for it; `none`: never; "
        "`only`: contexts without reranking.",
        choices=("after", "before", "ranks", "none", "only"),
    )
    context_prompt: str = setting(
        "joined",
        "How the verdict's prompt shows a context: `joined` to its sentence, or `apart` from it, on a separate line.",
        choices=("joined", "apart"),
    )


def contextual(resources: Parts) -> Pipeline:
    """`rag_fusion` with a reranker and a context before each sentence, in the order that `context_order` names."""
    chosen, knobs = resources.chosen(), Contextual.of(resources.settings)
    order = knobs.context_order
    by_four_labels = judged_by_four_labels(resources.settings, knobs, is_collected(resources))
    reranker, candidates = chosen.reranker(), knobs.context_sentences
    contexts = Contexts(
        resources.llm_for("contexts"),
        chosen.pair_scorer() if by_four_labels else chosen.answer_scorer(),
        resources.token_count(),
        knobs.context_tokens,
        budget=resources.budget(),
    )
    answers = answer_sentences(resources, knobs)
    if order not in ("none", "ranks"):  # then the reader reads each answer once, with its context
        answers = replace(answers, judge=chosen.pair_scorer())
    if order in ("after", "none"):
        answers = replace(answers, candidates=candidates, reranker=reranker)
    elif order in ("before", "ranks"):
        answers = replace(answers, answers=candidates, pairs=candidates * knobs.questions)
        contexts = replace(contexts, kept=knobs.answers, reranker=reranker, shown=order == "before")
    with_contexts = () if order == "none" else (contexts,)
    verdict = verdict_over_answers(resources, knobs, knobs.context_prompt == "apart")
    return Pipeline("contextual", (*found_answers(resources, knobs, answers), *with_contexts, *verdict))


RECIPE = Recipe(
    "contextual",
    "As rag_fusion, with a reranker and a short context in front of each sentence.",
    (*OF_QUESTIONS, "reranker"),
    (
        stage_names.DOCUMENTS,
        stage_names.QUESTIONS,
        stage_names.ANSWERS,
        stage_names.CONTEXTS,
        *JUDGING,
        stage_names.VERDICT,
    ),
    contextual,
    ("questions", "sentence_question", "context", "sufficiency", *JUDGEMENTS),
    ("questions", "contexts"),
    title="By questions, read twice",
    what="Ranks the answers once more, each in its context.",
    seconds=3.4,
    knobs=Contextual,
)
