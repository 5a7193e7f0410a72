"""Checks across languages, or in a language in which the models were not measured: they retrieve but give no verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.pipeline import Pipeline
from retrieval.protocols import PageStore
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.search import PageSearch
from retrieval.stages.sentences import UNREAD
from retrieval.stages.verdict import ChooseEvidence, without_stance
from retrieval.text.extraction.language import NAMES, SCRIPTS, clearly_other, script_of
from retrieval.text.languages import AND, ENGLISH_CODE, Language, find_language
from retrieval.text.languages.detecting import other_than_english, sentence_other_than_english
from retrieval.text.ranking import overlap_scores
from retrieval.types import Evidence, FactCheck, Label, NoVerdict, Progress, Sentence

HOLDING = ("sentences", "evidence", "questions")  # fields of a check that hold or number sentences
# Stages that judge what was found, or hand it to a language model.
JUDGING = {stage_names.READING, stage_names.COMPARING, stage_names.EVIDENCE, stage_names.VERDICT} | {
    *(stage_names.CONTEXTS, stage_names.SUFFICIENCY, stage_names.LANGUAGE_MODEL)
}


@dataclass(frozen=True)
class NearestSentences:
    """The sentences that share most rare words with the claim, as stems of its language; no network reads them."""

    language: Language
    top_k: int
    name = stage_names.SENTENCES
    reads = ("claim", "pages")
    writes = ("sentences",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        sentences = [sentence for hit in check.pages for sentence in hit.page.sentences()]
        texts = [f"{sentence.title} {sentence.text}" for sentence in sentences]
        scores = overlap_scores(check.claim.statement, texts, self.language)
        evidence = [
            Evidence(s, round(score, 4), UNREAD, "words") for s, score in zip(sentences, scores, strict=True) if score
        ]
        evidence.sort(key=lambda one: (-one.relevance, one.sentence.page_id, one.sentence.line))
        yield Progress(self.name, 1, 1, replace(check, sentences=tuple(evidence[: self.top_k])))


@dataclass(frozen=True)
class WithoutVerdict:
    """Stands in for the verdict: a note says why there is none."""

    language: Language
    name = stage_names.VERDICT
    reads = ("claim", "evidence")
    writes = ("verdict", "notes", "no_verdict")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        check = check.noting(only_retrieves(self.language))
        yield Progress(self.name, 1, 1, replace(check, verdict=None, no_verdict=str(NoVerdict.LANGUAGE)))


@dataclass(frozen=True)
class SameLanguage:
    """Withdraws verdict and stances if the claim is clearly in none of the `known` languages. advice: the note's end."""

    known: tuple[str, ...]
    advice: str
    name = stage_names.LANGUAGE
    reads = ("claim", "verdict", "sentences", "evidence")
    writes = ("verdict", "sentences", "evidence", "notes", "no_verdict")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        other = _other(check.claim.statement, self.known, other_than_english)
        if other and other not in self.known:
            script = SCRIPTS.get(script_of(check.claim.statement), "")
            written = script or f"in {NAMES.get(other, 'another language')}"
            check = check.noting(f"The claim seems to be written {written}, and {self.advice}")
            sentences, evidence = (tuple(map(without_stance, group)) for group in (check.sentences, check.evidence))
            why = str(NoVerdict.LANGUAGE)
            check = replace(check, verdict=None, sentences=sentences, evidence=evidence, no_verdict=why)
        yield Progress(self.name, 1, 1, check)


