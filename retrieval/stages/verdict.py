"""From scored sentences to evidence, and from evidence to a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from retrieval.types import Evidence, FactCheck, Label, Progress, Stance, Verdict

CLOSE_TO_BEST = 0.5  # share of the best sentence's relevance under which a sentence is not shown as evidence
LEAST_RELEVANCE = 0.02


class VerdictModel(Protocol):
    """Turns evidence into calibrated probabilities."""

    id: str

    def probabilities(self, relevances: Sequence[float], stances: Sequence[Stance]) -> Mapping[Label, float]:
        """One probability a label; they sum to 1. No evidence at all is a case like any other."""
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
    """The first `top_k` of those whose relevance is worth showing; `scored` is best first."""
    least = max(LEAST_RELEVANCE, CLOSE_TO_BEST * scored[0].score) if scored else 0.0
    return [evidence for evidence in scored[:top_k] if evidence.score >= least]


def verify(evidence: Evidence, texts: Mapping[str, str]) -> Evidence:
    """Mark whether the page's text reads so at the offsets given."""
    sentence = evidence.sentence
    text = texts.get(sentence.page_id, "")
    return replace(evidence, verified=bool(sentence.text) and text[sentence.start : sentence.end] == sentence.text)


class LocalVerdictStage:
    """A label from the five best sentences' relevance and stance."""

    name = "verdict"
    reads = ("sentences", "evidence")
    writes = ("verdict",)

    def __init__(self, model: VerdictModel, top_k: int) -> None:
        self._model, self._top_k = model, top_k

    def run(self, check: FactCheck) -> Iterator[Progress]:
        best = check.sentences[: self._top_k]
        probabilities = self._model.probabilities([e.score for e in best], [e.stance for e in best])
        label = max(probabilities, key=lambda name: probabilities[name])
        verdict = Verdict(label, probabilities, reason(label, check.evidence), self._model.id)
        yield Progress(self.name, 1, 1, replace(check, verdict=verdict))


def reason(label: Label, evidence: Sequence[Evidence]) -> str:
    """One sentence built from the evidence that decides, never invented."""
    if not evidence:
        return "No sentence of the corpus bears on this claim."
    if label is Label.NOT_ENOUGH_EVIDENCE:
        return f"The nearest sentence, in “{evidence[0].sentence.title}”, does not decide it: “{evidence[0].sentence.text}”"
    deciding = max(
        evidence, key=lambda e: e.score * (e.stance.supports if label is Label.SUPPORTED else e.stance.refutes)
    )
    verb = "supports" if label is Label.SUPPORTED else "contradicts"
    return f"“{deciding.sentence.title}” {verb} it: “{deciding.sentence.text}”"
