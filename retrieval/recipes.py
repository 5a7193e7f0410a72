"""The pipelines, one function each. `RECIPES` is the list that every face of the program offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from retrieval.errors import RecipeError
from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.stages.averitec.aic import AicAnswer
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.contexts import Contexts
from retrieval.stages.averitec.documents import ChunkSearch, DocumentSearch
from retrieval.stages.averitec.judge import LlmJudge, LocalJudge
from retrieval.stages.averitec.questions import AskedQuestions, TemplateQuestions
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.esoteric.passages import Passages, english_sentences
from retrieval.stages.esoteric.question_ranking import QuestionRanking
from retrieval.stages.esoteric.questions import ClaimQuestions
from retrieval.stages.esoteric.relevance import Relevance, SimilarityOrder
from retrieval.stages.esoteric.titles import TextMatch, TitleMatch
from retrieval.stages.llm_verdict import LLMReplyStage, LLMVerdictStage
from retrieval.stages.ranking import RankSentences
from retrieval.stages.search import PageSearch
from retrieval.stages.sentences import SecondHop, SentenceScores
from retrieval.stages.verdict import ChooseEvidence, LocalVerdictStage

if TYPE_CHECKING:
    from retrieval.resources import Resources


def fast(resources: Resources) -> Pipeline:
    """Titles and BM25, one cross-encoder over the likely sentences, a second hop, a calibrated local verdict."""
    settings, store, scorer = resources.settings, resources.store(), resources.pair_scorer()
    return Pipeline(
        "fast",
        (
            ClaimSpans(resources.span_extractor()),
            PageSearch(store, settings.top_pages, resources.vocabulary()),
            SentenceScores(scorer, settings.top_sentences),
            SecondHop(store, scorer),
            RankSentences(resources.sentence_ranker()),
            ChooseEvidence(settings.top_evidence),
            *verdict_stages(resources),
        ),
    )


def aic(resources: Resources) -> Pipeline:
    """Diverse chunks and one call of a language model (AIC CTU at AVeriTeC 2024); without one, rules and a classifier."""
    settings, scorer, encoder, llm = resources.settings, resources.pair_scorer(), resources.encoder(), resources.llm()
    chunk_search = ChunkSearch(
        resources.store(),
        encoder,
        settings.chunk_length,
        settings.aic_pruned,
        settings.aic_fetched,
        settings.aic_kept,
        settings.aic_relevance,
    )
    if llm is None:
        questions = TemplateQuestions(resources.span_extractor(), settings.fusion_questions)
        answers = AnswerSentences(
            encoder, scorer, settings.fusion_answers, settings.fusion_pairs, settings.fusion_rank, "chunks"
        )
        judge = LocalJudge(resources.four_labels(), encoder)
        return Pipeline("aic", (chunk_search, questions, answers, judge))
    shown = (settings.aic_questions, settings.aic_examples, settings.aic_neighbours)
    return Pipeline(
        "aic", (chunk_search, AicAnswer(llm, scorer, resources.examples(), *shown, budget=resources.budget()))
    )


def rag_fusion(resources: Resources) -> Pipeline:
    """Nearest documents, questions, their nearest sentences, a verdict over the pairs (Momii et al. 2024)."""
    answers = _answer_sentences(resources, resources.settings.fusion_answers)
    return Pipeline("rag_fusion", (*_documents_and_questions(resources), answers, _judge(resources)))


def contextual(resources: Resources) -> Pipeline:
    """`rag_fusion` with a reranker and a context in front of each sentence."""
    settings, scorer, llm = resources.settings, resources.pair_scorer(), resources.llm()
    if settings.context_order == "after":
        answers = _answer_sentences(resources, settings.fusion_answers, settings.context_sentences)
        contexts = Contexts(llm, scorer, settings.context_tokens, budget=resources.budget())
    else:
        every = settings.context_sentences * settings.fusion_questions
        answers = replace(_answer_sentences(resources, settings.context_sentences), pairs=every)
        contexts = Contexts(llm, scorer, settings.context_tokens, settings.fusion_answers, resources.budget())
    return Pipeline("contextual", (*_documents_and_questions(resources), answers, contexts, _judge(resources)))


def _documents_and_questions(resources: Resources) -> tuple[Stage, Stage]:
    settings, llm = resources.settings, resources.llm()
    documents = DocumentSearch(resources.store(), resources.encoder(), settings.fusion_pages)
    if llm is None:
        return documents, TemplateQuestions(resources.span_extractor(), settings.fusion_questions)
    return documents, AskedQuestions(llm, resources.examples(), settings.fusion_questions, budget=resources.budget())


def _answer_sentences(resources: Resources, answers: int, candidates: int = 0) -> AnswerSentences:
    settings = resources.settings
    return AnswerSentences(
        resources.encoder(),
        resources.pair_scorer(),
        answers,
        settings.fusion_pairs,
        settings.fusion_rank,
        "pages",
        candidates,
    )


def _judge(resources: Resources) -> Stage:
    """A language model where one is set and wanted, else a classifier."""
    settings, llm = resources.settings, resources.llm()
    if settings.fusion_verdict == "llm" and llm is not None:
        return LlmJudge(llm, settings.fusion_sufficiency, resources.budget())
    kind: Literal["four", "two"] = "two" if settings.fusion_verdict == "two" else "four"
    return LocalJudge(resources.four_labels(kind), resources.encoder())


def verdict_stages(resources: Resources) -> tuple[Stage, ...]:
    """The end of a recipe: the local verdict alone, or a language model before it where one is set."""
    settings, llm = resources.settings, resources.llm()
    local = LocalVerdictStage(
        resources.verdict_model(),
        resources.pair_scorer(),
        settings.top_evidence,
        conflicting_from=settings.conflicting_from,
        abstain_below=settings.abstain_below,
    )
    if llm is None:
        return (local,)
    return LLMReplyStage(llm, resources.budget()), LLMVerdictStage(llm, local, abstain_below=settings.abstain_below)


def esoteric(resources: Resources) -> Pipeline:
    """The thesis' pipeline: spans, titles, phrases, questions, their vectors, relevance, similarity, verdict."""
    settings, store, chosen = resources.settings, resources.store(), resources.chosen()
    without = steps_left_out(settings.without)
    questions, pages = chosen.question_encoder(), chosen.page_encoder()
    encoders = " and ".join(dict.fromkeys((settings.question_encoder, settings.page_encoder)))
    limit = 0 if "brackets" in without else settings.bracket_limit
    unasked, ngrams = "question passages" in without, "title n-grams" not in without
    cutoff = 0.0 if "relevance" in without else settings.relevance_cutoff
    stages: dict[str, Stage] = {
        "spans": ClaimSpans(chosen.span_extractor(store, ngrams), settings.span_models + " and titles" * ngrams),
        "titles": TitleMatch(
            store, chosen.similarity_encoder(), settings.bracket_cutoff, limit, settings.similarity_model
        ),
        "text": TextMatch(store, settings.text_matches),
        "questions": ClaimQuestions(
            None if "wh-questions" in without else chosen.question_generator(),
            None if "polar question" in without else chosen.polar_questions(),
        ),
        "question ranking": QuestionRanking(
            store,
            questions,
            pages,
            encoded=settings.encoded_pages,
            per_question=settings.question_pages,
            cutoff=settings.page_cutoff,
            used=encoders,
            model=chosen.id_of("page_encoder"),
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
        "relevance": Relevance(
            resources.pair_scorer(), cutoff, chosen.relevance_classifier(), settings.relevance_model
        ),
        "similarity": SimilarityOrder(
            chosen.similarity_encoder(), cutoff, settings.similarity_model, similar=settings.similarity_cutoff
        ),
        "evidence": ChooseEvidence(settings.top_evidence),
    }
    kept = (stage for name, stage in stages.items() if name not in without - {"relevance"})
    return Pipeline("esoteric", (*kept, *verdict_stages(resources)))


def steps_left_out(names: str) -> frozenset[str]:
    """The steps that setting WITHOUT names."""
    return frozenset(name.strip() for name in names.split(",") if name.strip())


@dataclass(frozen=True)
class Recipe:
    """A pipeline that can be chosen by name. stages: in order of flow.

    roles: the models it needs, as `models/catalogue.py` or a setting calls them; the settings that decide what it finds
    name it where they are declared. prompts: what a language model is asked, where one is set; in `fast` and `esoteric` its reply
    then comes as a stage of its own before the verdict.
    """

    name: str
    summary: str
    roles: tuple[str, ...]
    stages: tuple[str, ...]
    build: Callable[[Resources], Pipeline]
    prompts: tuple[str, ...] = ("verdict",)


RECIPES = {
    "fast": Recipe(
        "fast",
        "Page titles and BM25, one small cross-encoder, a second hop, a local verdict. No key, no GPU.",
        ("spans", "cross_encoder", "ranker", "verdict"),
        ("spans", "pages", "sentences", "second hop", "ranking", "evidence", "verdict"),
        fast,
    ),
    "esoteric": Recipe(
        "esoteric",
        "The thesis' way: spans, titles, phrases, questions and their vectors, relevance, similarity, a local verdict.",
        (
            "span_models",
            "question_model",
            "question_encoder",
            "page_encoder",
            "relevance_model",
            "similarity_model",
            "cross_encoder",
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
            "evidence",
            "verdict",
        ),
        esoteric,
    ),
    "aic": Recipe(
        "aic",
        "Chunks that differ from one another, then one call of a language model; without one, rules and a classifier.",
        ("spans", "encoder", "cross_encoder", "four_labels"),
        ("chunks", "questions", "answers", "verdict"),
        aic,
        ("aic",),
    ),
    "rag_fusion": Recipe(
        "rag_fusion",
        "Questions, the sentences nearest to each, a verdict over the pairs.",
        ("spans", "encoder", "cross_encoder", "four_labels"),
        ("documents", "questions", "answers", "verdict"),
        rag_fusion,
        ("questions", "sufficiency", "judgement"),
    ),
    "contextual": Recipe(
        "contextual",
        "As rag_fusion, with a reranker and a short context in front of each sentence.",
        ("spans", "encoder", "cross_encoder", "four_labels"),
        ("documents", "questions", "answers", "contexts", "verdict"),
        contextual,
        ("questions", "context", "sufficiency", "judgement"),
    ),
}


def find_recipe(name: str) -> Recipe:
    """Raises RecipeError, naming those there are, where there is none of this name."""
    if name not in RECIPES:
        raise RecipeError(f"There is no recipe named {name[:40]!r}. Choose one of: {', '.join(RECIPES)}.")
    return RECIPES[name]