@dataclass(frozen=True)
class MeasuredLanguages:
    """Leaves out sentences that are clearly in none of the known languages, as in a stray text; their pages stay.

    known: codes of the languages in which the models were measured. held: fields of `HOLDING` that earlier stages write.
    """

    known: tuple[str, ...]
    held: tuple[str, ...]
    name = stage_names.OTHER_LANGUAGES

    @property
    def reads(self) -> tuple[str, ...]:
        return self.held

    @property
    def writes(self) -> tuple[str, ...]:
        return (*self.held, "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        sentences = {one.sentence for one in (*check.sentences, *(check.evidence if "evidence" in self.held else ()))}
        others = {sentence: _other(sentence.text, self.known, sentence_other_than_english) for sentence in sentences}
        foreign = {sentence: code for sentence, code in others.items() if code and code not in self.known}
        yield Progress(self.name, 1, 1, self._without(check, foreign) if foreign else check)

    def _without(self, check: FactCheck, foreign: Mapping[Sentence, str]) -> FactCheck:
        """The check without these sentences, and a note about them."""
        counts = Counter(NAMES.get(code, "another language") for code in foreign.values())
        listed = ", ".join(f"{count} in {name}" for name, count in sorted(counts.items()))
        note = f"Left out, because the judging models were not measured in their language: {listed}."
        check = replace(check, sentences=tuple(e for e in check.sentences if e.sentence not in foreign)).noting(note)
        return _cited_without(check, foreign) if "evidence" in self.held else check


def _cited_without(check: FactCheck, foreign: Mapping[Sentence, str]) -> FactCheck:
    """The check without these sentences as evidence, and without the answers that rest on them."""
    numbers = [number for number, one in enumerate(check.evidence, 1) if one.sentence not in foreign]
    places = {number: place for place, number in enumerate(numbers, 1)}
    kept = [(pair, tuple(places[n] for n in pair.sources if n in places)) for pair in check.questions]
    return replace(
        check,
        evidence=tuple(check.evidence[number - 1] for number in numbers),
        questions=tuple(replace(pair, sources=sources) for pair, sources in kept if sources or not pair.sources),
    )


def with_measured_languages(pipeline: Pipeline, measured: Collection[str]) -> Pipeline:
    """The pipeline that judges only claims and sentences in these languages, as far as that is clear."""
    at = next(number for number, stage in enumerate(pipeline.stages) if stage.name in JUDGING)
    first, rest = pipeline.stages[:at], pipeline.stages[at:]
    written = {field for stage in first for field in stage.writes}
    leave_out = MeasuredLanguages(tuple(sorted(measured)), tuple(field for field in HOLDING if field in written))
    return replace(pipeline, stages=(*first, leave_out, *rest))


def same_language(corpus: str, measured: Collection[str]) -> SameLanguage:
    """The stage for a corpus in this language, or several joined by `+`; if it declares none, in those in which the models
    were measured. measured: their codes.
    """
    if corpus:
        language = find_language(corpus)
        across = "There is no verdict across languages: write the claim in the corpus's language."
        return SameLanguage(tuple(language.code.split(AND)), f"the corpus is in {language.name}. {across}")
    codes = tuple(sorted(measured))
    names = " and ".join(find_language(code).name for code in codes)
    why = f"the judging models were measured in {names} only."
    return SameLanguage(codes, f"{why} There is no verdict: write the claim in {names.replace(' and ', ' or ')}.")


def label_of(check: FactCheck) -> tuple[Label, float]:
    """Label and confidence of a finished check as a data set scores it: without a verdict, not enough evidence at 0."""
    if check.verdict is None:
        return Label.NOT_ENOUGH_EVIDENCE, 0.0
    return check.verdict.label, round(check.verdict.confidence, 6)


def _other(text: str, known: Sequence[str], other_than_english: Callable[[str], str]) -> str:
    """Code of the language that a text is clearly in; empty if unclear, or if it is the only known one."""
    if ENGLISH_CODE in known and not script_of(text):
        return other_than_english(text)
    others = [clearly_other(text, code) for code in known]
    return others[0] if all(others) else ""


class NoNames:
    """Finds no spans: the models that find them read English. Implements `SpanExtractor`."""

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        return []


def only_retrieves(language: Language) -> str:
    """The note about a corpus in a language in which the models were not measured."""
    note = (
        f"The corpus is in {language.name}, and the judging models were not measured in that language. The nearest "
        "sentences are shown, and there is no verdict."
    )
    return note + (" Multilingual models can judge it: docs/corpora.md says how." if language.models else "")


def retrieval_only(
    recipe: str, store: PageStore, language: Language, pages: int, sentences: int, evidence: int
) -> Pipeline:
    """Every recipe's pipeline over a corpus in a language in which no model was measured. pages, …: how many of each."""
    stages = (ClaimSpans(NoNames()), PageSearch(store, pages, language=language), NearestSentences(language, sentences))
    return Pipeline(recipe, (*stages, ChooseEvidence(evidence), WithoutVerdict(language)))
