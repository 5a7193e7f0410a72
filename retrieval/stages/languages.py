"""Where the reader was not measured in the corpus' language, a check retrieves and gives no verdict; nor across languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval.pipeline import Pipeline
from retrieval.protocols import PageStore
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.search import PageSearch
from retrieval.stages.verdict import ChooseEvidence
from retrieval.text.extraction.language import NAMES, SCRIPTS, clearly_other, script_of
from retrieval.text.languages import AND, Language
from retrieval.text.ranking import overlap_scores
from retrieval.types import Evidence, FactCheck, Progress, Stance

UNREAD = Stance(0.0, 0.0, 1.0)


@dataclass(frozen=True)
class NearestSentences:
    """The sentences that hold most of the claim's rare words, by the stems of its language; nothing has read them."""

    language: Language
    top_k: int
    name = "sentences"
    reads = ("claim", "pages")
    writes = ("sentences",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        sentences = [sentence for hit in check.pages for sentence in hit.page.sentences()]
        texts = [f"{sentence.title} {sentence.text}" for sentence in sentences]
        scores = overlap_scores(check.claim.text, texts, self.language)
        found = [
            Evidence(s, round(score, 4), UNREAD, "words") for s, score in zip(sentences, scores, strict=True) if score
        ]
        found.sort(key=lambda one: (-one.relevance, one.sentence.page_id, one.sentence.line))
        yield Progress(self.name, 1, 1, replace(check, sentences=tuple(found[: self.top_k])))


@dataclass(frozen=True)
class NoVerdict:
    """Says why there is none."""

    language: Language
    name = "verdict"
    reads = ("claim", "evidence")
    writes = ("verdict", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        done = replace(check, verdict=None, notes=(*check.notes, only_retrieves(self.language)))
        yield Progress(self.name, 1, 1, done)


@dataclass(frozen=True)
class SameLanguage:
    """Takes the verdict back where the claim is clearly in another language than the corpus: nothing was measured there."""

    language: Language
    name = "language"
    reads = ("claim", "verdict")
    writes = ("verdict", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        known = self.language.code.split(AND)
        others = [clearly_other(check.claim.text, code) for code in known]
        if (other := others[0]) and all(others) and other not in known:
            script = SCRIPTS.get(script_of(check.claim.text), "")
            written = script or f"in {NAMES.get(other, 'another language')}"
            note = (
                f"The claim seems to be written {written}, and the corpus is in {self.language.name}. There is no verdict "
                "across languages: write the claim in the corpus' language."
            )
            check = replace(check, verdict=None, notes=(*check.notes, note))
        yield Progress(self.name, 1, 1, check)


class NoNames:
    """Finds no spans: the models that find them read English. Implements `SpanExtractor`."""

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """None."""
        return []


def only_retrieves(language: Language) -> str:
    """The note about a corpus in a language that the reader was not measured in."""
    return (
        f"The corpus is in {language.name}, a language that the models which judge here were not measured in. So the nearest "
        "sentences are shown, and there is no verdict."
    )


def retrieval_only(
    recipe: str, store: PageStore, language: Language, pages: int, sentences: int, evidence: int
) -> Pipeline:
    """The pipeline of every recipe over such a corpus. pages, sentences, evidence: how many of each."""
    return Pipeline(
        recipe,
        (
            ClaimSpans(NoNames()),
            PageSearch(store, pages, language=language),
            NearestSentences(language, sentences),
            ChooseEvidence(evidence),
            NoVerdict(language),
        ),
    )
