"""A cross-encoder's judgements in the order of the requests."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.protocols import PairScorer
from retrieval.types import Stance


def judge_texts(scorer: PairScorer, claim: str, texts: Sequence[str]) -> tuple[list[float], list[Stance]]:
    """Relevance and stance of each text to the claim, one of each per text."""
    judged: dict[int, tuple[float, Stance]] = {}
    for rows, relevances, stances in scorer.score(claim, texts):
        judged |= dict(zip(rows, zip(relevances, stances, strict=True), strict=True))
    ordered = [judged[row] for row in range(len(texts))]
    return [relevance for relevance, _ in ordered], [stance for _, stance in ordered]
