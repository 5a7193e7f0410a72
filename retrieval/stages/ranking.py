"""Ranks the sentences of all pages together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from retrieval import stage_names
from retrieval.stages.sentences import best_first, by_best_sentence
from retrieval.types import RANKER, Evidence, FactCheck, Progress


class Ranker(Protocol):
    """Scores each sentence of a claim in comparison with the others."""

    def probabilities(self, claim: str, sentences: Sequence[Evidence], pages: Sequence[str]) -> list[float]:
        """The probability of each sentence to be evidence. sentences: most relevant first; pages: ids, best first."""


@dataclass(frozen=True)
class RankSentences:
    """Ranks the sentences of both hops together, by relevance and by features of the other sentences."""

    ranker: Ranker
    name = stage_names.RANKING
    reads = ("claim", "pages", "sentences")
    writes = ("sentences", "pages")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        pages = [hit.page.id for hit in check.pages]
        shares = self.ranker.probabilities(check.claim.reading, check.sentences, pages)
        ranked = best_first(
            [replace(e, rank_score=p, rank_method=RANKER) for e, p in zip(check.sentences, shares, strict=True)]
        )
        pages_by_best = by_best_sentence(check.pages, ranked)
        yield Progress(self.name, 1, 1, replace(check, sentences=ranked, pages=pages_by_best))
