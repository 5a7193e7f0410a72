"""The last stages of recipes: sentences are judged, and a local model or a language model gives the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from retrieval.parts import Parts
from retrieval.protocols import PairScorer, Stage
from retrieval.recipes.answering import Answering, judged_again, judged_by_four_labels
from retrieval.recipes.declaring import Stages
from retrieval.roles import reads_by_ours
from retrieval.stage_names import COMPARING, EVIDENCE, RANKING, READING
from retrieval.stages.judge import Judge, SentenceJudge
from retrieval.stages.llm_verdict import AskModel, ModelVerdict
from retrieval.stages.reading_again import ReadAgain
from retrieval.stages.sentences import RankSentences
from retrieval.stages.verdict import EvidenceAgain, LocalVerdict
from retrieval.verdicts.conflict import TwoSides
from retrieval.verdicts.local import AllSentences, BestSentences, StanceClassifier
from retrieval.verdicts.policy import Policy, VerdictModel


def ranked_to_read(parts: Parts) -> Stage | None:
    """The ranking before the second pass; None without a second pass."""
    return RankSentences(parts.sentence_ranker()) if parts.chosen().reader() else None


def read_again(parts: Parts, most: int = 5, least: float = 0.0) -> Stage | None:
    """The second pass; None if a model from the hub reads in place of ours. most, least: see `ReadAgain`."""
    reader = parts.chosen().reader()
    return ReadAgain(reader, parts.joined_reading(), most, least) if reader else None


def comparing(reader: PairScorer | None = None) -> Stage:
    """The stage that compares by rule."""
    from retrieval.stages.comparing.deciding import CompareThings  # on use, because it compiles many patterns

    return CompareThings(reader)


# How `careful`'s models judge answers from pages, if they give the verdict.
JUDGED_AGAIN: Stages = {
    RANKING: lambda parts, knobs: ranked_to_read(parts) if judged_again(parts, knobs) else None,
    READING: lambda parts, knobs: read_again(parts) if judged_again(parts, knobs) else None,
    COMPARING: lambda parts, knobs: comparing(parts.chosen().reader()) if judged_again(parts, knobs) else None,
    EVIDENCE: lambda parts, knobs: EvidenceAgain(parts.settings.top_evidence) if judged_again(parts, knobs) else None,
}


def policy_over_answers(parts: Parts, knobs: Answering) -> Policy:
    """The policy over answers: AVeriTeC's classifier for documents collected for the claim, from which it learned, and
    `careful`'s models for pages. The classifier judges by more than stances, so it needs no sentence on its side.
    """
    settings, chosen = parts.settings, parts.chosen()
    if judged_by_four_labels(parts, knobs):
        kind: Literal["four", "two"] = "two" if knobs.classifier == "two" else "four"
        model = AllSentences(parts.four_labels(kind), parts.encoder())
        two_sides = cast(TwoSides, knobs.two_sides)
        return replace(_policy(parts, model, knobs.pairs), side_from=0.0, two_sides=two_sides)
    classifier = parts.careful_verdict() if chosen.reader() else parts.verdict_model()
    stances = _best_sentences(parts, classifier, False, chosen.answer_scorer())
    return _policy(parts, replace(stances, by_weight=True), knobs.pairs + settings.top_evidence)


def verdict_over_sentences(parts: Parts, calibrated: bool, again: bool = False) -> tuple[Stage, ...]:
    """The end of a recipe that chooses sentences. calibrated: whether calibration was measured on its evidence. again:
    whether the reader, if there is one, has read the best of them again.
    """
    chosen, top_k = parts.chosen(), parts.settings.top_evidence
    again = again and chosen.reader() is not None
    classifier = parts.careful_verdict() if again else parts.verdict_model()
    model = _best_sentences(parts, classifier, calibrated, chosen.answer_scorer() if again else None)
    return verdict_stages(parts, _policy(parts, model, top_k), SentenceJudge(top_k))


def _best_sentences(
    parts: Parts, classifier: StanceClassifier, calibrated: bool, second: PairScorer | None = None
) -> BestSentences:
    error = classifier.calibration_error if calibrated and reads_by_ours(parts.settings) else None
    return BestSentences(classifier, parts.chosen().pair_scorer(), parts.settings.top_evidence, error, second)


def verdict_stages(parts: Parts, policy: Policy, judge: Judge) -> tuple[Stage, ...]:
    """The last stages of every recipe: `verdict_stage`, after the question to the language model if one is set."""
    llm, verdict = parts.llm(), verdict_stage(parts, policy, judge)
    return (verdict,) if llm is None else (AskModel(llm, judge, parts.budget()), verdict)


def verdict_stage(parts: Parts, policy: Policy, judge: Judge) -> Stage:
    """The local verdict alone, or a language model's with the local one as fallback."""
    llm = parts.llm()
    if llm is None:
        return LocalVerdict(policy)
    return ModelVerdict(llm, judge, policy, parts.budget(), grounding=parts.settings.llm_grounding)


def _policy(parts: Parts, model: VerdictModel, top_k: int) -> Policy:
    """A policy with the settings' limits over this local model. top_k: most sentences that a verdict may rest on."""
    limits = parts.settings
    return Policy(model, top_k, limits.conflicting_from, limits.abstain_below, limits.lean_below, limits.side_from)
