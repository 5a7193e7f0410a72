"""Recipe `fast`: titles and BM25, one small network, a second hop."""

from __future__ import annotations

from retrieval import stage_names
from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.recipes.declaring import READERS, Recipe
from retrieval.recipes.endings import comparing, verdict_over_sentences
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.ranking import RankSentences
from retrieval.stages.search import PageSearch
from retrieval.stages.sentences import SecondHop, SentenceScores
from retrieval.stages.verdict import ChooseEvidence


def fast(resources: Parts) -> Pipeline:
    """Titles and BM25, one cross-encoder over the likely sentences, a second hop, a calibrated local verdict."""
    evidence = ChooseEvidence(resources.settings.top_evidence)
    verdict = verdict_over_sentences(resources, resources.verdict_model().calibration_error)
    return Pipeline("fast", (*ranked_sentences(resources), comparing(), evidence, *verdict))


def ranked_sentences(resources: Parts) -> tuple[Stage, ...]:
    """The stages from the claim to a ranking of all sentences that may decide it."""
    return *found_sentences(resources), RankSentences(resources.sentence_ranker())


def found_sentences(resources: Parts) -> tuple[Stage, ...]:
    """The stages of `ranked_sentences` before the ranking."""
    settings, store, chosen = resources.settings, resources.store(), resources.chosen()
    scorer, language = chosen.pair_scorer(), resources.language()
    return (
        ClaimSpans(chosen.spans()),
        PageSearch(store, settings.top_pages, resources.vocabulary(), language),
        SentenceScores(scorer, settings.top_sentences, language),
        SecondHop(store, scorer, language),
    )


RECIPE = Recipe(
    "fast",
    "Page titles and BM25, one small cross-encoder, a second hop, a local verdict. No key, no GPU.",
    ("span_models", *READERS, "ranker", "verdict"),
    (
        stage_names.SPANS,
        stage_names.PAGES,
        stage_names.SENTENCES,
        stage_names.SECOND_HOP,
        stage_names.RANKING,
        stage_names.COMPARING,
        stage_names.EVIDENCE,
        stage_names.VERDICT,
    ),
    fast,
    calibrated="verdict",
    title="Quick",
    what="Reads the likeliest sentences once.",
    seconds=0.11,
)
