"""Recipe `fast`: titles and BM25, one small cross-encoder, a second hop, a calibrated local verdict."""

from __future__ import annotations

from retrieval.recipes.declaring import READERS, Recipe, Stages
from retrieval.recipes.endings import comparing, verdict_over_sentences
from retrieval.stage_names import COMPARING, EVIDENCE, PAGES, RANKING, SECOND_HOP, SENTENCES, SPANS, VERDICT
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.search import PageSearch
from retrieval.stages.sentences import RankSentences, SecondHop, SentenceScores
from retrieval.stages.verdict import ChooseEvidence

# From the claim to a ranking of all sentences that may decide it.
RANKED: Stages = {
    SPANS: lambda parts, _: ClaimSpans(parts.chosen().spans()),
    PAGES: lambda parts, _: PageSearch(parts.store(), parts.settings.top_pages, parts.vocabulary(), parts.language()),
    SENTENCES: lambda parts, _: SentenceScores(
        parts.chosen().pair_scorer(), parts.settings.top_sentences, parts.language()
    ),
    SECOND_HOP: lambda parts, _: SecondHop(parts.store(), parts.chosen().pair_scorer(), parts.language()),
    RANKING: lambda parts, _: RankSentences(parts.sentence_ranker()),
}

RECIPE = Recipe(
    "fast",
    "Page titles and BM25, one small cross-encoder, a second hop, a local verdict. No key, no GPU.",
    ("span_models", *READERS, "ranker", "verdict"),
    {
        **RANKED,
        COMPARING: lambda *_: comparing(),
        EVIDENCE: lambda parts, _: ChooseEvidence(parts.settings.top_evidence),
        VERDICT: lambda parts, _: verdict_over_sentences(parts, calibrated=True),
    },
    calibrated="verdict",
    title="Quick",
    what="Reads the likeliest sentences once.",
    seconds=0.11,
)
