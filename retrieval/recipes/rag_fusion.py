"""Recipe `rag_fusion`: Momii et al. at AVeriTeC 2024."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from retrieval import stage_names
from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.protocols import Stage
from retrieval.recipes.answering import OF_QUESTIONS, Answering, answer_sentences, local_questions
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.endings import policy_over_answers, verdict_stages
from retrieval.settings.declaring import setting
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.documents import DocumentSearch
from retrieval.stages.averitec.judges import AnswerJudge
from retrieval.stages.averitec.questions import AskedQuestions, SentenceQuestions
from retrieval.stages.averitec.sufficiency import AskSufficiency
from retrieval.stages.verdict import LocalVerdict


@dataclass(frozen=True)
class RagFusion(Answering):
    """How documents are searched, and who judges."""

    recipe: ClassVar[str] = "rag_fusion"
    pages: int = setting(50, "Pages whose sentences are searched.")
    choice: str = setting(
        "questions",
        "Which sentences are kept: the best of each of the `questions`, as in the paper, or the best in all their "
        "`ranks` together, by reciprocal rank fusion.",
        choices=("questions", "ranks"),
    )
    query: str = setting(
        "questions",
        "What sentences are searched with: `questions`, or the `claim`, in which case a question is asked for each "
        "sentence found.",
        choices=("questions", "claim"),
    )
    example: str = setting(
        "embedding",
        "How the checked claim nearest to a claim is found: by `embedding`, as in the paper, or by `bm25`.",
        choices=("embedding", "bm25"),
    )
    sufficiency: bool = setting(False, "Ask the language model first whether the evidence is enough.")
    verdict: str = setting(
        "llm",
        "Who gives the verdict: `llm` where one is set, else the answers' stances, over a claim's own documents `four`; or "
        "always `four` (one classifier of AVeriTeC's four labels) or `two` (supported or not, refuted or not).",
        choices=("llm", "four", "two"),
    )

    @property
    def classifier(self) -> str:
        """See `Answering`."""
        return "" if self.verdict == "llm" else self.verdict


def rag_fusion(resources: Parts) -> Pipeline:
    """Nearest documents, questions, their nearest sentences, a verdict over the pairs (Momii et al. 2024)."""
    knobs = RagFusion.of(resources.settings)
    found = found_answers(resources, knobs, answer_sentences(resources, knobs))
    return Pipeline("rag_fusion", (*found, *verdict_over_answers(resources, knobs)))


def found_answers(resources: Parts, knobs: RagFusion, answers: AnswerSentences) -> tuple[Stage, ...]:
    """Documents, and sentences of them: searched with questions, or with the claim, and then asked for."""
    settings, chosen, budget = resources.settings, resources.chosen(), resources.budget()
    queries, llm = chosen.question_encoder(), resources.llm_for("questions")
    documents = DocumentSearch(
        resources.store(),
        chosen.page_encoder(),
        knobs.pages,
        queries,
        settings.document_characters,
        knobs.document_matches,
    )
    examples = resources.examples()
    if knobs.example == "embedding" and llm is not None:
        examples = examples.by_embedding(chosen.claim_encoder(), chosen.page_encoder())
    answers = replace(answers, fused=knobs.choice == "ranks")
    if knobs.query == "claim":
        sentences = answers.answers * knobs.questions
        by_claim = replace(answers, by_claim=True, answers=sentences)
        return documents, by_claim, SentenceQuestions(llm, budget)
    by_rule = local_questions(resources, knobs.questions)
    if llm is None:
        return documents, by_rule, answers
    return documents, AskedQuestions(llm, examples, by_rule, knobs.questions, budget=budget), answers


def verdict_over_answers(resources: Parts, knobs: RagFusion) -> tuple[Stage, ...]:
    """The end of a recipe that answers questions: a language model if one is set and wanted, else a local model."""
    llm = resources.llm()
    policy = policy_over_answers(resources, knobs)
    if knobs.verdict != "llm" or llm is None:
        return (LocalVerdict(policy),)
    stages = verdict_stages(resources, policy, AnswerJudge())
    return (AskSufficiency(llm, resources.budget()), *stages) if knobs.sufficiency else stages


RECIPE = Recipe(
    "rag_fusion",
    "Questions, the sentences nearest to each, a verdict over the pairs.",
    OF_QUESTIONS,
    (stage_names.DOCUMENTS, stage_names.QUESTIONS, stage_names.ANSWERS, stage_names.VERDICT),
    rag_fusion,
    ("questions", "sentence_questions", "sufficiency", "judgement"),
    ("questions",),
    title="By questions",
    what="Asks about the claim and weighs the answers.",
    seconds=3.3,
    knobs=RagFusion,
)
