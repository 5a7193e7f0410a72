"""Which sentences matter to the claim, and in which order they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.protocols import Encoder, PairScorer, RelevanceClassifier
from retrieval.stages.sentences import best_first, by_best_sentence, score_sentences
from retrieval.text.sentences import with_title
from retrieval.types import Evidence, FactCheck, Progress


class Relevance:
    """Relevance and stance of the passages; those found relevant come first, best first.

    What is below the cutoff stays in the record behind them, so that it can be seen what was left out.
    """

    name = "relevance"
    reads = ("claim", "pages", "sentences")
    writes = ("sentences", "pages", "details")

    def __init__(
        self, scorer: PairScorer, cutoff: float, classifier: RelevanceClassifier | None = None, used: str = ""
    ) -> None:
        """scorer: gives the stance, and the relevance too where no `classifier` is named. used: what judges relevance."""
        self._scorer, self._cutoff, self._classifier, self._used = scorer, cutoff, classifier, used

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim, chosen = check.claim.text, [evidence.sentence for evidence in check.sentences]
        methods = {(e.sentence.page_id, e.sentence.start): e.method for e in check.sentences}
        total = max(1, len(chosen))
        done: list[Evidence] = []
        yield Progress(self.name, 0, total, check)
        for scored in score_sentences(self._scorer, claim, chosen, ""):
            done += [
                replace(e, method=methods[e.sentence.page_id, e.sentence.start]) for e in self._judged(claim, scored)
            ]
            yield Progress(self.name, len(done), total, replace(check, sentences=best_first(done)))
        relevant = sum(evidence.relevance >= self._cutoff for evidence in done)
        details = check.telling(
            self.name,
            f"{relevant} of {len(done)} sentences relevant by {self._used or 'the scorer'}, cutoff {self._cutoff:g}.",
        )
        pages = by_best_sentence(check.pages, done)
        yield Progress(
            self.name, total, total, replace(check, sentences=best_first(done), pages=pages, details=details)
        )

    def _judged(self, claim: str, scored: list[Evidence]) -> list[Evidence]:
        if self._classifier is None:
            return scored
        relevances = self._classifier.relevance(claim, [e.sentence.text for e in scored])
        return [replace(e, relevance=relevance) for e, relevance in zip(scored, relevances, strict=True)]


class SimilarityOrder:
    """Relevant sentences in the order of their similarity to the claim, as the thesis shows them.

    What is less similar than the setting asks for goes behind them, as if it were irrelevant.
    """

    name = "similarity"
    reads = ("claim", "sentences")
    writes = ("sentences", "details")

    def __init__(self, encoder: Encoder, cutoff: float, used: str = "", *, similar: float = 0.0) -> None:
        """cutoff: relevance from which a sentence is ordered anew. similar: least cosine. used: the encoder's name."""
        self._encoder, self._cutoff, self._used, self._similar = encoder, cutoff, used, similar

    def run(self, check: FactCheck) -> Iterator[Progress]:
        relevant = [e for e in check.sentences if e.relevance >= self._cutoff]
        ordered = self._ordered(check.claim.text, relevant)
        kept = {evidence.sentence for evidence in ordered}
        rest = [e for e in check.sentences if e.sentence not in kept]
        details = check.telling(
            self.name,
            f"{len(ordered)} of {len(relevant)} relevant sentences ordered by {self._used or 'similarity'} to the claim, "
            f"cutoff {self._similar:g}.",
        )
        yield Progress(self.name, 1, 1, replace(check, sentences=(*ordered, *rest), details=details))

    def _ordered(self, claim: str, relevant: Sequence[Evidence]) -> list[Evidence]:
        if not relevant or (len(relevant) == 1 and not self._similar):
            return list(relevant)
        vectors = self._encoder.encode([claim, *(with_title(e.sentence) for e in relevant)])
        cosines = [float(x) for x in vectors[1:] @ vectors[0]]
        order = sorted(range(len(relevant)), key=lambda row: (-cosines[row], row))
        return [
            replace(relevant[row], rank_score=cosines[row], rank_method="similarity")
            for row in order
            if not self._similar or cosines[row] >= self._similar
        ]
