"""Recipe `esoteric`: the thesis's pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from retrieval import stage_names
from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.protocols import Encoder, Stage
from retrieval.recipes.declaring import READERS, SECOND_PASS, Recipe
from retrieval.recipes.endings import judging, verdict_over_readings, verdict_over_sentences
from retrieval.settings.declaring import Knobs, setting
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.esoteric.dual import DualPassages
from retrieval.stages.esoteric.evidence import FoundAnswers, RelevantEvidence
from retrieval.stages.esoteric.passages import Passages, english_sentences
from retrieval.stages.esoteric.phrases import TextMatch
from retrieval.stages.esoteric.question_ranking import QuestionRanking
from retrieval.stages.esoteric.questions import ClaimQuestions
from retrieval.stages.esoteric.relevance import Relevance, SimilarityOrder
from retrieval.stages.esoteric.titles import TitleMatch
from retrieval.stages.verdict import ChooseEvidence

# Steps that you can leave out, to measure what each contributes.
STEPS = (
    *("title n-grams", stage_names.TITLES, "brackets", stage_names.TEXT, "wh-questions", "polar question"),
    *(stage_names.QUESTION_RANKING, "question passages", stage_names.RELEVANCE, stage_names.SIMILARITY),
    *(stage_names.READING, stage_names.COMPARING),
)


@dataclass(frozen=True)
class Esoteric(Knobs):
    """The limits and cutoffs of the recipe's steps."""

    recipe: ClassVar[str] = "esoteric"
    title_matches: int = setting(500, "Pages found by their titles, before the brackets are compared.")
    most_questions: int = setting(24, "Questions asked about a claim; each is compared with every page found.")
    bracket_cutoff: float = setting(0.0, "Least similarity between the claim and the bracket of a page's title.")
    bracket_limit: int = setting(20, "Pages kept whose title matches except for its bracket.")
    text_matches: int = setting(1000, "Pages found by phrases in their text.")
    encoded_pages: int = setting(40, "Of these, pages to encode if the corpus holds no vectors; encoding takes time.")
    question_pages: int = setting(10, "Pages that each question may bring.")
    page_cutoff: float = setting(0.65, "Least score of a page for its best question.")
    encoded_sentences: int = setting(60, "Sentences of the pages kept that are compared with the questions.")
    question_passages: int = setting(30, "Sentences that the questions pass on to the relevance model.")
    passage_cutoff: float = setting(0.7, "Least score of a sentence for its best question.")
    relevance_cutoff: float = setting(0.5, "Least probability of a relevant sentence.")
    similarity_cutoff: float = setting(
        0.0,
        "Least cosine between the claim and a sentence that may be evidence. 0: any. The thesis, with mpnet: 0.7.",
    )
    every_relevant: bool = setting(
        True,
        "Show every relevant sentence as evidence, to people and to a language model, as in the thesis. `false`: at most "
        "TOP_EVIDENCE.",
    )
    sentences_by: str = setting(
        "lines",
        "What divides pages into sentences: the corpus's own `lines`, or spaCy's parser (`spacy`), as in the thesis.",
        choices=("lines", "spacy"),
    )
    sentence_titles: bool = setting(
        True, "Put the page's title before a sentence to compare it with questions and claim. The thesis: `false`."
    )
    passages: str = setting(
        "relevance",
        "How sentences are chosen: by `relevance`, or by the `dual` pipeline of the thesis's version 1.7 (BM25, and each "
        "question's best answer), whose sentences are all evidence.",
        choices=("relevance", "dual"),
    )
    dual_sentences: int = setting(5, "Sentences that BM25 brings in the `dual` pipeline.")
    without: str = setting(
        "", "Steps to leave out, separated by commas; for measurements.", choices=STEPS, several=True
    )
    read_sentences: int = setting(5, "Best sentences that the larger network of recipe `careful` reads again.")


