"""What recipes `rag_fusion` and `contextual` share: how they search for answers, and the verdict over these."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from retrieval.llm.prompts.judgement import NAMES, Doubt, Prompt
from retrieval.parts import Parts
from retrieval.protocols import Stage
from retrieval.recipes.answering import Answering, local_questions
from retrieval.recipes.endings import policy_over_answers, verdict_by_answers, verdict_stages
from retrieval.settings.declaring import setting
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.documents import DocumentSearch
from retrieval.stages.averitec.judges import AnswerJudge, SideJudge, TwoSidesJudge
from retrieval.stages.averitec.questions import AskedQuestions, SentenceQuestions
from retrieval.stages.averitec.sufficiency import AskSufficiency
from retrieval.stages.llm_verdict import AskModel, ModelVerdict

JUDGEMENTS = (*NAMES.values(), "side")  # prompts for a verdict over answers; knobs choose one


@dataclass(frozen=True)
class Fusion(Answering):
    """How documents are searched, and which model judges."""

    pages: int = setting(50, "Pages whose sentences are searched.")
    choice: str = setting(
        "questions",
        "Which sentences are kept: the best of each of the `questions`, as in the paper, or the best in all their "
        "`ranks` together, by reciprocal rank fusion.",
        choices=("questions", "ranks"),
    )
    documents: str = setting(
        "claim",
        "The query for documents: the `claim`, as in the paper, or the `questions`, an equal share for each.",
        choices=("claim", "questions"),
    )
    query: str = setting(
        "questions",
        "The query for sentences: the `questions`; the `claim`, after which a question is asked for each sentence "
        "found; or the claim's words (`bm25`).",
        choices=("questions", "claim", "bm25"),
    )
    prompt: str = setting(
        "own",
        "The prompt for a language model's verdict: our `own`, or, in our words, the paper's prompt `c` (questions, "
        "each with its sentences) or `d` (evidence alone).",
        choices=("own", "c", "d"),
    )
    doubt: str = setting(
        "reason",
        "When doubt means Refuted: at the `slightest` possibility that the claim is wrong, as in the paper; if the "
        "evidence gives a `reason` for it, however slight; or `none`, without such a rule.",
        choices=("slightest", "reason", "none"),
    )
    example: str = setting(
        "embedding",
        "How to find the checked claim nearest to a claim: by `embedding`, as in the paper, or by `bm25`.",
        choices=("embedding", "bm25"),
    )
    sufficiency: bool = setting(False, "Ask the language model first whether the evidence is enough.")
    verdict: str = setting(
        "llm",
        "What gives the verdict. `llm`: a language model; if none is set, the models of `careful`, or `four` over a claim's own "
        "documents. `four`: one classifier of AVeriTeC's four labels. `two`: one for supported or not, one for refuted or not. "
        "`llm_two`: a language model, asked these two questions; if none is set, `two`.",
        choices=("llm", "four", "two", "llm_two"),
    )

    @property
    def classifier(self) -> str:
        """See `Answering`."""
        return {"llm": "", "llm_two": "two"}.get(self.verdict, self.verdict)

    @property
    def by_model(self) -> bool:
        """See `Answering`."""
        return self.verdict in ("llm", "llm_two")


def found_answers(resources: Parts, knobs: Fusion, answers: AnswerSentences) -> tuple[Stage, ...]:
    """The stages that find documents and sentences in them, with questions, or with the claim and questions asked
    afterwards.
    """
    settings, chosen, budget = resources.settings, resources.chosen(), resources.budget()
    queries, llm = chosen.question_encoder(), resources.llm_for("questions")
    documents = DocumentSearch(
        resources.store(),
        chosen.page_encoder(),
        knobs.pages,
        queries,
        settings.document_characters,
        knobs.document_matches,
        by_questions=knobs.documents == "questions",
    )
    examples = resources.examples()
    if knobs.example == "embedding" and llm is not None:
        examples = examples.by_embedding(chosen.claim_encoder(), chosen.page_encoder())
    answers = replace(answers, fused=knobs.choice == "ranks")
    questions = local_questions(resources, knobs.questions)
    if llm is not None:
        questions = AskedQuestions(llm, examples, questions, knobs.questions, budget=budget)
    by_questions = (questions, documents) if documents.by_questions else (documents, questions)
    if knobs.query == "questions":
        return *by_questions, answers
    sentences = answers.answers * knobs.questions
    by_claim = replace(answers, by_claim=True, by_words=knobs.query == "bm25", answers=sentences)
    first = by_questions if documents.by_questions else (documents,)
    return *first, by_claim, SentenceQuestions(llm, budget)


def verdict_over_answers(resources: Parts, knobs: Fusion, apart: bool = False) -> tuple[Stage, ...]:
    """The end of a recipe that answers questions: a language model if one is set and wanted, else a local model.

    apart: whether to show a language model contexts separately from their sentences.
    """
    llm, budget = resources.llm(), resources.budget()
    if not knobs.by_model or llm is None:
        return verdict_by_answers(resources, knobs)
    policy = policy_over_answers(resources, knobs)
    if knobs.verdict == "llm_two":
        second = TwoSidesJudge(apart=apart)
        return (
            AskModel(llm, SideJudge(apart=apart), budget),
            AskModel(llm, second, budget),
            ModelVerdict(llm, second, policy, budget),
        )
    asked = (cast(Prompt, knobs.prompt), cast(Doubt, knobs.doubt))
    stages = verdict_stages(resources, policy, AnswerJudge(*asked, knobs.answers, apart))
    return (AskSufficiency(llm, budget), *stages) if knobs.sufficiency else stages
