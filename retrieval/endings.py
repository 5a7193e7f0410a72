"""How recipes end: the verdict over sentences, over answers or over chunks, by a local model or by a language model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from retrieval.llm.prompts.judgement import Doubt, Prompt
from retrieval.protocols import PairScorer, Stage
from retrieval.settings import Settings
from retrieval.settings.of_recipes import FUSION
from retrieval.stages.averitec.judges import AnswerJudge, SideJudge, TwoSidesJudge
from retrieval.stages.averitec.sufficiency import AskSufficiency
from retrieval.stages.judge import Judge, SentenceJudge
from retrieval.stages.llm_verdict import AskModel, ModelVerdict
from retrieval.stages.verdict import LocalVerdict
from retrieval.stores.knowledge_file import KnowledgeFile
from retrieval.verdicts.local import AllSentences, BestSentences, StanceClassifier
from retrieval.verdicts.policy import Policy, VerdictModel

if TYPE_CHECKING:
    from retrieval.resources import Resources


def verdict_over_answers(resources: Resources, apart: bool = False) -> tuple[Stage, ...]:
    """The end of a recipe that answers questions: a language model if one is set and wanted, else a local model.

    apart: a language model is shown contexts apart from their sentences.
    """
    settings, llm = resources.settings, resources.llm()
    policy = policy_over_answers(resources, FUSION[0], kind_of(settings))
    if settings.fusion_verdict not in ("llm", "llm_two") or llm is None:
        return (LocalVerdict(policy),)
    budget = resources.budget()
    if settings.fusion_verdict == "llm_two":
        second = TwoSidesJudge(apart=apart)
        return (
            AskModel(llm, SideJudge(apart=apart), budget),
            AskModel(llm, second, budget),
            ModelVerdict(llm, second, policy, budget),
        )
    asked = (cast(Prompt, settings.fusion_prompt), cast(Doubt, settings.fusion_doubt))
    stages = verdict_stages(resources, policy, AnswerJudge(*asked, settings.fusion_answers, apart))
    return (AskSufficiency(llm, budget), *stages) if settings.fusion_sufficiency else stages


def kind_of(settings: Settings) -> Literal["four", "two"]:
    """Which of AVeriTeC's classifiers FUSION_VERDICT names: the one of four labels, or the two of two labels."""
    return "two" if settings.fusion_verdict in ("two", "llm_two") else "four"


def policy_over_answers(resources: Resources, recipe: str, kind: Literal["four", "two"] = "four") -> Policy:
    """Over answers. Documents collected for the claim are judged by the classifier of AVeriTeC's four labels, which learned
    from such documents, and how often their claims are false; pages by the stances of the answers, as in other recipes.

    The classifier judges by more than stances, so its verdict needs no sentence of its side.
    """
    settings = resources.settings
    if judged_by_four_labels(settings, recipe, isinstance(resources.store(), KnowledgeFile)):
        model: VerdictModel = AllSentences(resources.four_labels(kind), resources.encoder())
        return replace(policy_of(resources, model, settings.fusion_pairs), side_from=0.0)
    scorer = resources.chosen().answer_scorer()
    stances = _best_sentences(resources, resources.verdict_model(), None, scorer)
    return policy_of(resources, replace(stances, by_weight=True), settings.fusion_pairs)


def judged_by_four_labels(settings: Settings, recipe: str, collected: bool) -> bool:
    """Whether AVeriTeC's classifier judges what a recipe of questions finds. collected: in documents of the claim's own."""
    asked_for = recipe in FUSION and settings.fusion_verdict != "llm"
    return settings.noncommercial_weights and (collected or asked_for)


def verdict_over_sentences(resources: Resources, calibration_error: float | None) -> tuple[Stage, ...]:
    """The end of a recipe that chooses sentences. calibration_error: of the model as the recipe uses it, where measured."""
    top_k = resources.settings.top_evidence
    model = _best_sentences(resources, resources.verdict_model(), calibration_error)
    return verdict_stages(resources, policy_of(resources, model, top_k), SentenceJudge(top_k))


def verdict_over_readings(resources: Resources) -> tuple[Stage, ...]:
    """The end of a recipe whose best sentences the reader has read again."""
    top_k, classifier = resources.settings.top_evidence, resources.careful_verdict()
    model = _best_sentences(resources, classifier, classifier.calibration_error, resources.chosen().answer_scorer())
    return verdict_stages(resources, policy_of(resources, model, top_k), SentenceJudge(top_k))


def _best_sentences(
    resources: Resources,
    classifier: StanceClassifier,
    calibration_error: float | None,
    second: PairScorer | None = None,
) -> BestSentences:
    top_k, chosen = resources.settings.top_evidence, resources.chosen()
    measured = calibration_error if chosen.reads_by_ours() else None
    return BestSentences(classifier, chosen.pair_scorer(), top_k, measured, second)


def verdict_stages(resources: Resources, policy: Policy, judge: Judge) -> tuple[Stage, ...]:
    """The end of every recipe: the local verdict alone, or a language model's with the local one behind it."""
    settings, llm = resources.settings, resources.llm()
    if llm is None:
        return (LocalVerdict(policy),)
    budget = resources.budget()
    verdict = ModelVerdict(llm, judge, policy, budget, grounding=settings.llm_grounding)
    return AskModel(llm, judge, budget), verdict


def policy_of(resources: Resources, model: VerdictModel, top_k: int) -> Policy:
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
