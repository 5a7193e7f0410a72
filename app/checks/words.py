"""A check in words for readers: quotations in their pages, labels, stances, dates and shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar

from flask import Flask
from markupsafe import Markup

from retrieval.output.headline import LABELS, Labelled, headline, kind_of_share, shows_share
from retrieval.output.origins import link, origin, quotation_link
from retrieval.stage_names import WORDS
from retrieval.text.claims import spans_in_text
from retrieval.types import RANKER, RULE, SECOND_HOP, Evidence, FactCheck, Hit, Label, Page, Sentence, Span, Stance
from retrieval.verdicts.conflict import find_conflict
from retrieval.verdicts.reasons import NOT_TESTED, ONE_SOURCE, grounding_in_words, grounding_sentence, in_words, nested
from retrieval.verdicts.side import BOTH, OTHER_SIDE

Thing = TypeVar("Thing")

UNUSED_SENTENCES = 15
LONGEST_BESIDE = 140  # characters of the sentence before a quotation, and of the one after it
KINDS: Mapping[str, str] = {
    Label.SUPPORTED: "supports",
    Label.REFUTED: "refutes",
    Label.NOT_ENOUGH_EVIDENCE: "neutral",
    Label.CONFLICTING: "conflicting",
}
UNTESTED = (
    "This verdict was not computed again without the sentences it rests on. With LLM_GROUNDING=true the language model is "
    "asked a second time."
)
ANSWER_TYPES: Mapping[str, str] = {
    "Extractive": "quoted from the source",
    "Abstractive": "in the model's words",
    "Boolean": "yes or no",
    "Unanswerable": "no source answers it",
}
DIFFERS = "DIFFERS"  # type of a claim's span that the evidence contradicts
NO_VERDICT = "No verdict"
STAGES: Mapping[str, str] = dict(WORDS)
FOUND_BY: Mapping[str, str] = {
    "title": "its title",
    "bracket": "its title, with a bracket",
    "text": "its text",
    "title and text": "its title and text",
    "context": "what stands before the claim in its text",
    "embedding": "the similarity of vectors",
    SECOND_HOP: "a name in another page",
}
RANKED_BY: Mapping[str, str] = {
    RANKER: "probability of being evidence",
    "similarity": "similarity to the claim",
    "question": "score against a question",
    "embedding": "similarity to the claim",
    "rank fusion": "score by rank fusion",
}
SPANS: Mapping[str, str] = {
    "TITLE": "page title",
    "NOUN_PHRASE": "phrase",
    "ANSWER": "phrase",
    "GPE": "place",
    "LOC": "place",
    "FAC": "building",
    "ORG": "organisation",
    "NORP": "people",
}
STATES: Mapping[str, str] = {
    "queued": "Waiting",
    "running": "Running",
    "done": "Done",
    "failed": "Failed",
    "cancelled": "Cancelled",
}


@dataclass(frozen=True)
class Quotation:
    """A sentence of evidence, numbered from 1 in the verdict's order. anchor: empty if its page does not contain it.

    link: its address at the source, if any. before, after: the sentences beside it in its page.
    """

    number: int
    evidence: Evidence
    anchor: str
    link: str = ""
    before: str = ""
    after: str = ""

    @property
    def verified(self) -> bool:
        """Whether the page has this text at the given offsets."""
        return bool(self.anchor)


@dataclass(frozen=True)
class Part:
    """A piece of a page's text. quotation: set if the piece is one."""

    text: str
    quotation: Quotation | None = None


@dataclass(frozen=True)
class ReadPage:
    """A page with evidence. parts: its whole text, empty if only the quotations were stored. source: its file or address.
    link: its address for a browser. origin: date and revision of its text, in words. score: how well it was found, in
    words. corpus: where it was found, if several were read. also: the other name by which the claim calls it.
    """

    title: str
    source: str
    quotations: tuple[Quotation, ...]
    parts: tuple[Part, ...]
    link: str = ""
    origin: str = ""
    score: str = ""
    corpus: str = ""
    also: str = ""


def pages_with_evidence(check: FactCheck) -> list[ReadPage]:
    """The evidence by page, in the order of each page's best sentence."""
    hits = {hit.page.id: hit for hit in check.pages}
    grouped: dict[str, list[Quotation]] = {}
    for number, evidence in enumerate(check.evidence, start=1):
        hit = hits.get(evidence.sentence.page_id)
        page = hit.page if hit else None
        anchor = f"quote-{number}" if page and evidence.verified and _reads_so(page, evidence.sentence) else ""
        more = (quotation_link(page, evidence), *beside(page, evidence.sentence)) if page and anchor else ()
        grouped.setdefault(evidence.sentence.page_id, []).append(Quotation(number, evidence, anchor, *more))
    return [_read_page(hits.get(page_id), quotations) for page_id, quotations in grouped.items()]


def by_strength(check: FactCheck) -> list[Quotation]:
    """Every quotation, the strongest stance first."""
    quotations = (quotation for page in pages_with_evidence(check) for quotation in page.quotations)
    return sorted(quotations, key=lambda quotation: -stance_of(quotation.evidence.stance)[1])


