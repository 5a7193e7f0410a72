"""The pipelines, one function each. `RECIPES` is the list that every face of the program offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.errors import RecipeError
from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.llm_verdict import LLMReplyStage, LLMVerdictStage
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
            PageSearch(store, settings.top_pages),
            SentenceScores(scorer, settings.top_sentences),
            SecondHop(store, scorer),
            ChooseEvidence(settings.top_evidence),
            *verdict_stages(resources),
        ),
    )


def verdict_stages(resources: Resources) -> tuple[Stage, ...]:
    """The end of a recipe: the local verdict alone, or a language model before it where one is set."""
    settings, llm = resources.settings, resources.llm()
    local = LocalVerdictStage(
        resources.verdict_model(),
        settings.top_evidence,
        conflicting_from=settings.conflicting_from,
        abstain_below=settings.abstain_below,
    )
    if llm is None:
        return (local,)
    return LLMReplyStage(llm, resources.budget()), LLMVerdictStage(llm, local, abstain_below=settings.abstain_below)


@dataclass(frozen=True)
class Recipe:
    """A pipeline that can be chosen by name. roles: the models it needs, as `models/catalogue.py` calls them. stages: in order of flow.

    Where a language model is set, its reply comes as a stage of its own before the verdict.
    """

    name: str
    summary: str
    roles: tuple[str, ...]
    stages: tuple[str, ...]
    build: Callable[[Resources], Pipeline]


RECIPES = {
    "fast": Recipe(
        "fast",
        "Page titles and BM25, one small cross-encoder, a second hop, a local verdict. No key, no GPU.",
        ("spans", "cross_encoder", "verdict"),
        ("spans", "pages", "sentences", "second hop", "evidence", "verdict"),
        fast,
    )
}


def find_recipe(name: str) -> Recipe:
    """Raises RecipeError, naming those there are, where there is none of this name."""
    if name not in RECIPES:
        raise RecipeError(f"There is no recipe named {name[:40]!r}. Choose one of: {', '.join(RECIPES)}.")
    return RECIPES[name]
