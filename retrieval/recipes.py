"""The pipelines, one function each. `RECIPES` is the list that the command line, the API and the pages offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from retrieval.endings import (
    policy_over_answers,
    verdict_over_answers,
    verdict_over_readings,
    verdict_over_sentences,
    verdict_stages,
)
from retrieval.errors import RecipeError
from retrieval.llm.prompts.judgement import NAMES
from retrieval.models.hub.catalogue import QUESTIONS as RULES
from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.stages.averitec.aic import ReplyAnswers
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.contexts import Contexts
from retrieval.stages.averitec.documents import ChunkSearch, DocumentSearch, Pieces
from retrieval.stages.averitec.judges import SourceJudge
from retrieval.stages.averitec.questions import (
    AskedQuestions,
    ModelQuestions,
    SentenceQuestions,
    TemplateQuestions,
)
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.esoteric.passages import Passages, english_sentences
from retrieval.stages.esoteric.phrases import TextMatch
from retrieval.stages.esoteric.question_ranking import QuestionRanking
from retrieval.stages.esoteric.questions import ClaimQuestions
from retrieval.stages.esoteric.relevance import Relevance, SimilarityOrder
from retrieval.stages.esoteric.titles import TitleMatch
from retrieval.stages.ranking import RankSentences
from retrieval.stages.reading_again import ReadAgain, StancesAgain
from retrieval.stages.search import PageSearch
from retrieval.stages.sentences import SecondHop, SentenceScores
from retrieval.stages.verdict import ChooseEvidence, LocalVerdict

if TYPE_CHECKING:
    from retrieval.resources import Resources


def fast(resources: Resources) -> Pipeline:
    """Titles and BM25, one cross-encoder over the likely sentences, a second hop, a calibrated local verdict."""
    evidence = ChooseEvidence(resources.settings.top_evidence)
    verdict = verdict_over_sentences(resources, resources.verdict_model().calibration_error)
    return Pipeline("fast", (*ranked_sentences(resources), evidence, *verdict))


def careful(resources: Resources) -> Pipeline:
    """`fast`, whose best sentences a larger cross-encoder reads again; both readings order them and make the verdict.

    It is `fast` where another model reads than ours, since nothing reads after that one.
    """
    settings, reader = resources.settings, resources.chosen().reader()
    if reader is None:
        return replace(fast(resources), name="careful")
    reading = ReadAgain(reader, resources.joined_reading(), settings.read_sentences, settings.read_from)
    evidence = ChooseEvidence(settings.top_evidence, with_bridges=True)
    return Pipeline("careful", (*ranked_sentences(resources), reading, evidence, *verdict_over_readings(resources)))


def ranked_sentences(resources: Resources) -> tuple[Stage, ...]:
    """From the claim to all sentences that may decide it, ranked."""
    settings, store, chosen = resources.settings, resources.store(), resources.chosen()
    scorer, language = chosen.pair_scorer(), resources.language()
    return (
        ClaimSpans(chosen.spans()),
        PageSearch(store, settings.top_pages, resources.vocabulary(), language),
        SentenceScores(scorer, settings.top_sentences, language),
        SecondHop(store, scorer, language),
        RankSentences(resources.sentence_ranker()),
    )


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
        cast(Pieces, settings.aic_pieces),
        scorer=chosen.pair_scorer(),
    )
    answers = replace(_answer_sentences(resources, settings.fusion_answers), within="chunks")
    by_rule = (_local_questions(resources), answers)
    policy = policy_over_answers(resources, "aic")
    if llm is None:
        return Pipeline("aic", (chunk_search, *by_rule, LocalVerdict(policy)))
    shown = (settings.aic_questions, settings.aic_examples, settings.aic_neighbours)
    judge = SourceJudge(resources.examples(), *shown)
    ask, verdict = verdict_stages(resources, policy, judge)
    return Pipeline("aic", (chunk_search, ask, ReplyAnswers(judge, chosen.answer_scorer(), by_rule), verdict))


def rag_fusion(resources: Resources) -> Pipeline:
    """Nearest documents, questions, their nearest sentences, a verdict over the pairs (Momii et al. 2024)."""
    found = _found(resources, _answer_sentences(resources, resources.settings.fusion_answers))
    return Pipeline("rag_fusion", (*found, *verdict_over_answers(resources)))


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
    answers = _answer_sentences(resources, settings.fusion_answers)
    if order != "none":  # the reader reads each answer with its context, once
        answers = replace(answers, judge=chosen.pair_scorer())
    if order in ("after", "none"):
        answers = replace(answers, candidates=candidates, reranker=reranker)
    elif order == "before":
        answers = replace(answers, answers=candidates, pairs=candidates * settings.fusion_questions)
        contexts = replace(contexts, kept=settings.fusion_answers, reranker=reranker)
    with_contexts = () if order == "none" else (contexts,)
    verdict = verdict_over_answers(resources, settings.context_prompt == "apart")
    return Pipeline("contextual", (*_found(resources, answers), *with_contexts, *verdict))


def _found(resources: Resources, answers: AnswerSentences) -> tuple[Stage, ...]:
    """Documents, and sentences of them: searched with questions, or with the claim, and then asked for."""
    settings, chosen, budget = resources.settings, resources.chosen(), resources.budget()
    queries, llm = chosen.question_encoder(), resources.llm_for("questions")
    documents = DocumentSearch(
        resources.store(),
        chosen.page_encoder(),
        settings.fusion_pages,
        queries,
        settings.document_characters,
        settings.document_matches,
        by_questions=settings.fusion_documents == "questions",
    )
    examples = resources.examples()
    if settings.fusion_example == "embedding" and llm is not None:
        examples = examples.by_embedding(chosen.claim_encoder(), chosen.page_encoder())
    answers = replace(answers, fused=settings.fusion_choice == "ranks")
    questions = _local_questions(resources)
    if llm is not None:
        questions = AskedQuestions(llm, examples, questions, settings.fusion_questions, budget=budget)
    by_questions = (questions, documents) if documents.by_questions else (documents, questions)
    if settings.fusion_query == "questions":
        return *by_questions, answers
    sentences = answers.answers * settings.fusion_questions
    by_claim = replace(answers, by_claim=True, by_words=settings.fusion_query == "bm25", answers=sentences)
    first = by_questions if documents.by_questions else (documents,)
    return *first, by_claim, SentenceQuestions(llm, budget)


def _local_questions(resources: Resources) -> Stage:
    settings, chosen = resources.settings, resources.chosen()
    if settings.question_model == RULES:
        return TemplateQuestions(chosen.spans(), settings.fusion_questions)
    generator, polar = chosen.question_generator(), chosen.polar_questions()
    return ModelQuestions(chosen.spans(), generator, polar, settings.fusion_questions)


def _answer_sentences(resources: Resources, answers: int) -> AnswerSentences:
    settings, chosen = resources.settings, resources.chosen()
    return AnswerSentences(
        chosen.page_encoder(),
        chosen.answer_scorer(),
        answers,
        settings.fusion_pairs,
        settings.fusion_rank,
        queries=chosen.question_encoder(),
    )


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


@dataclass(frozen=True)
class Recipe:
    """A pipeline that can be chosen by name. stages: in order of flow.

    roles: the models it needs, as `models/catalogue.py` or a setting calls them. prompts: what a language model is
    asked, where one is set; its reply then comes as a stage of its own before the verdict. writers: what a language
    model writes before that: questions, contexts. calibrated: role of the local verdict's model, where its calibration
    was measured on what this recipe finds; empty if it was not, so that its shares are estimates. title, what: what
    people who know no recipe are told; seconds: of a processor a claim at the median, from `docs/costs.json`.
    """

    name: str
    summary: str
    roles: tuple[str, ...]
    stages: tuple[str, ...]
    build: Callable[[Resources], Pipeline]
    prompts: tuple[str, ...] = ("verdict",)
    writers: tuple[str, ...] = ()
    calibrated: str = ""
    title: str = ""
    what: str = ""
    seconds: float | None = None


# Roles that several recipes have.
READERS = ("relevance_model", "stance_model", "cross_encoder")
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

JUDGEMENTS = (*NAMES.values(), "side")  # prompts for a verdict over answers; settings say which

RECIPES = {
    "careful": Recipe(
        "careful",
        "As fast, but a larger network reads the best sentences again. No key, no GPU.",
        ("span_models", *READERS, "ranker", "reader", "reading", "careful_verdict"),
        ("spans", "pages", "sentences", "second hop", "ranking", "reading", "evidence", "verdict"),
        careful,
        calibrated="careful_verdict",
        title="Careful",
        what="Reads the best sentences twice, the second time with a larger network.",
        seconds=0.24,
    ),
    "fast": Recipe(
        "fast",
        "Page titles and BM25, one small cross-encoder, a second hop, a local verdict. No key, no GPU.",
        ("span_models", *READERS, "ranker", "verdict"),
        ("spans", "pages", "sentences", "second hop", "ranking", "evidence", "verdict"),
        fast,
        calibrated="verdict",
        title="Quick",
        what="Reads the likeliest sentences once.",
        seconds=0.11,
    ),
    "esoteric": Recipe(
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
    ),
    "aic": Recipe(
        "aic",
        "Diverse chunks, then one call to a language model; without one, rules and a classifier.",
        OF_QUESTIONS,
        ("chunks", "questions", "answers", "verdict"),
        aic,
        ("aic",),
        title="By passages",
        what="Weighs the best passages of different pages.",
        seconds=3.1,
    ),
    "rag_fusion": Recipe(
        "rag_fusion",
        "Questions, the sentences nearest to each, a verdict over the pairs.",
        OF_QUESTIONS,
        ("documents", "questions", "answers", "verdict"),
        rag_fusion,
        ("questions", "sentence_question", "sufficiency", *JUDGEMENTS),
        ("questions",),
        title="By questions",
        what="Asks about the claim and weighs the answers.",
        seconds=3.3,
    ),
    "contextual": Recipe(
        "contextual",
        "As rag_fusion, with a reranker and a short context in front of each sentence.",
        (*OF_QUESTIONS, "reranker"),
        ("documents", "questions", "answers", "contexts", "verdict"),
        contextual,
        ("questions", "sentence_question", "context", "sufficiency", *JUDGEMENTS),
        ("questions", "contexts"),
        title="By questions, read twice",
        what="Ranks the answers once more, each in its context.",
        seconds=3.4,
    ),
}


def find_recipe(name: str) -> Recipe:
    """Raises RecipeError, which lists all recipes, if none has this name."""
    if name not in RECIPES:
        raise RecipeError(f"There is no recipe named {name[:40]!r}. Choose one of: {', '.join(RECIPES)}.")
    return RECIPES[name]