def esoteric(resources: Parts) -> Pipeline:
    """The thesis's pipeline: spans, titles, phrases, questions, their vectors, relevance, similarity, verdict."""
    settings, store, chosen = resources.settings, resources.store(), resources.chosen()
    knobs = Esoteric.of(settings)
    without = steps_left_out(knobs.without)
    questions, pages = chosen.question_encoder(), chosen.page_encoder()
    encoders = " and ".join(dict.fromkeys((settings.question_encoder, settings.page_encoder)))
    limit = 0 if "brackets" in without else knobs.bracket_limit
    ngrams = "title n-grams" not in without
    cutoff = 0.0 if "relevance" in without or knobs.passages == "dual" else knobs.relevance_cutoff
    stages: dict[str, Stage] = {
        stage_names.SPANS: ClaimSpans(
            chosen.spans_and_titles(store, knobs.title_matches if ngrams else 0),
            settings.span_models + " and titles" * ngrams,
        ),
        stage_names.TITLES: TitleMatch(
            store,
            chosen.similarity_encoder(),
            knobs.bracket_cutoff,
            limit,
            settings.similarity_model,
            found=knobs.title_matches,
        ),
        stage_names.TEXT: TextMatch(
            store,
            knobs.text_matches,
            first="titles" in without,
            encoded=None if "question ranking" in without else knobs.encoded_pages,
            model=chosen.vectors_id(),
        ),
        stage_names.QUESTIONS: ClaimQuestions(
            None if "wh-questions" in without else chosen.question_generator(),
            None if "polar question" in without else chosen.polar_questions(),
            knobs.most_questions,
        ),
        stage_names.QUESTION_RANKING: QuestionRanking(
            store,
            questions,
            pages,
            encoded=knobs.encoded_pages,
            per_question=knobs.question_pages,
            cutoff=knobs.page_cutoff,
            used=encoders,
            model=chosen.vectors_id(),
            characters=settings.page_characters,
            phrases="text" not in without,
        ),
        stage_names.SENTENCES: _passages(knobs, questions, pages, encoders),
        stage_names.RELEVANCE: Relevance(chosen.pair_scorer(), cutoff, settings.relevance_model),
        stage_names.SIMILARITY: SimilarityOrder(
            chosen.similarity_encoder(),
            cutoff,
            settings.similarity_model,
            similar=knobs.similarity_cutoff,
            titles=knobs.sentence_titles,
        ),
        **{stage.name: stage for stage in judging(resources, knobs.read_sentences)},
        stage_names.EVIDENCE: _evidence(knobs, settings.top_evidence, cutoff),
        stage_names.ANSWERS: FoundAnswers(questions, pages, knobs.passage_cutoff, knobs.sentence_titles),
    }
    left = without - {"relevance"} | ({stage_names.RANKING} if stage_names.READING in without else set())
    kept = {name: stage for name, stage in stages.items() if name not in left}
    # The verdict's models were fitted, and their calibration measured, on sentences that recipes `fast` and `careful`
    # find.
    verdict = verdict_over_readings if stage_names.READING in kept else verdict_over_sentences
    return Pipeline("esoteric", (*kept.values(), *verdict(resources, None)))


def _passages(knobs: Esoteric, questions: Encoder, pages: Encoder, used: str) -> Stage:
    """The stage that finds sentences. used: the names of the encoders."""
    common: dict[str, Any] = {
        "encoded": knobs.encoded_sentences,
        "cutoff": knobs.passage_cutoff,
        "titles": knobs.sentence_titles,
        "afresh": knobs.sentences_by == "spacy",
    }
    if knobs.passages == "dual":
        return DualPassages(questions, pages, english_sentences, by_words=knobs.dual_sentences, **common)
    asked = "question passages" not in steps_left_out(knobs.without)
    common |= {"top_k": knobs.question_passages, "used": used}
    return Passages(questions if asked else None, pages if asked else None, english_sentences, **common)


def _evidence(knobs: Esoteric, top_k: int, cutoff: float) -> Stage:
    """The stage that chooses evidence. top_k: most sentences for a verdict; cutoff: least relevance.

    Sentences that a similarity cutoff drops are not replaced by others.
    """
    without = steps_left_out(knobs.without)
    if "relevance" in without or not knobs.every_relevant:
        return ChooseEvidence(top_k)
    return RelevantEvidence(cutoff, 0 if knobs.similarity_cutoff else top_k)


def steps_left_out(names: str) -> frozenset[str]:
    """The steps that knob `without` names."""
    return frozenset(name.strip() for name in names.split(",") if name.strip())


RECIPE = Recipe(
    "esoteric",
    "The thesis's pipeline: spans, titles, phrases, questions and their vectors, relevance, similarity, a local verdict.",
    (
        *("span_models", "question_model", "question_encoder", "page_encoder", "similarity_model"),
        *(*READERS, *SECOND_PASS),
    ),
    (
        stage_names.SPANS,
        stage_names.TITLES,
        stage_names.TEXT,
        stage_names.QUESTIONS,
        stage_names.QUESTION_RANKING,
        stage_names.SENTENCES,
        stage_names.RELEVANCE,
        stage_names.SIMILARITY,
        stage_names.RANKING,
        stage_names.READING,
        stage_names.COMPARING,
        stage_names.EVIDENCE,
        stage_names.ANSWERS,
        stage_names.VERDICT,
    ),
    esoteric,
    title="As in the thesis",
    what="Asks questions and ranks pages by them.",
    seconds=0.72,
    knobs=Esoteric,
)
