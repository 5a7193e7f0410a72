"""Recipe `aic` (AIC CTU at AVeriTeC 2024): diverse chunks and one call of a language model; else rules and a classifier."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, cast

from retrieval.parts import Parts
from retrieval.protocols import Stage
from retrieval.recipes.answering import OF_QUESTIONS, Answering, answer_sentences, local_questions
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.endings import JUDGED_AGAIN, policy_over_answers, verdict_stage
from retrieval.settings.declaring import setting
from retrieval.stage_names import ANSWERS, CHUNKS, QUESTIONS, VERDICT
from retrieval.stages.averitec.answers import ReplyAnswers
from retrieval.stages.averitec.documents import ChunkSearch, Pieces
from retrieval.stages.averitec.judges import SourceJudge
from retrieval.stages.llm_verdict import AskModel


@dataclass(frozen=True)
class Aic(Answering):
    """How chunks are found, and which of them a language model is shown."""

    recipe: ClassVar[str] = "aic"
    chunk_length: int = setting(2048, "Characters of a chunk.")
    pruned: int = setting(6000, "Chunks that BM25 leaves for embedding.")
    fetched: int = setting(40, "Chunks nearest to the claim, from which MMR chooses.")
    chunks: int = setting(10, "Chunks that a language model reads for the verdict.")
    local_chunks: int = setting(
        40, "Chunks in which rules look for answers, if no language model is set; at most `fetched`."
    )
    relevance: float = setting(0.75, "Weight of a chunk's relevance against its novelty (lambda of MMR).")
    pieces: str = setting(
        "best",
        "What of a chunk longer than DOCUMENT_CHARACTERS counts: its `best` piece, the `mean` of its pieces, or only its "
        "`opening`, which is quicker.",
        choices=("best", "mean", "opening"),
    )
    neighbours: int = setting(256, "Characters of the chunks before and after that a language model is shown.")
    asked: int = setting(10, "Questions that a language model may ask and answer.")
    shots: int = setting(10, "Checked claims that a language model is shown.")


def _chunks(parts: Parts, knobs: Aic) -> Stage:
    chosen = parts.chosen()
    return ChunkSearch(
        parts.store(),
        chosen.page_encoder(),
        knobs.chunk_length,
        knobs.pruned,
        knobs.fetched,
        knobs.chunks if parts.llm() else knobs.local_chunks,
        knobs.relevance,
        chosen.question_encoder(),
        parts.settings.document_characters,
        knobs.document_matches,
        cast(Pieces, knobs.pieces),
        scorer=chosen.pair_scorer(),
    )


def _judge(parts: Parts, knobs: Aic) -> SourceJudge:
    return SourceJudge(parts.examples(), knobs.asked, knobs.shots, knobs.neighbours)


def _answers(parts: Parts, knobs: Aic) -> Stage | tuple[Stage, ...]:
    """The answers by rule; with a language model, its one reply holds them, and rules are the fallback."""
    answers, llm = replace(answer_sentences(parts, knobs), within="chunks"), parts.llm()
    if llm is None:
        return answers
    judge, by_rule = _judge(parts, knobs), (local_questions(parts, knobs.questions), answers)
    return AskModel(llm, judge, parts.budget()), ReplyAnswers(judge, parts.chosen().answer_scorer(), by_rule)


RECIPE = Recipe(
    "aic",
    "Diverse chunks, then one call to a language model; without one, rules and a classifier.",
    OF_QUESTIONS,
    {
        CHUNKS: _chunks,
        QUESTIONS: lambda parts, knobs: None if parts.llm() else local_questions(parts, knobs.questions),
        ANSWERS: _answers,
        **JUDGED_AGAIN,
        VERDICT: lambda parts, knobs: verdict_stage(parts, policy_over_answers(parts, knobs), _judge(parts, knobs)),
    },
    ("aic",),
    title="By passages",
    what="Weighs the best passages of different pages.",
    seconds=3.1,
    knobs=Aic,
)
