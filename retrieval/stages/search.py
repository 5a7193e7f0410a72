"""Finds candidate pages for the claim."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.protocols import PageStore
from retrieval.text.languages import ENGLISH, Language
from retrieval.text.languages.detecting import other_than_english
from retrieval.text.names.first_sentence import lists_meanings, meanings
from retrieval.text.names.forms import with_forms
from retrieval.text.ranking import overlap_scores, subject_start, title_score, title_spans
from retrieval.text.spelling import claim_words, names, names_one_edit_away, respelt_runs, respelt_text
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import stem, stems
from retrieval.types import Claim, FactCheck, Hit, Page, Progress, Span

NAMED_PAGES = 200  # by their titles, before the two lists are joined
WORDED_PAGES = 50  # by BM25
SUBJECT = 0.5  # score for a page whose name begins the claim, which is then mostly about it
GENERAL = 1.0  # and if the plural of its title begins the claim, as in a general statement: "Otters can swim."
# Pages of the joined list whose first characters are compared with the claim by stems, so that "whales" are a whale's.
COMPARED, COMPARED_CHARACTERS = 60, 1200
LISTINGS, LISTED_PAGES = 3, 20  # disambiguation pages that are followed, and pages that they lead to
KEPT_NAMED = 2  # places for pages that the claim names by their whole title and that are not among the best
CONTEXT_PAGES = 3  # places for pages that only the claim's context finds
CONTEXT = "context"
RESPELT = "No page holds every word of the claim as it is spelt, so it was read as “{}”."
_FUNCTION_WORDS = frozenset(map(stem, ENGLISH.function_words))


@dataclass(frozen=True)
class PageSearch:
    """Pages named in the claim and pages that share its words, in one order.

    A page's score is its BM25 score relative to the best one's, plus the score of its name's match, plus the share of the
    claim's stems that it holds. A word that no page holds is read as the most common word one letter away, unless it is
    in `known` or the claim is not in English. Pages that only the claim's context finds fill the last places.
    """

    store: PageStore
    top_k: int
    known: Collection[str] = ()
    language: Language = ENGLISH
    name = stage_names.PAGES
    reads = ("claim", "spans")
    writes = ("claim", "spans", "pages", "corpus", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim = check.claim.statement
        english = self.language is ENGLISH and not other_than_english(claim)
        doubted = [word for word in claim_words(claim) if word not in self.known] if english else []
        respelt = self.store.respell(doubted)
        corrected, runs, found = self._find(check.claim, respelt)
        if meant := respelt_names(self.store, corrected.reading, [hit.page for hit in found]) if english else {}:
            respelt |= meant
            corrected, runs, found = self._find(check.claim, respelt)
        hits = with_context(self.store, corrected, with_named(claim, found, runs, self.top_k), self.top_k)
        spans = check.spans + tuple(_title_spans(claim, hits, runs))
        check = check.noting(RESPELT.format(corrected.respelt.removesuffix(".")) if respelt else "")
        done = replace(check, claim=corrected, pages=tuple(hits), spans=spans, corpus=self.store.info())
        yield Progress(self.name, 1, 1, done)

    def _find(self, claim: Claim, respelt: Mapping[str, str]) -> tuple[Claim, dict[str, tuple[int, int]], list[Hit]]:
        """The claim with corrected spelling, its runs of words, and the pages found for it."""
        text = claim.statement
        runs = respelt_runs(title_spans(text, language=self.language), respelt)
        corrected = replace(claim, respelt=respelt_text(text, respelt)) if respelt else claim
        return corrected, runs, find_pages(self.store, text, corrected.reading, runs, self.language)


def respelt_names(store: PageStore, claim: str, pages: Sequence[Page]) -> dict[str, str]:
    """Word -> its right spelling, for names that no page has but that are one edit away from a page's: "Micheal
    Schumacher". That page must share another word with the claim, so that nobody is taken for somebody else.

    pages: found for the claim as it is spelt.
    """
    respelt: dict[str, str] = {}
    known = {fold(without_bracket(page.title)) for page in pages}
    for name in (one for one in names(claim) if fold(one) not in known):
        near = names_one_edit_away(name)
        rest = stems(claim) - stems(name) - _FUNCTION_WORDS
        near_pages = [page for page, _ in store.find_titles(list(near)) if rest & stems(page.text)] if near else []
        spelt = {near[key] for page in near_pages if (key := fold(without_bracket(page.title))) in near}
        if len(spelt) == 1:
            respelt |= spelt
    return respelt


def find_pages(
    store: PageStore, claim: str, reading: str, runs: dict[str, tuple[int, int]], language: Language = ENGLISH
) -> list[Hit]:
    """Pages that the runs name, in any form, and pages with the words of the reading, best first."""
    runs = with_forms(runs)
    named, worded = store.find_pages(list(runs), reading, NAMED_PAGES, WORDED_PAGES)
    return rank_pages(claim, [*named, *meant_pages(store, [page for page, _ in named])], worded, runs, language)


def with_named(claim: str, hits: Sequence[Hit], runs: Mapping[str, tuple[int, int]], top_k: int) -> list[Hit]:
    """The hits, with at most `KEPT_NAMED` pages that the claim names by their whole title moved up to the last of the first
    `top_k` places. "Australia is larger than New Zealand" needs both pages, but many hold all the words of one.
    """
    titled = [(runs[key], hit) for hit in hits if "title" in hit.method and (key := fold(hit.page.title)) in runs]
    named = [(place, hit) for place, hit in titled if _is_name(claim, place) and not lists_meanings(hit.page)]
    whole = [hit for place, hit in named if not any(_within(place, other) for other, _ in named)]
    missed = [hit for hit in whole if hit not in hits[:top_k]][:KEPT_NAMED]
    kept = hits[: max(0, top_k - len(missed))]
    return [*kept, *missed, *(hit for hit in hits[len(kept) :] if hit not in missed)]


def _is_name(claim: str, place: tuple[int, int]) -> bool:
    """Whether these words of the claim are capitalised like a name."""
    words = claim[slice(*place)].split()
    return words[-1][0].isupper() and sum(word[0].isupper() for word in words) > len(words) / 2


def _within(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return place != other and other[0] <= place[0] and place[1] <= other[1]


def meant_pages(store: PageStore, named: Sequence[Page]) -> list[tuple[Page, bool]]:
    """Pages that the claim may mean by the title of a disambiguation page, which becomes one of their names."""
    names: dict[str, str] = {}
    for listing in [page for page in named if lists_meanings(page)][:LISTINGS]:
        names |= {fold(meaning): without_bracket(listing.title) for meaning in meanings(listing)}
    known = {page.id for page in named}
    meant = store.find_titles(list(names), LISTED_PAGES) if names else []
    return [
        (replace(page, other_names=(*page.other_names, names[fold(page.title)])), False)
        for page, whole in meant
        if whole and page.id not in known and fold(page.title) in names and not lists_meanings(page)
    ]


def context_pages(store: PageStore, claim: Claim, known: Collection[str]) -> list[Hit]:
    """At most `CONTEXT_PAGES` pages that only the claim's context finds, known ones left out; none without a context."""
    if not claim.context:
        return []
    both = f"{claim.context} {claim.reading}"
    hits = find_pages(store, both, both, title_spans(both))
    return [replace(hit, method=CONTEXT) for hit in hits if hit.page.id not in known][:CONTEXT_PAGES]