def quoted(check: FactCheck) -> list[tuple[Quotation, ReadPage]]:
    """Every quotation with its page, by number."""
    found = [(quotation, page) for page in pages_with_evidence(check) for quotation in page.quotations]
    return sorted(found, key=lambda pair: pair[0].number)


def sources(check: FactCheck) -> list[tuple[int, str]]:
    """The numbers of the quotations that a language model's reason cites, each with its anchor, if any."""
    numbers = (check.verdict.sources if check.verdict else None) or ()
    anchors = {quotation.number: quotation.anchor for quotation, _ in quoted(check)}
    return [(number, anchors.get(number, "")) for number in numbers]


def _reads_so(page: Page, sentence: Sentence) -> bool:
    """Whether the page has the sentence at its offsets."""
    return 0 <= sentence.start < sentence.end and page.text[sentence.start : sentence.end] == sentence.text


def beside(page: Page, sentence: Sentence) -> tuple[str, str]:
    """The sentences before and after this one in its page, if any; long ones are cut between words."""
    before = next((page.text[start:end] for _, start, end in reversed(page.lines) if end <= sentence.start), "")
    after = next((page.text[start:end] for _, start, end in page.lines if start >= sentence.end), "")
    if len(before) > LONGEST_BESIDE:
        before = "… " + (before[-LONGEST_BESIDE:].partition(" ")[2] or before[-LONGEST_BESIDE:])
    if len(after) > LONGEST_BESIDE:
        after = (after[:LONGEST_BESIDE].rpartition(" ")[0] or after[:LONGEST_BESIDE]) + " …"
    return before, after


def code(sentence: str) -> Markup:
    """A sentence as HTML, with the words between backticks as code."""
    parts = sentence.split("`")
    return Markup("").join(Markup("<code>{}</code>" if n % 2 else "{}").format(part) for n, part in enumerate(parts))


def ended(state: str) -> str:
    """Words for the state of a check, in place of a verdict."""
    return NO_VERDICT if state == "done" else STATES[state]


def kind_of_verdict(verdict: Labelled) -> str:
    """The CSS classes of a verdict: without a side if it abstains, paler than its side if it leans."""
    if verdict.label is None:
        return "plain"
    return "neutral" if verdict.abstained else KINDS[verdict.label] + " leans" * bool(verdict.leans)


def grounding(check: FactCheck) -> str:
    """The outcome of the grounding test, in a sentence; empty if there was nothing to test."""
    if check.verdict and grounding_in_words(check.verdict) == NOT_TESTED:
        return UNTESTED
    return grounding_sentence(check, percent)


def both_sides(check: FactCheck) -> dict[str, list[Quotation]]:
    """The evidence for and against, strongest stance first, if the verdict is conflicting; else empty."""
    if check.verdict is None or check.verdict.label is not Label.CONFLICTING:
        return {}
    conflict = find_conflict(check.claim.reading, check.evidence)
    deciding = {"supports": conflict.support, "refutes": conflict.refutation} if conflict else {}
    sides: dict[str, list[Quotation]] = {"supports": [], "refutes": []}
    for quotation in by_strength(check):
        for side, found in sides.items():
            if stance_of(quotation.evidence.stance)[0] == side or quotation.evidence is deciding.get(side):
                found.append(quotation)
    return sides if all(sides.values()) else {}


def with_other_side(check: FactCheck) -> FactCheck:
    """The check, with the strongest sentence for the other side added to its evidence if it is not there."""
    label = check.verdict.label if check.verdict else Label.CONFLICTING
    wanted = () if label is Label.CONFLICTING else OTHER_SIDE.get(label, BOTH)
    taking = [one for one in (*check.evidence, *check.sentences) if stance_of(one.stance)[0] in wanted]
    other = max(taking, key=lambda one: one.weight * stance_of(one.stance)[1], default=None)
    if other is None or place_of(other) in map(place_of, check.evidence):
        return check
    return replace(check, evidence=(*check.evidence, other))


def place_of(evidence: Evidence) -> tuple[str, int]:
    """(id of its page, offset there), which identify a sentence."""
    return evidence.sentence.page_id, evidence.sentence.start


def pages_without_evidence(check: FactCheck) -> list[Hit]:
    """Pages without evidence, best first."""
    cited = {evidence.sentence.page_id for evidence in check.evidence}
    return [hit for hit in check.pages if hit.page.id not in cited]


def page_score(hit: Hit) -> str:
    """How well a page was found, and by what, in words."""
    return f"Page score {hit.score:.2f}, found by {FOUND_BY.get(hit.method, hit.method)}"


def sentence_score(evidence: Evidence) -> str:
    """The relevance of a sentence, and the score that orders it if that is another, in words."""
    relevance = f"relevance {percent(evidence.relevance)}"
    if evidence.rank_score is None:
        return relevance
    if evidence.rank_method == RULE:
        return f"{relevance}, decided by a rule"
    shown = percent(evidence.rank_score) if evidence.rank_method == RANKER else f"{evidence.rank_score:.2f}"
    return f"{relevance}, {RANKED_BY.get(evidence.rank_method, evidence.rank_method)} {shown}"


