"""What recipes `aic`, `rag_fusion` and `contextual` share: questions by rule, and sentences that answer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.models.hub.catalogue import QUESTIONS as RULES
from retrieval.protocols import Stage
from retrieval.recipes.declaring import READERS
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.questions import ModelQuestions, TemplateQuestions

if TYPE_CHECKING:
    from retrieval.resources import Resources

OF_QUESTIONS = (
    "span_models",
    "question_model",
    "question_encoder",
    "page_encoder",
    *READERS,
    "reader",
    "encoder",
    "verdict",
)


def local_questions(resources: Resources) -> Stage:
    settings, chosen = resources.settings, resources.chosen()
    if settings.question_model == RULES:
        return TemplateQuestions(chosen.spans(), settings.fusion_questions)
    generator, polar = chosen.question_generator(), chosen.polar_questions()
    return ModelQuestions(chosen.spans(), generator, polar, settings.fusion_questions)


def answer_sentences(resources: Resources, answers: int) -> AnswerSentences:
    settings, chosen = resources.settings, resources.chosen()
    return AnswerSentences(
        chosen.page_encoder(),
        chosen.answer_scorer(),
        answers,
        settings.fusion_pairs,
        settings.fusion_rank,
        queries=chosen.question_encoder(),
    )
