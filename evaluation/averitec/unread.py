"""Lets a run measure only the search: no stance is judged, so there are no figures on the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.protocols import PairScorer
from retrieval.roles import Chosen
from retrieval.types import Stance

OPEN = Stance(0.0, 0.0, 1.0)


class Unread:
    """Replaces the networks that judge sentences: no sentence takes a side. Implements `PairScorer`."""

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`."""
        rows = list(range(len(sentences)))
        yield rows, [0.0] * len(rows), [OPEN] * len(rows)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """See `PairScorer`."""
        return OPEN


class ChosenUnread(Chosen):
    """The chosen models, except those that judge. Those that rank, such as a reranker, are unchanged."""

    def pair_scorer(self) -> PairScorer:
        """Judges nothing."""
        return Unread()

    def answer_scorer(self) -> PairScorer:
        """Judges nothing."""
        return Unread()
