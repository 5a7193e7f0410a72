"""Recipe `rag_fusion` (Momii et al. at AVeriTeC 2024): nearest documents, questions, their nearest sentences, a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from retrieval.recipes.answering import OF_QUESTIONS, answer_sentences
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.fusion import FOUND, JUDGED, JUDGEMENTS, Fusion, fused_answers
from retrieval.stage_names import ANSWERS


@dataclass(frozen=True)
class RagFusion(Fusion):
    """The knobs of this recipe: exactly those in `Fusion`."""

    recipe: ClassVar[str] = "rag_fusion"


RECIPE = Recipe(
    "rag_fusion",
    "Questions, the sentences nearest to each, a verdict over the pairs.",
    OF_QUESTIONS,
    {
        **FOUND,
        ANSWERS: lambda parts, knobs: fused_answers(parts, knobs, answer_sentences(parts, knobs)),
        **JUDGED,
    },
    ("questions", "sentence_question", "sufficiency", *JUDGEMENTS),
    ("questions",),
    title="By questions",
    what="Asks about the claim and weighs the answers.",
    seconds=3.3,
    knobs=RagFusion,
)
