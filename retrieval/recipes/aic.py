"""Recipe `aic`: AIC CTU at AVeriTeC 2024."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, cast

from retrieval import stage_names
from retrieval.parts import Parts
from retrieval.pipeline import Pipeline
from retrieval.recipes.answering import JUDGING, OF_QUESTIONS, Answering, answer_sentences, local_questions
from retrieval.recipes.declaring import Recipe
from retrieval.recipes.endings import policy_over_answers, verdict_by_answers, verdict_stages
from retrieval.settings.declaring import setting
from retrieval.stages.averitec.aic import ReplyAnswers
from retrieval.stages.averitec.documents import ChunkSearch, Pieces
from retrieval.stages.averitec.judges import SourceJudge


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


def aic(resources: Parts) -> Pipeline:
    """Diverse chunks and one call of a language model (AIC CTU at AVeriTeC 2024); without one, rules and a classifier."""
    settings, chosen, llm = resources.settings, resources.chosen(), resources.llm()
    knobs = Aic.of(settings)
    chunk_search = ChunkSearch(
        resources.store(),
        chosen.page_encoder(),
        knobs.chunk_length,
        knobs.pruned,
        knobs.fetched,
        knobs.chunks if llm else knobs.local_chunks,
        knobs.relevance,
        chosen.question_encoder(),
        settings.document_characters,
        knobs.document_matches,
        cast(Pieces, knobs.pieces),
        scorer=chosen.pair_scorer(),
    )
    answers = replace(answer_sentences(resources, knobs), within="chunks")
    by_rule = (local_questions(resources, knobs.questions), answers)
    if llm is None:
        return Pipeline("aic", (chunk_search, *by_rule, *verdict_by_answers(resources, knobs)))
    shown = (knobs.asked, knobs.shots, knobs.neighbours)
    judge = SourceJudge(resources.examples(), *shown)
    ask, verdict = verdict_stages(resources, policy_over_answers(resources, knobs), judge)
    return Pipeline("aic", (chunk_search, ask, ReplyAnswers(judge, chosen.answer_scorer(), by_rule), verdict))


RECIPE = Recipe(
    "aic",
    "Diverse chunks, then one call to a language model; without one, rules and a classifier.",
    OF_QUESTIONS,
    (stage_names.CHUNKS, stage_names.QUESTIONS, stage_names.ANSWERS, *JUDGING, stage_names.VERDICT),
    aic,
    ("aic",),
    title="By passages",
    what="Weighs the best passages of different pages.",
    seconds=3.1,
    knobs=Aic,
)
