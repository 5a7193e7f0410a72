"""The last stages of recipes: a local model's or a language model's verdict over sentences, answers or chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from retrieval.parts import Parts
from retrieval.protocols import PairScorer, Stage
from retrieval.recipes.answering import Answering, is_collected, judged_again, judged_by_four_labels
from retrieval.roles import reads_by_ours
from retrieval.stages.judge import Judge, SentenceJudge
from retrieval.stages.llm_verdict import AskModel, ModelVerdict
from retrieval.stages.ranking import RankSentences
from retrieval.stages.reading_again import ReadAgain
from retrieval.stages.verdict import EvidenceAgain, LocalVerdict
from retrieval.verdicts.conflict import TwoSides
from retrieval.verdicts.local import AllSentences, BestSentences, StanceClassifier
from retrieval.verdicts.policy import Policy, VerdictModel

READ_AGAIN = 5  # best sentences that the reader reads


def verdict_by_answers(resources: Parts, knobs: Answering) -> tuple[Stage, ...]:
    """The end of a recipe that asks questions, without a language model. `careful`'s models judge answers from pages."""
    verdict = LocalVerdict(policy_over_answers(resources, knobs))
    if not judged_again(resources, knobs):
        return (verdict,)
    return *judging(resources), EvidenceAgain(resources.settings.top_evidence), verdict


def judging(resources: Parts, most: int = READ_AGAIN, least: float = 0.0) -> tuple[Stage, ...]:
    """The stages by which `careful` judges sentences, for any recipe: rank them, read the best again, compare by rule.
    If a hub model reads in place of ours, only the rules apply. most, least: see `ReadAgain`.
    """
    reader = resources.chosen().reader()
    if reader is None:
        return (comparing(),)
    again = ReadAgain(reader, resources.joined_reading(), most, least)
    return RankSentences(resources.sentence_ranker()), again, comparing(reader)


def comparing(reader: PairScorer | None = None) -> Stage:
    """The stage that compares by rule. It is imported on use, because it compiles patterns that a process which only
    serves pages never needs.
    """
    from retrieval.stages.comparing.deciding import CompareThings

    return CompareThings(reader)


def policy_over_answers(resources: Parts, knobs: Answering) -> Policy:
    """The policy over answers. AVeriTeC's four-label classifier judges documents collected for the claim, because it
    learned from such documents, and from how often their claims are false. Answers from pages are judged as in
    `careful`.

    The classifier judges by more than stances, so its verdict needs no sentence on its side.
    """
    settings, chosen = resources.settings, resources.chosen()
    if judged_by_four_labels(settings, knobs, is_collected(resources)):
        kind: Literal["four", "two"] = "two" if knobs.classifier == "two" else "four"
        model: VerdictModel = AllSentences(resources.four_labels(kind), resources.encoder())
        two_sides = cast(TwoSides, knobs.two_sides)
        return replace(policy_of(resources, model, knobs.pairs), side_from=0.0, two_sides=two_sides)
    classifier = resources.careful_verdict() if chosen.reader() else resources.verdict_model()
    stances = _best_sentences(resources, classifier, None, chosen.answer_scorer())
    return policy_of(resources, replace(stances, by_weight=True), knobs.pairs + settings.top_evidence)


def verdict_over_sentences(resources: Parts, calibration_error: float | None) -> tuple[Stage, ...]:
    """The end of a recipe that chooses sentences. calibration_error: of its verdict model on this evidence; None if not
    measured.
    """
    top_k = resources.settings.top_evidence
    model = _best_sentences(resources, resources.verdict_model(), calibration_error)
    return verdict_stages(resources, policy_of(resources, model, top_k), SentenceJudge(top_k))


def verdict_over_readings(resources: Parts, calibration_error: float | None) -> tuple[Stage, ...]:
    """The end of a recipe whose best sentences the reader has read again. calibration_error: as for
    `verdict_over_sentences`.
    """
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
    measured = calibration_error if reads_by_ours(resources.settings) else None
    return BestSentences(classifier, chosen.pair_scorer(), top_k, measured, second)


def verdict_stages(resources: Parts, policy: Policy, judge: Judge) -> tuple[Stage, ...]:
    """The last stages of every recipe: the local verdict alone, or a language model's with the local one as fallback."""
    settings, llm = resources.settings, resources.llm()
    if llm is None:
        return (LocalVerdict(policy),)
    budget = resources.budget()
    verdict = ModelVerdict(llm, judge, policy, budget, grounding=settings.llm_grounding)
    return AskModel(llm, judge, budget), verdict


def policy_of(resources: Parts, model: VerdictModel, top_k: int) -> Policy:
    """A policy with the settings' limits over this local model. top_k: most sentences that a verdict may rest on."""
    settings = resources.settings
    return Policy(
        model,
        top_k,
        settings.conflicting_from,
        settings.abstain_below,
        settings.lean_below,
        settings.side_from,
    )
