"""Which sentences prove a claim: logistic regression over the cross-encoder's relevance and a sentence's position.

The cross-encoder reads only the claim and one sentence. Features over all sentences add what it cannot see: whether the
sentence is on the best page or on a page that the claim names, and how early it comes on its page. `python -m training
ranker`, which shares `features`, fits the coefficients in `weights/ranker.json`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrieval.models import catalogue
from retrieval.models.fitted.logistic import SHARE_BOUND, Vector, log_odds, read_logistic, sigmoid
from retrieval.text.ranking import holds_title, inverse_frequencies
from retrieval.text.words import content_words, share
from retrieval.types import SECOND_HOP, Evidence

FEATURES = (
    "relevance, log odds",
    "best relevance of the claim, log odds",
    "rank of its page",
    "on the page of the most relevant sentence",
    "found in the second hop",
    "line of its page",
    "claim names its page",
    "claim's words that it shares",
    "claim's words that it adds to the most relevant sentence",
)
LABELS = ("evidence",)
LAST_LINE, LAST_PAGE = 10, 10  # later lines and pages count like these


def features(claim: str, sentences: Sequence[Evidence], pages: Sequence[str]) -> Vector:
    """The values of `FEATURES`, a row for each sentence. sentences: best first; pages: ids, best first."""
    if not sentences:
        return np.zeros((0, len(FEATURES)))
    best = sentences[0]
    words = content_words(claim)
    texts = [content_words(f"{e.title} {e.sentence.text}") & words for e in sentences]
    weights = inverse_frequencies(words, texts)
    rank = {id: place for place, id in enumerate(pages)}
    rows = [
        (
            log_odds(e.relevance, SHARE_BOUND),
            log_odds(best.relevance, SHARE_BOUND),
            min(rank.get(e.sentence.page_id, LAST_PAGE), LAST_PAGE),
            e.sentence.page_id == best.sentence.page_id,
            e.method == SECOND_HOP,
            min(e.sentence.line, LAST_LINE),
            e.title_read and holds_title(claim, e.title, e.sentence.all_names),
            share(shared, weights),
            share(shared - texts[0], weights),
        )
        for e, shared in zip(sentences, texts, strict=True)
    ]
    return np.array(rows, dtype=np.float64)


class SentenceRanker:
    """Probability that each sentence belongs to the evidence, without another network."""

    def __init__(self) -> None:
        """Load the coefficients. Raises ModelError if they are missing, not ours, or for other features."""
        (path,) = catalogue.load(catalogue.RANKER)
        self._regression = read_logistic(path, FEATURES, LABELS, "ranker")

    def probabilities(self, claim: str, sentences: Sequence[Evidence], pages: Sequence[str]) -> list[float]:
        """One probability for each sentence, in the given order. sentences: most relevant first; pages: ids, best first."""
        shares: list[float] = sigmoid(self._regression.scores(features(claim, sentences, pages))[:, 0]).tolist()
        return shares
