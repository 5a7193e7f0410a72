"""Recipe `esoteric`: the thesis's pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.recipes.declaring import READERS, Recipe
from retrieval.recipes.endings import verdict_over_sentences
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.esoteric.passages import Passages, english_sentences
from retrieval.stages.esoteric.phrases import TextMatch
from retrieval.stages.esoteric.question_ranking import QuestionRanking
from retrieval.stages.esoteric.questions import ClaimQuestions
from retrieval.stages.esoteric.relevance import Relevance, SimilarityOrder
from retrieval.stages.esoteric.titles import TitleMatch
from retrieval.stages.reading_again import StancesAgain
from retrieval.stages.verdict import ChooseEvidence

if TYPE_CHECKING:
    from retrieval.resources import Resources


def esoteric(resources: Resources) -> Pipeline:
    """The thesis's pipeline: spans, titles, phrases, questions, their vectors, relevance, similarity, verdict."""
    settings, store, chosen = resources.settings, resources.store(), resources.chosen()
    without = steps_left_out(settings.without)
    questions, pages = chosen.question_encoder(), chosen.page_encoder()
    encoders = " and ".join(dict.fromkeys((settings.question_encoder, settings.page_encoder)))
    limit = 0 if "brackets" in without else settings.bracket_limit
    unasked, ngrams = "question passages" in without, "title n-grams" not in without
    cutoff = 0.0 if "relevance" in without else settings.relevance_cutoff
    stages: dict[str, Stage] = {
        "spans": ClaimSpans(chosen.spans_and_titles(store, ngrams), settings.span_models + " and titles" * ngrams),
        "titles": TitleMatch(
            store,
            chosen.similarity_encoder(),
            settings.bracket_cutoff,
            limit,
            settings.similarity_model,
            found=settings.title_matches,
        ),
        "text": TextMatch(
            store,
            settings.text_matches,
            first="titles" in without,
            encoded=None if "question ranking" in without else settings.encoded_pages,
            model=chosen.vectors_id(),
        ),
        "questions": ClaimQuestions(
            None if "wh-questions" in without else chosen.question_generator(),
            None if "polar question" in without else chosen.polar_questions(),
            settings.most_questions,
        ),
        "question ranking": QuestionRanking(
            store,
            questions,
            pages,
            encoded=settings.encoded_pages,
            per_question=settings.question_pages,
            cutoff=settings.page_cutoff,
            used=encoders,
            model=chosen.vectors_id(),
            characters=settings.page_characters,
            phrases="text" not in without,
        ),
        "sentences": Passages(
            None if unasked else questions,
            None if unasked else pages,
            english_sentences,
            encoded=settings.encoded_sentences,
            top_k=settings.question_passages,
            cutoff=settings.passage_cutoff,
            used=encoders,
        ),
        "relevance": Relevance(chosen.pair_scorer(), cutoff, settings.relevance_model),
        "similarity": SimilarityOrder(
            chosen.similarity_encoder(), cutoff, settings.similarity_model, similar=settings.similarity_cutoff
        ),
        **({} if "reading" in without else _stances_again(resources)),
        "evidence": ChooseEvidence(settings.top_evidence),
    }
    kept = (stage for name, stage in stages.items() if name not in without - {"relevance"})
    # The verdict's model was fitted, and its calibration measured, on what recipe `fast` finds.
    return Pipeline("esoteric", (*kept, *verdict_over_sentences(resources, None)))


def _stances_again(resources: Resources) -> dict[str, Stage]:
    """The step by its name; none where nothing reads again."""
    reader, joined, most = resources.chosen().reader(), resources.joined_reading(), resources.settings.read_sentences
    return {"reading": StancesAgain(reader, joined, most)} if reader else {}


def steps_left_out(names: str) -> frozenset[str]:
    """The steps that setting WITHOUT names."""
    return frozenset(name.strip() for name in names.split(",") if name.strip())


RECIPE = Recipe(
    "esoteric",
    "The thesis's pipeline: spans, titles, phrases, questions and their vectors, relevance, similarity, a local verdict.",
    (
        "span_models",
        "question_model",
        "question_encoder",
        "page_encoder",
        "similarity_model",
        *READERS,
        "reader",
        "verdict",
    ),
    (
        "spans",
        "titles",
        "text",
        "questions",
        "question ranking",
        "sentences",
        "relevance",
        "similarity",
        "reading",
        "evidence",
        "verdict",
    ),
    esoteric,
    title="As in the thesis",
    what="Asks questions and ranks pages by them.",
    seconds=0.72,
)
