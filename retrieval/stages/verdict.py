"""Chooses evidence from scored sentences, and gives the verdict of a local model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from retrieval import stage_names
from retrieval.pipeline import Pipeline
from retrieval.protocols import PairScorer
from retrieval.stages.bridges import bridges_of
from retrieval.stages.sentences import UNREAD
from retrieval.text.sentences import sentence_spans
from retrieval.types import Evidence, FactCheck, Label, Progress, Sentence
from retrieval.verdicts.differences import marked
from retrieval.verdicts.policy import Policy, shown_for, turned

HOLDING_STANCES = ("sentences", "evidence")  # fields of a check
WORDS_OF_A_STATEMENT = 3  # of a sentence that counts as a statement
SEVERAL = (
    "The claim has several sentences, and evidence for one leaves the others open, so this verdict does not cover all of it. Check them "
    "one by one."
)


@dataclass(frozen=True)
class ChooseEvidence:
    """Chooses the sentences that the verdict may rest on, at most `top_k`, each verified against its page. with_bridges:
    whether each sentence that was read with a bridge is followed by it.
    """

    top_k: int
    with_bridges: bool = False
    name = stage_names.EVIDENCE
    reads = ("claim", "sentences", "pages")
    writes = ("evidence",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        kept = shown_for(check.claim.reading, check.sentences, self.top_k)
        if self.with_bridges:
            pairs = zip(kept, bridges_of(check, kept), strict=True)
            in_order = {one.sentence: one for pair in pairs for one in pair if one}
            kept = list(in_order.values())[: self.top_k]
        yield Progress(self.name, 1, 1, replace(check, evidence=verified(check, kept)))


@dataclass(frozen=True)
class EvidenceAgain:
    """Updates the evidence from a later reading of its sentences, and adds those of the best `top_k` that a verdict may
    now rest on: at its end, because questions refer to its numbers.
    """

    top_k: int
    name = stage_names.EVIDENCE
    reads = ("claim", "sentences", "pages", "evidence")
    writes = ("evidence",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        now = {one.sentence: one for one in check.sentences}
        before = [now.get(one.sentence, one) for one in check.evidence]
        shown = shown_for(check.claim.reading, check.sentences, self.top_k)
        kept = {one.sentence: one for one in (*before, *shown)}.values()
        yield Progress(self.name, 1, 1, replace(check, evidence=verified(check, kept)))


def verified(check: FactCheck, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence, each marked by whether its page has this text at these offsets."""
    texts = {hit.page.id: hit.page.text for hit in check.pages}

    def stands(one: Sentence) -> bool:
        return bool(one.text) and texts.get(one.page_id, "")[one.start : one.end] == one.text

    return tuple(replace(one, verified=stands(one.sentence)) for one in evidence)


@dataclass(frozen=True)
class LocalVerdict:
    """Gives the policy's verdict, by its local model."""

    policy: Policy
    name = stage_names.VERDICT
    reads = ("claim", "sentences", "evidence")
    writes = ("verdict", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        verdict = self.policy.about(check.claim).local(check.claim.reading, check.sentences, check.evidence)
        yield Progress(self.name, 1, 1, unless_several(replace(check, verdict=verdict)))


def unless_several(check: FactCheck) -> FactCheck:
    """Marks a local SUPPORTED verdict as not sure if the claim has several sentences: evidence for one proves no other."""
    verdict = check.verdict
    if verdict is None or verdict.label is not Label.SUPPORTED or count_sentences(check.claim.statement) < 2:
        return check
    return replace(check, verdict=replace(verdict, abstained=True)).noting(SEVERAL)


def count_sentences(text: str) -> int:
    """The number of sentences in the text, without those of fewer than `WORDS_OF_A_STATEMENT` words."""
    return sum(len(text[start:end].split()) >= WORDS_OF_A_STATEMENT for start, end in sentence_spans(text))


@dataclass(frozen=True)
class StancesToClaim:
    """Turns stances towards the statement into stances towards the claim, after all stages that read the statement:
    reversed for a denial, neutral for a question. held: fields of `HOLDING_STANCES` that earlier stages write.
    """

    held: tuple[str, ...]
    name = stage_names.STANCES

    @property
    def reads(self) -> tuple[str, ...]:
        return ("claim", "no_verdict", *self.held)

    @property
    def writes(self) -> tuple[str, ...]:
        return self.held

    def run(self, check: FactCheck) -> Iterator[Progress]:
        if check.no_verdict or check.claim.turned:
            convert = without_stance if check.no_verdict else turned
            changed: dict[str, Any] = {name: tuple(map(convert, getattr(check, name))) for name in self.held}
            check = replace(check, **changed)
        yield Progress(self.name, 1, 1, check)


def without_stance(evidence: Evidence) -> Evidence:
    """The sentence with a neutral stance, for a claim that is neither true nor false."""
    return replace(evidence, stance=UNREAD)


def with_denials(pipeline: Pipeline) -> Pipeline:
    """The pipeline with `StancesToClaim` after the last stage before the verdict that writes sentences."""
    writing = [n for n, stage in enumerate(pipeline.stages) if not set(HOLDING_STANCES).isdisjoint(stage.writes)]
    written = {field for stage in pipeline.stages for field in stage.writes}
    at, held = max(writing, default=-1) + 1, tuple(field for field in HOLDING_STANCES if field in written)
    return replace(pipeline, stages=(*pipeline.stages[:at], StancesToClaim(held), *pipeline.stages[at:]))


@dataclass(frozen=True)
class Differences:
    """Marks in the evidence of a refuted claim where it differs from the claim. scorer: see `marked`."""

    scorer: PairScorer | None = None
    name = stage_names.DIFFERENCES
    reads = ("claim", "evidence", "verdict")
    writes = ("evidence",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        if check.verdict and check.verdict.label in (Label.REFUTED, Label.CONFLICTING):
            check = replace(check, evidence=marked(check.claim, check.evidence, self.scorer))
        else:  # a rule may have marked what the verdict does not rest on
            check = replace(check, evidence=tuple(replace(one, differs=None) for one in check.evidence))
        yield Progress(self.name, 1, 1, check)
