"""What recipes `aic`, `rag_fusion` and `contextual` share: questions by rule, and sentences that answer them."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.models.hub.catalogue import QUESTIONS as RULES
from retrieval.parts import Parts
from retrieval.protocols import PairScorer, Stage
from retrieval.recipes.declaring import READERS
from retrieval.settings import Settings
from retrieval.settings.declaring import Knobs, setting
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.questions import ModelQuestions, TemplateQuestions
from retrieval.stores.knowledge_file import KnowledgeFile

OF_QUESTIONS = (
    *("span_models", "question_model", "question_encoder", "page_encoder", *READERS),
    *("ranker", "reader", "reading", "encoder", "careful_verdict"),
)


@dataclass(frozen=True)
class Answering(Knobs):
    """The limits on questions and answers."""

    document_matches: int = setting(
        200,
        "Pages of a corpus that BM25 leaves for embedding, if not more are searched. Of a claim's own documents, all are "
        "embedded.",
    )
    questions: int = setting(3, "Questions asked about a claim.")
    answers: int = setting(3, "Sentences kept for each question.")
    pairs: int = setting(10, "Most question-answer pairs that a verdict rests on.")
    rank: int = setting(60, "Constant k of reciprocal rank fusion.")
    two_sides: str = setting(
        "off",
        "When two strong opposing sentences of different sources overrule AVeriTeC's classifier, which can call evidence "
        "conflicting itself: never (`off`), if it is `undecided`, or `always`. The last two cost right verdicts "
        "(docs/averitec.md).",
        choices=("off", "undecided", "always"),
    )

    @property
    def classifier(self) -> str:
        """`four` or `two`: AVeriTeC's classifier judges answers from any source; empty: only from a claim's documents."""
        return ""

    @property
    def by_model(self) -> bool:
        """Whether a language model gives the verdict, if one is set."""
        return True


def local_questions(parts: Parts, most: int) -> Stage:
    settings, chosen = parts.settings, parts.chosen()
    if settings.question_model == RULES:
        return TemplateQuestions(chosen.spans(), most)
    generator, polar = chosen.question_generator(), chosen.polar_questions()
    return ModelQuestions(chosen.spans(), generator, polar, most)


def answer_sentences(parts: Parts, knobs: Answering) -> AnswerSentences:
    chosen = parts.chosen()
    return AnswerSentences(
        chosen.page_encoder(),
        scorer_of_answers(parts, knobs),
        knobs.answers,
        knobs.pairs,
        knobs.rank,
        queries=chosen.question_encoder(),
    )


def scorer_of_answers(parts: Parts, knobs: Answering) -> PairScorer:
    """Both passes, unless the reader reads again later or AVeriTeC's classifier judges, which was fitted on the first."""
    chosen, again = parts.chosen(), judged_again(parts, knobs)
    return chosen.pair_scorer() if again or judged_by_four_labels(parts, knobs) else chosen.answer_scorer()


def judged_by_four_labels(parts: Parts, knobs: Answering) -> bool:
    """Whether AVeriTeC's classifier judges the answers that a recipe finds."""
    return may_use_four_labels(parts.settings, knobs, isinstance(parts.store(), KnowledgeFile))


def may_use_four_labels(settings: Settings, knobs: Answering, collected: bool) -> bool:
    """Whether that classifier judges, by settings alone. collected: whether a claim's own documents are read."""
    return settings.noncommercial_weights and (collected or bool(knobs.classifier))


def judged_again(parts: Parts, knobs: Answering) -> bool:
    """Whether `careful`'s models judge the answers: if they come from pages and no language model gives the verdict."""
    by_model = knobs.by_model and parts.llm() is not None
    return not by_model and not judged_by_four_labels(parts, knobs)
