"""Recipe `aic`: AIC CTU at AVeriTeC 2024."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.pipeline import Pipeline
from retrieval.recipes.answering import OF_QUESTIONS, answer_sentences, local_questions
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.endings import policy_over_answers, verdict_stages
from retrieval.stages.averitec.aic import ReplyAnswers
from retrieval.stages.averitec.documents import ChunkSearch
from retrieval.stages.averitec.judges import SourceJudge
from retrieval.stages.verdict import LocalVerdict

if TYPE_CHECKING:
    from retrieval.resources import Resources


def aic(resources: Resources) -> Pipeline:
    """Diverse chunks and one call of a language model (AIC CTU at AVeriTeC 2024); without one, rules and a classifier."""
    settings, chosen, llm = resources.settings, resources.chosen(), resources.llm()
    chunk_search = ChunkSearch(
        resources.store(),
        chosen.page_encoder(),
        settings.chunk_length,
        settings.aic_pruned,
        settings.aic_fetched,
        settings.aic_kept,
        settings.aic_relevance,
        chosen.question_encoder(),
        settings.document_characters,
        settings.document_matches,
        scorer=chosen.pair_scorer(),
    )
    answers = replace(answer_sentences(resources, settings.fusion_answers), within="chunks")
    by_rule = (local_questions(resources), answers)
    policy = policy_over_answers(resources, "aic")
    if llm is None:
        return Pipeline("aic", (chunk_search, *by_rule, LocalVerdict(policy)))
    shown = (settings.aic_questions, settings.aic_examples, settings.aic_neighbours)
    judge = SourceJudge(resources.examples(), *shown)
    ask, verdict = verdict_stages(resources, policy, judge)
    return Pipeline("aic", (chunk_search, ask, ReplyAnswers(judge, chosen.answer_scorer(), by_rule), verdict))


RECIPE = Recipe(
    "aic",
    "Diverse chunks, then one call to a language model; without one, rules and a classifier.",
    OF_QUESTIONS,
    ("chunks", "questions", "answers", "verdict"),
    aic,
    ("aic",),
    title="By passages",
    what="Weighs the best passages of different pages.",
    seconds=3.1,
)
