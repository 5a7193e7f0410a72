"""The local models of a verdict, behind the `VerdictModel` protocol of `verdicts/policy.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.protocols import Encoder, PairScorer
from retrieval.text.quantities.stances import exactly
from retrieval.text.sentences import as_read
from retrieval.types import RULE, Evidence, Label, Stance

# Least weight of the best sentence for the best two to be read again, together. Below it, the first pass alone judges
# better (973 held-out training claims).
LIKELY = 0.4


class StanceClassifier(Protocol):
    """Turns relevance and stance of the best sentences into probabilities. calibration_error: see `VerdictModel`."""

    id: str
    calibration_error: float | None

    def probabilities(
        self, relevances: Sequence[float], stances: Sequence[Stance], together: Stance, exact: Sequence[int] = ()
    ) -> Mapping[Label, float]:
        """One probability a label; they sum to 1. together: the stance of the same sentences, read in one pass. exact: the
        comparison of their quantities with the claim's (`exactly`). Works without evidence too.
        """
        ...


class FourLabelClassifier(Protocol):
    """Turns question-answer pairs into shares of the four labels."""

    id: str

    def probabilities(
        self,
        claim: str,
        pairs: Sequence[tuple[str, str]],
        relevances: Sequence[float],
        stances: Sequence[Stance],
        encoder: Encoder,
    ) -> Mapping[Label, float]:
        """pairs: (question, answer), with the relevance and stance of each answer. Works without any pairs too.

        question: empty if the answer is a sentence found by search, because that may not answer it.
        """
        ...


@dataclass(frozen=True)
class BestSentences:
    """Implements `VerdictModel`: the best sentences, each by its weight and stance, and all of them read in one
    pass; a rule that decides speaks for all. second: reads them together instead, more slowly, if the best is `LIKELY` evidence.
    by_weight: whether to sort the sentences by their weight first.
    """

    classifier: StanceClassifier
    scorer: PairScorer
    top_k: int
    calibration_error: float | None = None
    second: PairScorer | None = None
    by_weight: bool = False

    @property
    def id(self) -> str:
        """The classifier's."""
        return self.classifier.id

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        """See `VerdictModel`."""
        ordered = sorted(sentences, key=lambda evidence: -evidence.weight) if self.by_weight else sentences
        best = ordered[: self.top_k]
        weights = [evidence.weight for evidence in best]
        if best and best[0].rank_method == RULE:
            together = best[0].stance
        else:
            scorer = scorer_of_all(weights, self.scorer, self.second)
            together = scorer.judge_together(claim, [as_read(evidence) for evidence in best])
        exact = [exactly(claim, evidence.title_as_read, evidence.sentence.text) for evidence in best]
        return self.classifier.probabilities(weights, [e.stance for e in best], together, exact)


def scorer_of_all(weights: Sequence[float], first: PairScorer, second: PairScorer | None) -> PairScorer:
    """The scorer that reads the sentences together. weights: theirs, best first."""
    return second if second and weights and weights[0] >= LIKELY else first


@dataclass(frozen=True)
class AllSentences:
    """Implements `VerdictModel`: all sentences chosen as answers, by relevance, stance and vectors.

    Its calibration was measured over the nearest answers of the data it was fitted on, not over what a recipe finds.
    """

    classifier: FourLabelClassifier
    encoder: Encoder
    calibration_error = None

    @property
    def id(self) -> str:
        """The classifier's."""
        return self.classifier.id

    def probabilities(self, claim: str, sentences: Sequence[Evidence]) -> Mapping[Label, float]:
        """See `VerdictModel`."""
        pairs = [("", evidence.sentence.text) for evidence in sentences]
        relevances, stances = [e.relevance for e in sentences], [e.stance for e in sentences]
        return self.classifier.probabilities(claim, pairs, relevances, stances, self.encoder)
