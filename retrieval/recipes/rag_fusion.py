"""Recipe `rag_fusion`: Momii et al. at AVeriTeC 2024."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from retrieval import stage_names
from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.recipes.answering import JUDGING, OF_QUESTIONS, answer_sentences
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.fusion import JUDGEMENTS, Fusion, found_answers, verdict_over_answers


@dataclass(frozen=True)
class RagFusion(Fusion):
    """The knobs of this recipe: exactly those in `Fusion`."""

    recipe: ClassVar[str] = "rag_fusion"


def rag_fusion(resources: Parts) -> Pipeline:
    """Nearest documents, questions, their nearest sentences, a verdict over the pairs (Momii et al. 2024)."""
    knobs = RagFusion.of(resources.settings)
    found = found_answers(resources, knobs, answer_sentences(resources, knobs))
    return Pipeline("rag_fusion", (*found, *verdict_over_answers(resources, knobs)))


RECIPE = Recipe(
    "rag_fusion",
    "Questions, the sentences nearest to each, a verdict over the pairs.",
    OF_QUESTIONS,
    (stage_names.DOCUMENTS, stage_names.QUESTIONS, stage_names.ANSWERS, *JUDGING, stage_names.VERDICT),
    rag_fusion,
    ("questions", "sentence_question", "sufficiency", *JUDGEMENTS),
    ("questions",),
    title="By questions",
    what="Asks about the claim and weighs the answers.",
    seconds=3.3,
    knobs=RagFusion,
)
