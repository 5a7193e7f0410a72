"""How recipes end: the verdict over sentences, over answers or over chunks, by a local model or by a language model."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from retrieval.parts import Parts
from retrieval.protocols import PairScorer, Stage
from retrieval.recipes.answering import Answering
from retrieval.settings import Settings
from retrieval.stages.judge import Judge, SentenceJudge
from retrieval.stages.llm_verdict import AskModel, ModelVerdict
from retrieval.stages.verdict import LocalVerdict
from retrieval.stores.knowledge_file import KnowledgeFile
from retrieval.verdicts.conflict import TwoSides
from retrieval.verdicts.local import AllSentences, BestSentences, StanceClassifier
from retrieval.verdicts.policy import Policy, VerdictModel


def policy_over_answers(resources: Parts, knobs: Answering) -> Policy:
    """The policy over answers. AVeriTeC's classifier of four labels judges documents collected for the claim: it learned
    from such documents, and how often their claims are false. Pages are judged by the answers' stances, as elsewhere.

    The classifier judges by more than stances, so its verdict needs no sentence of its side.
    """
    settings = resources.settings
    if judged_by_four_labels(settings, knobs, isinstance(resources.store(), KnowledgeFile)):
        kind: Literal["four", "two"] = "two" if knobs.classifier == "two" else "four"
        model: VerdictModel = AllSentences(resources.four_labels(kind), resources.encoder())
        two_sides = cast(TwoSides, knobs.two_sides)
        return replace(policy_of(resources, model, knobs.pairs), side_from=0.0, two_sides=two_sides)
    scorer = resources.chosen().answer_scorer()
    stances = _best_sentences(resources, resources.verdict_model(), None, scorer)
    return policy_of(resources, replace(stances, by_weight=True), knobs.pairs)


def judged_by_four_labels(settings: Settings, knobs: Answering, collected: bool) -> bool:
    """Whether AVeriTeC's classifier judges what a recipe of questions finds. collected: in documents of the claim's own."""
    return settings.noncommercial_weights and (collected or bool(knobs.classifier))


def verdict_over_sentences(resources: Parts, calibration_error: float | None) -> tuple[Stage, ...]:
    """The end of a recipe that chooses sentences. calibration_error: of the model as the recipe uses it, where measured."""
    top_k = resources.settings.top_evidence
    model = _best_sentences(resources, resources.verdict_model(), calibration_error)
    return verdict_stages(resources, policy_of(resources, model, top_k), SentenceJudge(top_k))


def verdict_over_readings(resources: Parts, calibration_error: float | None) -> tuple[Stage, ...]:
    """The end of a recipe whose best sentences the reader has read again. calibration_error: see above."""
    top_k, second = resources.settings.top_evidence, resources.chosen().answer_scorer()
    model = _best_sentences(resources, resources.careful_verdict(), calibration_error, second)
    return verdict_stages(resources, policy_of(resources, model, top_k), SentenceJudge(top_k))


def _best_sentences(
    resources: Parts,
    classifier: StanceClassifier,
    calibration_error: float | None,
    second: PairScorer | None = None,
) -> BestSentences:
    top_k, chosen = resources.settings.top_evidence, resources.chosen()
    measured = calibration_error if chosen.reads_by_ours() else None
    return BestSentences(classifier, chosen.pair_scorer(), top_k, measured, second)


def verdict_stages(resources: Parts, policy: Policy, judge: Judge) -> tuple[Stage, ...]:
    """The end of every recipe: the local verdict alone, or a language model's with the local one behind it."""
    settings, llm = resources.settings, resources.llm()
    if llm is None:
        return (LocalVerdict(policy),)
    budget = resources.budget()
    verdict = ModelVerdict(llm, judge, policy, budget, grounding=settings.llm_grounding)
    return AskModel(llm, judge, budget), verdict


def policy_of(resources: Parts, model: VerdictModel, top_k: int) -> Policy:
    """The settings' policy over this local model. top_k: most sentences that a verdict may rest on."""
    settings = resources.settings
    return Policy(
        model,
        top_k,
        settings.conflicting_from,
        settings.abstain_below,
        settings.lean_below,
        settings.side_from,
    )
