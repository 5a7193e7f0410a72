"""Recipe `careful`: `fast`, with a larger network that reads the best sentences again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from retrieval import stage_names
from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.recipes.declaring import READERS, SECOND_PASS, Recipe
from retrieval.recipes.endings import judging, verdict_over_readings
from retrieval.recipes.fast import fast, found_sentences
from retrieval.settings.declaring import Knobs, setting
from retrieval.stages.verdict import ChooseEvidence


@dataclass(frozen=True)
class Careful(Knobs):
    """Which sentences the larger network reads."""

    recipe: ClassVar[str] = "careful"
    read_sentences: int = setting(5, "Best sentences that the larger network reads again.")
    read_from: float = setting(
        0.0,
        "Least probability of being evidence, after the first pass, at which the larger network reads a third or later "
        "sentence. 0: it reads all.",
    )


def careful(resources: Parts) -> Pipeline:
    """`fast`, then a larger cross-encoder reads the best sentences again; both readings order them and make the
    verdict.

    If a model from the hub reads in place of ours, this is `fast`: no second pass follows that model.
    """
    settings, knobs = resources.settings, Careful.of(resources.settings)
    if resources.chosen().reader() is None:
        return replace(fast(resources), name="careful")
    judged = judging(resources, knobs.read_sentences, knobs.read_from)
    evidence = ChooseEvidence(settings.top_evidence, with_bridges=True)
    verdict = verdict_over_readings(resources, resources.careful_verdict().calibration_error)
    return Pipeline("careful", (*found_sentences(resources), *judged, evidence, *verdict))


RECIPE = Recipe(
    "careful",
    "As fast, but a larger network reads the best sentences again. No key, no GPU.",
    ("span_models", *READERS, *SECOND_PASS),
    (
        stage_names.SPANS,
        stage_names.PAGES,
        stage_names.SENTENCES,
        stage_names.SECOND_HOP,
        stage_names.RANKING,
        stage_names.READING,
        stage_names.COMPARING,
        stage_names.EVIDENCE,
        stage_names.VERDICT,
    ),
    careful,
    calibrated="careful_verdict",
    title="Careful",
    what="Reads the best sentences twice, the second time with a larger network.",
    seconds=0.24,
    knobs=Careful,
)
