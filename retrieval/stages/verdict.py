"""From scored sentences to evidence, and from evidence to a verdict by a local model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from retrieval.protocols import PairScorer
from retrieval.stages.bridges import bridges_of
from retrieval.types import Evidence, FactCheck, Label, Progress
from retrieval.verdicts.differences import marked
from retrieval.verdicts.policy import Policy, shown_for


@dataclass(frozen=True)
class ChooseEvidence:
    """Keeps the sentences that the verdict may rest on, at most `top_k`, each verified against its page.

    with_bridges: a sentence that was read with the one that led to its page is shown with that one behind it.
    """

    top_k: int
    with_bridges: bool = False
    name = "evidence"
    reads = ("claim", "sentences", "pages")
    writes = ("evidence",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        texts = {hit.page.id: hit.page.text for hit in check.pages}
        kept = shown_for(check.claim.reading, check.sentences, self.top_k)
        if self.with_bridges:
            pairs = zip(kept, bridges_of(check, kept), strict=True)
            behind = {one.sentence: one for pair in pairs for one in pair if one}
            kept = list(behind.values())[: self.top_k]
        yield Progress(self.name, 1, 1, replace(check, evidence=tuple(verify(one, texts) for one in kept)))


def verify(evidence: Evidence, texts: Mapping[str, str]) -> Evidence:
    """Mark whether the page's text reads so at the offsets given."""
    sentence = evidence.sentence
    text = texts.get(sentence.page_id, "")
    return replace(evidence, verified=bool(sentence.text) and text[sentence.start : sentence.end] == sentence.text)


@dataclass(frozen=True)
class LocalVerdict:
    """The policy's verdict by its local model."""

    policy: Policy
    name = "verdict"
    reads = ("claim", "sentences", "evidence")
    writes = ("verdict",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        verdict = self.policy.local(check.claim.reading, check.sentences, check.evidence)
        yield Progress(self.name, 1, 1, replace(check, verdict=verdict))


@dataclass(frozen=True)
class Differences:
    """Marks in the evidence of a refuted claim where it differs from the claim. scorer: see `marked`."""

    scorer: PairScorer | None = None
    name = "differences"
    reads = ("claim", "evidence", "verdict")
    writes = ("evidence",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        if check.verdict and check.verdict.label in (Label.REFUTED, Label.CONFLICTING):
            check = replace(check, evidence=marked(check.claim, check.evidence, self.scorer))
        yield Progress(self.name, 1, 1, check)
