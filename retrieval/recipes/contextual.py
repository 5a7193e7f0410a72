"""Recipe `contextual`: `rag_fusion` with a reranker and, in the order of a knob, a context before each sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from retrieval.parts import Parts
from retrieval.protocols import Stage
from retrieval.recipes.answering import OF_QUESTIONS, answer_sentences, judged_by_four_labels
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.rag_fusion import FOUND, JUDGED, JUDGEMENTS, RagFusion, fused_answers
from retrieval.settings.declaring import setting
from retrieval.stage_names import ANSWERS, CONTEXTS
from retrieval.stages.averitec.contexts import Contexts


@dataclass(frozen=True)
class Contextual(RagFusion):
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

    @property
    def apart(self) -> bool:
        """See `RagFusion`."""
        return self.context_prompt == "apart"


def _answers(parts: Parts, knobs: Contextual) -> tuple[Stage, ...]:
    order, answers = knobs.context_order, answer_sentences(parts, knobs)
    if order not in ("none", "ranks"):  # then the reader reads each answer once, with its context
        answers = replace(answers, judge=parts.chosen().pair_scorer())
    if order in ("after", "none"):
        answers = replace(answers, candidates=knobs.context_sentences, reranker=parts.chosen().reranker())
    elif order in ("before", "ranks"):
        most = knobs.context_sentences
        answers = replace(answers, answers=most, pairs=most * knobs.questions)
    return fused_answers(parts, knobs, answers)


def _contexts(parts: Parts, knobs: Contextual) -> Stage | None:
    if knobs.context_order == "none":
        return None
    chosen = parts.chosen()
    contexts = Contexts(
        parts.llm_for("contexts"),
        chosen.pair_scorer() if judged_by_four_labels(parts, knobs) else chosen.answer_scorer(),
        parts.token_count(),
        knobs.context_tokens,
        budget=parts.budget(),
    )
    if knobs.context_order not in ("before", "ranks"):
        return contexts
    shown = knobs.context_order == "before"
    return replace(contexts, kept=knobs.answers, reranker=chosen.reranker(), shown=shown)


RECIPE = Recipe(
    "contextual",
    "As rag_fusion, with a reranker and a short context in front of each sentence.",
    (*OF_QUESTIONS, "reranker"),
    {**FOUND, ANSWERS: _answers, CONTEXTS: _contexts, **JUDGED},
    ("questions", "sentence_question", "context", "sufficiency", *JUDGEMENTS),
    ("questions", "contexts"),
    title="By questions, read twice",
    what="Ranks the answers once more, each in its context.",
    seconds=3.4,
    knobs=Contextual,
)
