"""How recipes end: the verdict over sentences, over answers or over chunks, by a local model or by a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from retrieval.protocols import PairScorer, Stage
from retrieval.stages.averitec.judges import AnswerJudge
from retrieval.stages.averitec.sufficiency import AskSufficiency
from retrieval.stages.judge import Judge, SentenceJudge
from retrieval.stages.llm_verdict import AskModel, ModelVerdict
from retrieval.stages.verdict import LocalVerdict
from retrieval.verdicts.local import AllSentences, BestSentences, StanceClassifier
from retrieval.verdicts.policy import Policy, VerdictModel

if TYPE_CHECKING:
    from retrieval.resources import Resources


def verdict_over_answers(resources: Resources) -> tuple[Stage, ...]:
    """The end of a recipe that answers questions: a language model if one is set and wanted, else a classifier."""
    settings, llm = resources.settings, resources.llm()
    model = four_labels_model(resources, "two" if settings.fusion_verdict == "two" else "four")
    if settings.fusion_verdict != "llm" or llm is None:
        return (LocalVerdict(policy_of(resources, model, settings.fusion_pairs)),)
    stages = verdict_stages(resources, model, AnswerJudge(), settings.fusion_pairs)
    return (AskSufficiency(llm, resources.budget()), *stages) if settings.fusion_sufficiency else stages


def verdict_over_sentences(resources: Resources, calibration_error: float | None) -> tuple[Stage, ...]:
    """The end of a recipe that chooses sentences. calibration_error: of the model as the recipe uses it, where measured."""
    top_k = resources.settings.top_evidence
    model = _best_sentences(resources, resources.verdict_model(), calibration_error)
    return verdict_stages(resources, model, SentenceJudge(top_k), top_k)


def verdict_over_readings(resources: Resources) -> tuple[Stage, ...]:
    """The end of a recipe whose best sentences the reader has read again."""
    top_k, classifier = resources.settings.top_evidence, resources.careful_verdict()
    model = _best_sentences(resources, classifier, classifier.calibration_error, resources.chosen().answer_scorer())
    return verdict_stages(resources, model, SentenceJudge(top_k), top_k)


def _best_sentences(
    resources: Resources,
    classifier: StanceClassifier,
    calibration_error: float | None,
    second: PairScorer | None = None,
) -> VerdictModel:
    top_k, chosen = resources.settings.top_evidence, resources.chosen()
    measured = calibration_error if chosen.reads_by_ours() else None
    return BestSentences(classifier, chosen.pair_scorer(), top_k, measured, second)


def verdict_stages(resources: Resources, model: VerdictModel, judge: Judge, top_k: int) -> tuple[Stage, ...]:
    """The end of every recipe: the local verdict alone, or a language model's with the local one behind it.

    top_k: most sentences that a verdict may rest on.
    """
    settings, llm, policy = resources.settings, resources.llm(), policy_of(resources, model, top_k)
    if llm is None:
        return (LocalVerdict(policy),)
    budget = resources.budget()
    verdict = ModelVerdict(llm, judge, policy, budget, grounding=settings.llm_grounding)
    return AskModel(llm, judge, budget), verdict


def policy_of(resources: Resources, model: VerdictModel, top_k: int) -> Policy:
    """The settings' policy over this local model."""
    settings = resources.settings
    return Policy(model, top_k, settings.conflicting_from, settings.abstain_below)


def four_labels_model(resources: Resources, kind: Literal["four", "two"]) -> VerdictModel:
    """The classifier of AVeriTeC's four labels, or, without weights for non-commercial use, the one of `fast`."""
    if not resources.settings.noncommercial_weights:
        return _best_sentences(resources, resources.verdict_model(), None)
    return AllSentences(resources.four_labels(kind), resources.encoder())