def with_context(store: PageStore, claim: Claim, hits: Sequence[Hit], top_k: int) -> list[Hit]:
    """The first `top_k` hits. Pages that only the claim's context finds take the last places, with no higher score."""
    from_context = context_pages(store, claim, {hit.page.id for hit in hits[:top_k]})[:top_k]
    kept = list(hits[: top_k - len(from_context)])
    least = kept[-1].score if kept else 1.0
    return [*kept, *(replace(hit, score=min(hit.score, least)) for hit in from_context)]


def rank_pages(
    claim: str,
    named: list[tuple[Page, bool]],
    worded: list[tuple[Page, float]],
    runs: dict[str, tuple[int, int]],
    language: Language = ENGLISH,
) -> list[Hit]:
    """Both result lists as one, best first; ties by id. `method` says which of them found a page."""
    best = worded[0][1] if worded else 1.0
    hits = {page.id: Hit(page, score / best, "text") for page, score in worded}
    begins = {key: place for key, place in runs.items() if place[0] in (0, subject_start(claim))}
    for page, whole in named:
        score = title_score(claim, page, whole, runs) + _subject_score(claim, page, whole, begins)
        by_text = hits.get(page.id)
        hits[page.id] = Hit(page, by_text.score + score, "title and text") if by_text else Hit(page, score, "title")
    ranked = sorted(hits.values(), key=_best_first)
    first, rest = ranked[:COMPARED], ranked[COMPARED:]
    texts = [f"{hit.page.title} {hit.page.text[:COMPARED_CHARACTERS]}" for hit in first]
    shares = overlap_scores(claim, texts, language)
    more = [replace(hit, score=hit.score + share) for hit, share in zip(first, shares, strict=True)]
    return [*sorted(more, key=_best_first), *rest]


def _subject_score(claim: str, page: Page, whole: bool, begins: dict[str, tuple[int, int]]) -> float:
    """The score for a claim that begins with a name of the page. begins: the claim's first names and their other forms."""
    if not begins or not title_score(claim, page, whole, begins):
        return 0.0
    start, end = begins.get(fold(page.title), (0, 0))
    return GENERAL if whole and end and fold(claim[start:end]) != fold(page.title) else SUBJECT


def _best_first(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.page.id


def _title_spans(claim: str, hits: list[Hit], runs: dict[str, tuple[int, int]]) -> Iterator[Span]:
    """Parts of the claim that name one of the pages found."""
    keys = {
        fold(title)
        for hit in hits
        if "title" in hit.method
        for title in (hit.page.title, without_bracket(hit.page.title), *hit.page.all_names)
    }
    for key, (start, end) in sorted(runs.items(), key=lambda run: run[1]):
        if key in keys:
            yield Span(claim[start:end], start, end, "TITLE")
