"""Recipe `careful`: as `fast`, and a larger network reads the best sentences again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.pipeline import Pipeline
from retrieval.recipes.declaring import READERS, Recipe
from retrieval.recipes.endings import verdict_over_readings
from retrieval.recipes.fast import fast, ranked_sentences
from retrieval.stages.reading_again import ReadAgain
from retrieval.stages.verdict import ChooseEvidence

if TYPE_CHECKING:
    from retrieval.resources import Resources


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


RECIPE = Recipe(
    "careful",
    "As fast, but a larger network reads the best sentences again. No key, no GPU.",
    ("span_models", *READERS, "ranker", "reader", "reading", "careful_verdict"),
    ("spans", "pages", "sentences", "second hop", "ranking", "reading", "evidence", "verdict"),
    careful,
    calibrated="careful_verdict",
    title="Careful",
    what="Reads the best sentences twice, the second time with a larger network.",
    seconds=0.24,
)
