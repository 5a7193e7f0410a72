"""From scored sentences to evidence, and from evidence to a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from retrieval.protocols import PairScorer
from retrieval.text.sentences import with_title
from retrieval.types import Evidence, FactCheck, Label, Progress, Stance, Verdict, likeliest
from retrieval.verdicts.conflict import add_conflict, find_conflict
from retrieval.verdicts.reasons import reason

CLOSE_TO_BEST = 0.6  # share of the best sentence's weight under which a sentence is not shown as evidence
LEAST_WEIGHT = 0.02


class VerdictModel(Protocol):
    """Turns evidence into calibrated probabilities."""

    id: str

    def probabilities(
        self, relevances: Sequence[float], stances: Sequence[Stance], together: Stance
    ) -> Mapping[Label, float]:
        """One probability a label; they sum to 1. together: of the same sentences, read in one go.

        No evidence at all is a case like any other.
        """
        ...


class ChooseEvidence:
    """Keeps the sentences that the verdict may rest on, each verified against its page."""

    name = "evidence"
    reads = ("sentences", "pages")
    writes = ("evidence",)

    def __init__(self, top_k: int) -> None:
        self._top_k = top_k

    def run(self, check: FactCheck) -> Iterator[Progress]:
        texts = {hit.page.id: hit.page.text for hit in check.pages}
        kept = [verify(evidence, texts) for evidence in choose(check.sentences, self._top_k)]
        yield Progress(self.name, 1, 1, replace(check, evidence=tuple(kept)))


def choose(scored: Sequence[Evidence], top_k: int) -> list[Evidence]:
    """The first `top_k` of those whose weight is worth showing; `scored` is best first."""
    least = max(LEAST_WEIGHT, CLOSE_TO_BEST * scored[0].weight) if scored else 0.0
    return [evidence for evidence in scored[:top_k] if evidence.weight >= least]


def verify(evidence: Evidence, texts: Mapping[str, str]) -> Evidence:
    """Mark whether the page's text reads so at the offsets given."""
    sentence = evidence.sentence
    text = texts.get(sentence.page_id, "")
    return replace(evidence, verified=bool(sentence.text) and text[sentence.start : sentence.end] == sentence.text)


class LocalVerdictStage:
    """A label from the five best sentences, each and together, and the same again without the sentences it cites.

    conflicting_from: least strength of a conflict that counts, 0 for none (`add_conflict`); a set of labels without
    CONFLICTING, as FEVER's, has 0. abstain_below: the confidence under which the verdict says that it is not sure.
    """

    name = "verdict"
    reads = ("sentences", "evidence")
    writes = ("verdict",)

    def __init__(
        self,
        model: VerdictModel,
        scorer: PairScorer,
        top_k: int,
        *,
        conflicting_from: float = 0.0,
        abstain_below: float = 0.0,
    ) -> None:
        self._model, self._scorer, self._top_k = model, scorer, top_k
        self._conflicting_from, self._abstain_below = conflicting_from, abstain_below

    def run(self, check: FactCheck) -> Iterator[Progress]:
        probabilities = self._judge(check.claim.text, check.sentences, check.evidence)
        label = likeliest(probabilities)
        verdict = Verdict(
            label,
            probabilities,
            reason(label, check.evidence),
            self._model.id,
            abstained=probabilities[label] < self._abstain_below,
            without_evidence=self._without_evidence(label, check),
        )
        yield Progress(self.name, 1, 1, replace(check, verdict=verdict))

    def _without_evidence(self, label: Label, check: FactCheck) -> Mapping[Label, float] | None:
        """The grounding test: the cited sentences withheld, the next best ones move up.

        NOT_ENOUGH_EVIDENCE cites nothing that decides, so that there is nothing to withhold.
        """
        if label is Label.NOT_ENOUGH_EVIDENCE:
            return None
        cited = {evidence.sentence for evidence in check.evidence}
        others = [evidence for evidence in check.sentences if evidence.sentence not in cited]
        return self._judge(check.claim.text, others, choose(others, self._top_k))

    def _judge(self, claim: str, sentences: Sequence[Evidence], shown: Sequence[Evidence]) -> Mapping[Label, float]:
        """Probabilities from the best of `sentences`; a conflict is one between sentences that are shown."""
        probabilities = self._probabilities(claim, sentences[: self._top_k])
        conflict = find_conflict(shown)
        return add_conflict(probabilities, conflict.strength, self._conflicting_from) if conflict else probabilities

    def _probabilities(self, claim: str, best: Sequence[Evidence]) -> Mapping[Label, float]:
        """What the model says of these sentences: the one place where it is asked."""
        together = self._scorer.judge_together(claim, [with_title(evidence.sentence) for evidence in best])
        return self._model.probabilities([e.weight for e in best], [e.stance for e in best], together)
