"""A small corpus and pipeline of real stages' shape, quick and without models; a gate makes them wait."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType

import numpy as np

from retrieval.errors import RecipeError, StoreAway, StoreDamaged
from retrieval.models.english.reading import PlainReading
from retrieval.pipeline import Pipeline
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.text.extraction.finder import FoundClaim, Report, readable
from retrieval.text.sentences import sentence_spans
from retrieval.types import (
    Claim,
    CorpusInfo,
    Difference,
    Evidence,
    FactCheck,
    Hit,
    Label,
    Page,
    Progress,
    ReadClaim,
    Span,
    Stance,
    Verdict,
)
from retrieval.verdicts.reasons import NOTHING_LEFT
from tests.app.gate import PAUSE, Gate

HOSTILE = "<script>alert('page')</script> =1+1 \u202etxt"
OWN = ("careful", "fast")  # recipes
STAGES = ("spans", "pages", "sentences", "second hop", "verdict")
CORPUS = "corpus"  # where the gate is closed here, it is away
STEPS = 4  # of each stage that waits at a gate
MODELS = {"relevance and stance": "fake-cross-encoder"}


def page(title: str, *sentences: str) -> Page:
    """A page of these sentences."""
    text, lines = "", []
    for number, sentence in enumerate(sentences):
        lines.append((number, len(text), len(text) + len(sentence)))
        text += sentence + " "
    return Page(title.replace(" ", "_"), title, text.rstrip(), tuple(lines))


PAGES = (
    replace(
        page("Marie Curie", "Marie Curie was a physicist.", "She won two Nobel Prizes.", "She was born in Warsaw."),
        site="en.wikipedia.org",
        revision=1234,
        retrieved="2025-12-07",
    ),
    replace(
        page("Warsaw", "Warsaw is the capital of Poland.", "It lies on the Vistula."),
        site="en.wikipedia.org",
        retrieved="2017-06",
    ),
    page("Hostile page", HOSTILE, "An ordinary sentence."),
)


@dataclass
class FakeStage:
    """Does what the stage of its name would do, in `steps` yields; before the last it waits at the gate.

    ran: claims that were at work here, once for each yield. left: those whose work has ended, whole or not.
    """

    name: str
    steps: int = 1
    gate: Gate | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    ran: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        if "explode" in check.claim.text and self.name == "sentences":
            raise RuntimeError("boom")
        if "no corpus" in check.claim.text and self.name == "pages":
            raise StoreDamaged("The corpus at x cannot be read. Load it again.")
        try:
            yield from self.work(check)
        finally:
            self.left.append(check.claim.text)
            if self.gate:
                self.gate.note(self.name, "left", check.claim.text)

    def work(self, check: FactCheck) -> Iterator[Progress]:
        for step in range(1, self.steps):
            yield self.step(step, check)
        if self.gate:
            while self.gate.holds(self.name):
                time.sleep(PAUSE)
                yield self.step(self.steps - 1, check)
            self.gate.note(self.name, "went", check.claim.text)
        yield self.step(self.steps, self.result(check))

    def step(self, number: int, check: FactCheck) -> Progress:
        self.ran.append(check.claim.text)
        return Progress(self.name, number, self.steps, check)

    def result(self, check: FactCheck) -> FactCheck:
        text = check.claim.text
        if self.name == "spans":
            return replace(check, spans=(Span(text[:5], 0, len(text[:5]), "TITLE"),))
        if self.name == "pages again":
            return check
        if self.name == "pages":
            return replace(check, pages=tuple(Hit(p, 1.0 / n, "text") for n, p in enumerate(PAGES, start=1)))
        if self.name == "sentences":
            found = (sentence for hit in check.pages for sentence in hit.page.sentences())
            scored = (Evidence(s, 1.0 / n, Stance(0.7, 0.2, 0.1), "claim") for n, s in enumerate(found, start=2))
            return replace(check, sentences=tuple(scored))
        if self.name == "second hop":
            assert len(check.sentences) == sum(len(p.lines) for p in PAGES), "a stage ran twice or not at all"
            hostile = [e for e in check.sentences if e.sentence.text == HOSTILE]
            return replace(check, evidence=(*check.sentences[:2], *hostile))
        verdict = fake_verdict(text)
        if verdict.label is Label.CONFLICTING:
            best = check.sentences[0]
            against = replace(check.sentences[3], stance=Stance(0.1, 0.8, 0.1))
            apart = replace(against, differs=Difference((len(text) - 9, len(text) - 1), (28, 34)))
            check = replace(check, evidence=(best, apart, *check.evidence[1:]))
        return replace(check, verdict=verdict)


def fake_verdict(text: str) -> Verdict:
    """SUPPORTED, unless words of the claim ask for another one."""
    shares = {Label.SUPPORTED: 0.8, Label.REFUTED: 0.1, Label.NOT_ENOUGH_EVIDENCE: 0.1}
    without = {Label.SUPPORTED: 0.25, Label.REFUTED: 0.05, Label.NOT_ENOUGH_EVIDENCE: 0.7}
    label = Label.SUPPORTED
    if "pages disagree" in text:
        label, shares = (
            Label.CONFLICTING,
            {**{name: share / 2 for name, share in shares.items()}, Label.CONFLICTING: 0.5},
        )
    if "not enough" in text:
        label = Label.NOT_ENOUGH_EVIDENCE
        shares = {Label.SUPPORTED: 0.1, Label.REFUTED: 0.1, Label.NOT_ENOUGH_EVIDENCE: 0.8}
    if "stays the same" in text:
        without = shares
    if "nothing else" in text:
        without = dict(NOTHING_LEFT)
    return Verdict(
        label,
        MappingProxyType(shares),
        f"About “{text}”: {HOSTILE}",
        "fake",
        abstained="unsure" in text,
        without_evidence=None if "not tested" in text or "not enough" in text else MappingProxyType(without),
        calibrated=label is not Label.CONFLICTING,
        one_source="one source" in text,
        leans="leans" in text,
    )


class FakeFinder:
    """In place of `ClaimFinder`: a sentence is worth checking unless it is a question; refuses what the real one refuses."""

    def __init__(self, gate: Gate | None) -> None:
        self.gate = gate

    def find(
        self,
        given: str,
        title: str = "",
        report: Report = lambda _, __: None,
        written: date | None = None,
    ) -> list[FoundClaim]:
        prose, found = readable(given), []
        for span in sentence_spans(prose.text):
            start, end = prose.given(*span)
            while self.gate and self.gate.holds("finding claims"):
                time.sleep(PAUSE)
                report(start, len(given))
            text = prose.text[slice(*span)]
            kind, score = ("question", 0.1) if text.endswith("?") else ("claim", 0.9)
            score = 0.5 if "perhaps" in text else score
            found.append(FoundClaim(text, given[start:end], start, end, score, kind))
        return found


class CountedWords:
    """Vectors by which claims of the same words are near, whatever their order."""

    dimension = 64

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in text.casefold().rstrip(".").split():
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        return vectors / np.maximum(1e-9, np.linalg.norm(vectors, axis=1, keepdims=True))


class FakeResources:
    """In place of `retrieval.resources.Resources`."""

    def __init__(self, gate: Path | None = None) -> None:
        """gate: folder of the gate at which stages wait."""
        self.gate = Gate(gate) if gate else None
        self.stages = [FakeStage(name, STEPS if gate else 1, self.gate) for name in STAGES]
        self.info: CorpusInfo | Exception = CorpusInfo(len(PAGES), "f" * 16, "2026-11-21T10:00:00Z", 1, name="Sample")

        self.pages: tuple[Page, ...] = PAGES
        self.rests = ""  # why the language model is left out
        self.server: list[tuple[str, str]] = []  # what is known of the language model's server

    def left_out(self) -> str:
        return self.rests

    def language_model(self) -> list[tuple[str, str]]:
        return self.server

    def store(self) -> KnowledgeStore:
        return KnowledgeStore(self.pages)

    def corpus(self) -> CorpusInfo:
        if self.gate and self.gate.holds(CORPUS):
            raise StoreAway("The corpus is away. Wait.")
        if isinstance(self.info, Exception):
            raise self.info
        return self.info

    def claim_reader(self) -> PlainReading:
        return PlainReading()

    def read_claim(self, text: str) -> ReadClaim:
        return self.claim_reader().read(Claim("", text))

    def move_on(self, *pages: Page) -> None:
        """From now on another corpus, of these pages."""
        self.info, self.pages = replace(self.corpus(), fingerprint="0" * 16), pages

    def encoder(self) -> CountedWords:
        return CountedWords()

    def models(self, recipe: str) -> Mapping[str, str]:
        self.pipeline(recipe)
        return MODELS

    def pipeline(self, recipe: str) -> Pipeline:
        if recipe not in OWN:
            raise RecipeError(f"There is no recipe {recipe!r}. Choose one of: {', '.join(OWN)}.")
        return Pipeline(recipe, self.stages)

    def claim_finder(self) -> FakeFinder:
        return FakeFinder(self.gate)

    def within(self, tokens: int, why: str) -> FakeResources:
        return self

    def warm_up(self) -> None:
        self.corpus()

    def close(self) -> None:
        pass
