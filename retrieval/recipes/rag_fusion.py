"""Recipe `rag_fusion` (Momii et al. at AVeriTeC 2024): nearest documents, questions, their nearest sentences, a verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, cast

from retrieval.llm.prompts.judgement import NAMES, Doubt, Prompt
from retrieval.parts import Parts
from retrieval.protocols import Stage
from retrieval.recipes.answering import OF_QUESTIONS, Answering, answer_sentences, local_questions
from retrieval.recipes.declaring import Recipe, Stages
from retrieval.recipes.endings import JUDGED_AGAIN, policy_over_answers, verdict_stages
from retrieval.settings.declaring import setting
from retrieval.stage_names import ANSWERS, DOCUMENTS, QUESTIONS, VERDICT
from retrieval.stages.averitec.answers import AnswerSentences
from retrieval.stages.averitec.documents import DocumentSearch
from retrieval.stages.averitec.judges import AnswerJudge, AskSufficiency, SideJudge, TwoSidesJudge
from retrieval.stages.averitec.questions import AskedQuestions, SentenceQuestions
from retrieval.stages.llm_verdict import AskModel, ModelVerdict
from retrieval.stages.verdict import LocalVerdict

JUDGEMENTS = (*NAMES.values(), "side")  # prompts for a verdict over answers; knobs choose one


@dataclass(frozen=True)
class RagFusion(Answering):
    """How documents are searched, and which model judges."""

    recipe: ClassVar[str] = "rag_fusion"

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

    @property
    def apart(self) -> bool:
        """Whether a language model is shown contexts separately from their sentences."""
        return False


def _asked(parts: Parts, knobs: RagFusion) -> Stage:
    """Questions about the claim, by a language model if one is set."""
    chosen, llm = parts.chosen(), parts.llm_for("questions")
    questions = local_questions(parts, knobs.questions)
    if llm is None:
        return questions
    examples = parts.examples()
    if knobs.example == "embedding":
        examples = examples.by_embedding(chosen.claim_encoder(), chosen.page_encoder())
    return AskedQuestions(llm, examples, questions, knobs.questions, budget=parts.budget())


def _documents(parts: Parts, knobs: RagFusion) -> tuple[Stage, ...]:
    """The search for documents, after the questions if it uses them."""
    chosen, by_questions = parts.chosen(), knobs.documents == "questions"
    search = DocumentSearch(
        parts.store(),
        chosen.page_encoder(),
        knobs.pages,
        chosen.question_encoder(),
        parts.settings.document_characters,
        knobs.document_matches,
        by_questions=by_questions,
    )
    return (_asked(parts, knobs), search) if by_questions else (search,)


def _questions(parts: Parts, knobs: RagFusion) -> Stage | None:
    """The questions, unless they are asked before the documents or after the sentences."""
    later = knobs.documents == "questions" or knobs.query != "questions"
    return None if later else _asked(parts, knobs)


def fused_answers(parts: Parts, knobs: RagFusion, answers: AnswerSentences) -> tuple[Stage, ...]:
    """The stage that finds sentences with the questions; or with the claim, and one that asks a question for each."""
    answers = replace(answers, fused=knobs.choice == "ranks")
    if knobs.query == "questions":
        return (answers,)
    by_claim = replace(
        answers, by_claim=True, by_words=knobs.query == "bm25", answers=answers.answers * knobs.questions
    )
    return by_claim, SentenceQuestions(parts.llm_for("questions"), parts.budget())


def _verdict(parts: Parts, knobs: RagFusion) -> tuple[Stage, ...]:
    """A language model's verdict over the answers if one is set and wanted, else a local model's."""
    llm, budget, policy = parts.llm(), parts.budget(), policy_over_answers(parts, knobs)
    if not knobs.by_model or llm is None:
        return (LocalVerdict(policy),)
    if knobs.verdict == "llm_two":
        first, second = SideJudge(apart=knobs.apart), TwoSidesJudge(apart=knobs.apart)
        return (AskModel(llm, first, budget), AskModel(llm, second, budget), ModelVerdict(llm, second, policy, budget))
    judge = AnswerJudge(cast(Prompt, knobs.prompt), cast(Doubt, knobs.doubt), knobs.answers, knobs.apart)
    stages = verdict_stages(parts, policy, judge)
    return (AskSufficiency(llm, budget), *stages) if knobs.sufficiency else stages


FOUND: Stages = {DOCUMENTS: _documents, QUESTIONS: _questions}
JUDGED: Stages = {**JUDGED_AGAIN, VERDICT: _verdict}

RECIPE = Recipe(
    "rag_fusion",
    "Questions, the sentences nearest to each, a verdict over the pairs.",
    OF_QUESTIONS,
    {
        **FOUND,
        ANSWERS: lambda parts, knobs: fused_answers(parts, knobs, answer_sentences(parts, knobs)),
        **JUDGED,
    },
    ("questions", "sentence_question", "sufficiency", *JUDGEMENTS),
    ("questions",),
    title="By questions",
    what="Asks about the claim and weighs the answers.",
    seconds=3.3,
    knobs=RagFusion,
)
