"""Relevance and stance by models of your choice, in place of our cross-encoder, which gives both in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from retrieval.models.fitted.joined_reading import TOGETHER_WEIGHT, joined_stance, joined_stances
from retrieval.models.onnx import TOGETHER
from retrieval.protocols import PairScorer, RelevanceClassifier, StanceReader
from retrieval.text.quantities.stances import stance_after_form
from retrieval.text.sentences import read_together, without_title
from retrieval.types import Stance

PAIRS_A_BATCH = 16  # between two reports of progress
BEST_TOGETHER = 2  # sentences that the reader reads together


class Readers:
    """A relevance model, a stance reader, or both, with our cross-encoder for the rest. Implements `PairScorer`."""

    def __init__(self, ours: PairScorer, relevance: RelevanceClassifier | None, stance: StanceReader | None) -> None:
        """relevance, stance: None leaves it to our cross-encoder, which does not run if both are given."""
        self._ours, self._relevance, self._stance = ours, relevance, stance

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`. The relevance model reads sentences without their titles, as such models were trained."""
        for rows, relevances, stances in self._batches(claim, sentences):
            texts = [sentences[row] for row in rows]
            if self._relevance:
                relevances = self._relevance.relevance(claim, [without_title(text) for text in texts])
            if self._stance:
                stances = self._stance.stances(claim, texts)
            yield rows, relevances, stances

    def _batches(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        if not (self._relevance and self._stance):
            yield from self._ours.score(claim, sentences)
            return
        for first in range(0, len(sentences), PAIRS_A_BATCH):
            yield list(range(first, min(first + PAIRS_A_BATCH, len(sentences)))), [], []

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """See `PairScorer`."""
        if not self._stance:
            return self._ours.judge_together(claim, sentences)
        (stance,) = self._stance.stances(claim, [" ".join(sentences[:TOGETHER])])
        return stance


class FormChecked:
    """A scorer, or reader, whose stances are corrected by comparing quantities (`stance_after_form`)."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`."""
        for rows, relevances, stances in self._scorer.score(claim, sentences):
            checked = [stance_after_form(claim, [sentences[row]], old) for row, old in zip(rows, stances, strict=True)]
            yield rows, relevances, checked

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """See `PairScorer`."""
        return stance_after_form(claim, sentences[:TOGETHER], self._scorer.judge_together(claim, sentences))

    def begin_together(self, claim: str, sentences: Sequence[str]) -> None:
        """See `Reader`. Does nothing if the wrapped scorer is not one."""
        if begin := getattr(self._scorer, "begin_together", None):
            begin(claim, sentences)


class BothReadings:
    """The first pass and the reader together, for a few sentences. Implements `PairScorer`.

    Relevance is the first pass's; stances are the mean of both. Of sentences judged together, the reader reads only the
    first `BEST_TOGETHER`, because it takes eight times as long as the first pass, which reads all.
    """

    def __init__(self, first: PairScorer, reader: PairScorer, threads: int = 1) -> None:
        """threads: if not 1, both read in parallel when sentences are judged together."""
        self._first, self._reader, self._threads = first, reader, threads

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`. The batches are the reader's. A text of several lines counts as one sentence or answer."""
        texts = [read_together([sentence]) for sentence in sentences]
        relevances, before = judge_texts(self._first, claim, texts)
        for rows, _, stances in self._reader.score(claim, texts):
            yield rows, [relevances[row] for row in rows], joined_stances([before[row] for row in rows], stances)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """See `PairScorer`."""
        if not sentences:
            return self._first.judge_together(claim, sentences)
        if self._threads == 1:
            first = self._first.judge_together(claim, sentences)
            best = self._reader.judge_together(claim, sentences[:BEST_TOGETHER])
            return joined_stance(first, best, TOGETHER_WEIGHT)
        with ThreadPoolExecutor(1, "together") as beside:
            reading = beside.submit(self._first.judge_together, claim, sentences)
            best = self._reader.judge_together(claim, sentences[:BEST_TOGETHER])
            return joined_stance(reading.result(), best, TOGETHER_WEIGHT)


class ScorerRelevance:
    """A pair scorer's relevance alone. Implements `RelevanceClassifier`."""

    def __init__(self, scorer: PairScorer, id: str) -> None:
        self.id, self._scorer = id, scorer

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """One probability per sentence, 0 to 1, in order."""
        return judge_texts(self._scorer, claim, sentences)[0]


def judge_texts(scorer: PairScorer, claim: str, texts: Sequence[str]) -> tuple[list[float], list[Stance]]:
    """Relevance and stance of each text, in order."""
    found: dict[int, tuple[float, Stance]] = {}
    for rows, relevances, stances in scorer.score(claim, texts):
        found |= dict(zip(rows, zip(relevances, stances, strict=True), strict=True))
    return [found[row][0] for row in range(len(texts))], [found[row][1] for row in range(len(texts))]
