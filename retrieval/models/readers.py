"""Relevance and stance by models of your choice, in place of our cross-encoder, which gives both in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.protocols import PairScorer, RelevanceClassifier, StanceReader
from retrieval.text.sentences import without_title
from retrieval.types import Stance

BATCH = 16
TOGETHER = 5  # sentences that are read together


class Readers:
    """A relevance model, a stance reader, or both, over our own. Implements `PairScorer`."""

    def __init__(self, ours: PairScorer, relevance: RelevanceClassifier | None, stance: StanceReader | None) -> None:
        """relevance, stance: None leaves that to ours, which does not run at all if both are given."""
        self._ours, self._relevance, self._stance = ours, relevance, stance

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`. The relevance model reads sentences without their titles, as such models were trained."""
        for rows, relevances, stances in self._first(claim, sentences):
            texts = [sentences[row] for row in rows]
            if self._relevance:
                relevances = self._relevance.relevance(claim, [without_title(text) for text in texts])
            if self._stance:
                stances = self._stance.stances(claim, texts)
            yield rows, relevances, stances

    def _first(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        if not (self._relevance and self._stance):
            yield from self._ours.score(claim, sentences)
            return
        for first in range(0, len(sentences), BATCH):
            yield list(range(first, min(first + BATCH, len(sentences)))), [], []

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """See `PairScorer`."""
        if not self._stance:
            return self._ours.judge_together(claim, sentences)
        (stance,) = self._stance.stances(claim, [" ".join(sentences[:TOGETHER])])
        return stance


class ScorerRelevance:
    """A pair scorer's relevance alone. Implements `RelevanceClassifier`."""

    def __init__(self, scorer: PairScorer, id: str) -> None:
        self.id, self._scorer = id, scorer

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """One probability per sentence, 0..1, in order."""
        found: dict[int, float] = {}
        for rows, relevances, _ in self._scorer.score(claim, sentences):
            found |= dict(zip(rows, relevances, strict=True))
        return [found[row] for row in range(len(sentences))]