def sentences_not_used(check: FactCheck) -> list[Evidence]:
    """The best sentences that are not evidence."""
    cited = {place_of(evidence) for evidence in check.evidence}
    left = (evidence for evidence in check.sentences if place_of(evidence) not in cited)
    return sorted(left, key=lambda evidence: -evidence.weight)[:UNUSED_SENTENCES]


def marked_claim(check: FactCheck) -> list[tuple[str, Span | None]]:
    """The claim as typed, cut at its spans and at what the evidence contradicts."""
    text, differs = check.claim.text, next((one.differs for one in check.evidence if one.differs), None)
    differing = [Span(text[slice(*differs.claim)], *differs.claim, DIFFERS)] if differs else []
    return cut_at_spans(text, [*spans_in_text(check), *differing])


def cut_at_spans(claim: str, spans: Iterable[Span]) -> list[tuple[str, Span | None]]:
    """The claim, cut at its spans. Of overlapping spans, one that differs is used, else the longest."""
    used: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.type != DIFFERS, s.start - s.end, s.start)):
        inside = 0 <= span.start < span.end <= len(claim)
        if inside and all(span.end <= other.start or other.end <= span.start for other in used):
            used.append(span)
    return cut_at(claim, ((span.start, span.end, span) for span in used))


def cut_at(text: str, places: Iterable[tuple[int, int, Thing]]) -> list[tuple[str, Thing | None]]:
    """The text in pieces, each with what stands there, if anything. places: (start, end, what); of two that overlap, the
    later one begins where the first ends.
    """
    parts: list[tuple[str, Thing | None]] = []
    position = 0
    for begins, end, what in sorted(places, key=itemgetter(0)):
        start = max(position, begins)
        if start < end:
            parts += [(text[position:start], None), (text[start:end], what)]
            position = end
    return [part for part in [*parts, (text[position:], None)] if part[0]]


def stance_of(stance: Stance) -> tuple[str, float]:
    """The likeliest stance, and its probability."""
    shares = {"supports": stance.supports, "refutes": stance.refutes, "neutral": stance.neutral}
    name = max(shares, key=shares.__getitem__)
    return name, shares[name]


def timing_bars(timings: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """(stage, milliseconds, percent of the longest)."""
    longest = max(timings.values(), default=0) or 1
    return [(name, spent, round(100 * spent / longest, 1)) for name, spent in timings.items()]


def day(text: str) -> str:
    """2026-11-21T10:02:13Z -> 21 November 2026, 10:02 UTC; 2026-11-21 -> 21 November 2026."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment.day} {moment:%B %Y}" if len(text) == 10 else f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def percent(share: float) -> str:
    """0.973 -> 97%; 100% and 0% only for certainties."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{round(100 * share)}%"


def spent(milliseconds: float) -> str:
    """81.3 -> 81 ms; 2410 -> 2.4 s."""
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 1 else "< 1 ms"


def kind_of_span(kind: str) -> str:
    """The type of a span, as a word."""
    return SPANS.get(kind, kind.replace("_", " ").lower())


def colour_of_span(kind: str) -> str:
    """The CSS class of a span: a page's title, a phrase, or a name."""
    return {"TITLE": "title", "NOUN_PHRASE": "phrase", "ANSWER": "phrase"}.get(kind, "named")


def init_app(app: Flask) -> None:
    filters: tuple[Callable[..., Any], ...] = (
        *(day, percent, spent, stance_of, kind_of_span, colour_of_span, headline, ended, kind_of_verdict, in_words),
        *(link, origin, kind_of_share, shows_share, page_score, sentence_score, code, nested),
    )
    named = {function.__name__: function for function in filters}
    app.jinja_env.filters.update(named, number=lambda value: f"{value:,}")
    app.jinja_env.globals.update(
        ANSWER_TYPES=ANSWER_TYPES,
        DIFFERS=DIFFERS,
        LABELS=LABELS,
        KINDS=KINDS,
        NO_VERDICT=NO_VERDICT,
        ONE_SOURCE=ONE_SOURCE,
        STAGES=STAGES,
        STATES=STATES,
    )


def _read_page(hit: Hit | None, quotations: Sequence[Quotation]) -> ReadPage:
    first, also = quotations[0].evidence.sentence, quotations[0].evidence.also
    if hit is None:
        return ReadPage(first.title, "", tuple(quotations), (), also=also)
    page = hit.page
    places = ((q.evidence.sentence.start, q.evidence.sentence.end, q) for q in quotations if q.anchor)
    parts = tuple(Part(*part) for part in cut_at(page.text, places))
    found = {"link": link(page), "origin": origin(page), "score": page_score(hit), "corpus": page.corpus, "also": also}
    return ReadPage(page.title, page.source, tuple(quotations), parts, **found)
