"""Measures the verdict alone, on the questions and answers that people wrote, without the influence of search."""

from __future__ import annotations

from typing import Literal

from evaluation.averitec.data import GoldClaim
from retrieval.models.pair_scorers import judge_texts
from retrieval.recipes.declaring import make
from retrieval.recipes.rag_fusion import JUDGED, RagFusion
from retrieval.resources import Resources
from retrieval.stores.knowledge_file import KnowledgeFile
from retrieval.text.sentences import read_together
from retrieval.types import Claim, Evidence, FactCheck, QuestionAnswer, Sentence, Stance, Verdict

GOLD = "gold"  # instead of a recipe


def tuned_recipe(recipe: str) -> str:
    """The recipe whose knobs and last stages are used: rag_fusion's on gold answers."""
    return "rag_fusion" if recipe == GOLD else recipe


def judge_gold(resources: Resources, claim: GoldClaim) -> FactCheck:
    """The verdict of the classifiers, or of a language model if one is set and rag_fusion's knob `verdict` asks for it."""
    knobs = RagFusion.of(resources.settings)
    if resources.llm() is not None and knobs.by_model:
        return _by_model(resources, claim)
    kind: Literal["four", "two"] = "two" if knobs.classifier == "two" else "four"
    model, scorer = resources.four_labels(kind), resources.chosen().pair_scorer()
    texts = [read_together([f"{question} : {answer}"]) for question, answer in claim.answers]
    found = model.probabilities(claim.text, claim.answers, *judge_texts(scorer, claim.text, texts), resources.encoder())
    label = max(found, key=lambda name: found[name])
    questions = tuple(QuestionAnswer(question, answer) for question, answer in claim.answers)
    verdict = Verdict(label, found, "On the questions and answers that people wrote.", model.id)
    return FactCheck(Claim(claim.id, claim.text), GOLD, questions=questions, verdict=verdict)


def _by_model(resources: Resources, claim: GoldClaim) -> FactCheck:
    """The last stages of the recipes, over these answers; each answer counts as a separate page."""
    answers = [answer for _, answer in claim.answers]
    scored = zip(answers, *judge_texts(resources.chosen().answer_scorer(), claim.text, answers), strict=True)
    evidence = tuple(_evidence(number, *one) for number, one in enumerate(scored, 1))
    pairs = tuple(QuestionAnswer(*pair, (number,)) for number, pair in enumerate(claim.answers, 1))
    check = FactCheck(Claim(claim.id, claim.text), GOLD, questions=pairs, sentences=evidence, evidence=evidence)
    for stage in make(JUDGED, resources.over(KnowledgeFile([], GOLD)), RagFusion.of(resources.settings)):
        for progress in stage.run(check):
            check = progress.check
    return check


def _evidence(number: int, text: str, relevance: float, stance: Stance) -> Evidence:
    return Evidence(Sentence(f"answer {number}", "", 0, 0, len(text), text), relevance, stance, "question")
