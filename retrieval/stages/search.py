"""From the claim to candidate pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from retrieval.protocols import PageStore
from retrieval.text.languages import ENGLISH, Language
from retrieval.text.ranking import title_score, title_spans
from retrieval.text.spelling import claim_words, respelt_runs, respelt_text
from retrieval.text.titles import fold, without_bracket
from retrieval.types import FactCheck, Hit, Page, Progress, Span

NAMED_PAGES = 200  # by their titles, before both lists are one
WORDED_PAGES = 50  # by BM25
CONTEXT_PAGES = 3  # of those kept, found with the claim's context where the claim alone does not find them


@dataclass(frozen=True)
class PageSearch:
    """Pages named in the claim and pages that share its words, in one order.

    A page's score is its BM25 score relative to the best one's, plus what its title's match is worth. Words that no page
    holds are read as the most usual one that they are a letter away from; known: spelt right though no page holds them.
    A claim out of a text is searched a second time with its context, which may bring the last `CONTEXT_PAGES` of the pages.
    """

    store: PageStore
    top_k: int
    known: Collection[str] = ()
    language: Language = ENGLISH
    name = "pages"
    reads = ("claim", "spans")
    writes = ("claim", "spans", "pages", "corpus", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim = check.claim.text
        doubted = [word for word in claim_words(claim) if word not in self.known] if self.language is ENGLISH else []
        respelt = self.store.respell(doubted)
        runs = respelt_runs(title_spans(claim, language=self.language), respelt)
        read = replace(check.claim, respelt=respelt_text(claim, respelt)) if respelt else check.claim
        hits = self._with_context(check.claim.context, read.reading, self._find(claim, read.reading, runs))
        spans = check.spans + tuple(_title_spans(claim, hits, runs))
        notes = (*check.notes, *([_respelt_note(read.respelt)] if respelt else ()))
        found = replace(check, claim=read, pages=tuple(hits), spans=spans, corpus=self.store.info(), notes=notes)
        yield Progress(self.name, 1, 1, found)

    def _find(self, claim: str, reading: str, runs: dict[str, tuple[int, int]]) -> list[Hit]:
        named, worded = self.store.find_pages(list(runs), reading, NAMED_PAGES, WORDED_PAGES)
        return rank_pages(claim, named, worded, runs)

    def _with_context(self, context: str, reading: str, hits: list[Hit]) -> list[Hit]:
        if not context:
            return hits[: self.top_k]
        both = f"{context} {reading}"
        own = {hit.page.id for hit in hits[: self.top_k]}
        more = [hit for hit in self._find(both, both, title_spans(both)) if hit.page.id not in own][:CONTEXT_PAGES]
        kept = hits[: self.top_k - len(more)]
        least = kept[-1].score if kept else 1.0
        return [*kept, *(replace(hit, score=min(hit.score, least), method="context") for hit in more)]


def _respelt_note(respelt: str) -> str:
    return f"No page holds some word of the claim as it is spelt, so it was read as “{respelt}”."


def rank_pages(
    claim: str, named: list[tuple[Page, bool]], worded: list[tuple[Page, float]], runs: dict[str, tuple[int, int]]
) -> list[Hit]:
    """Both result lists as one, best first; ties by id. `method` says which of them found a page."""
    best = worded[0][1] if worded else 1.0
    hits = {page.id: Hit(page, score / best, "text") for page, score in worded}
    for page, whole in named:
        score = title_score(claim, page, whole, runs)
        found = hits.get(page.id)
        hits[page.id] = Hit(page, found.score + score, "title and text") if found else Hit(page, score, "title")
    return sorted(hits.values(), key=lambda hit: (-hit.score, hit.page.id))


def _title_spans(claim: str, hits: list[Hit], runs: dict[str, tuple[int, int]]) -> Iterator[Span]:
    """Parts of the claim that name one of the pages kept."""
    keys = {
        fold(title)
        for hit in hits
        if "title" in hit.method
        for title in (hit.page.title, without_bracket(hit.page.title), *hit.page.names)
    }
    for key, (start, end) in sorted(runs.items(), key=lambda run: run[1]):
        if key in keys:
            yield Span(claim[start:end], start, end, "TITLE")
