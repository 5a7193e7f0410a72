"""Finds pages by the claim's parts: as titles, with a rule for those that add a bracket, and as phrases in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from retrieval import stage_names
from retrieval.protocols import Encoder, PageStore
from retrieval.text.ranking import overlap_scores, title_score
from retrieval.text.titles import fold, without_bracket
from retrieval.types import FactCheck, Hit, Page, Progress

EXACT, BRACKETED, TEXT = "title", "bracket", "text"


@dataclass(frozen=True)
class TitleMatch:
    """Exact titles score 1; titles that match except for a bracket score by the bracket's similarity to the claim (Nie,
    Chen and Bansal, AAAI 2019; the thesis's figure 13).

    cutoff: least cosine of bracket and claim. limit: bracketed pages kept. used: the encoder's name. found: pages looked
    up by title.
    """

    store: PageStore
    encoder: Encoder
    cutoff: float
    limit: int
    used: str = ""
    found: int = 500
    name = stage_names.TITLES
    reads = ("claim", "spans")
    writes = ("pages", "corpus", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim = check.claim.statement
        places = {fold(span.text): (span.start, span.end) for span in check.spans}
        keys = sorted(filter(None, places), key=lambda key: (-len(key), places[key]))
        found = self.store.find_titles(keys, self.found)
        exact = [page for page, whole in found if whole]
        exact.sort(key=lambda page: (-title_score(claim, page, True, places), page.id))
        bracketed = self._ranked(claim, [page for page, whole in found if not whole])
        hits = (*(Hit(page, 1.0, EXACT) for page in exact), *bracketed)
        check = check.telling(
            self.name,
            f"{len(exact)} exact titles; {len(bracketed)} with a bracket, by {self.used or 'similarity'}, "
            f"cutoff {self.cutoff:g}, at most {self.limit}.",
        )
        yield Progress(self.name, 1, 1, replace(check, pages=hits, corpus=self.store.info()))

    def _ranked(self, claim: str, pages: Sequence[Page]) -> list[Hit]:
        """Pages whose bracket is similar enough to the claim, best first."""
        if not pages or not self.limit:
            return []
        brackets = [page.title[len(without_bracket(page.title)) :].strip(" ()") for page in pages]
        different = list(dict.fromkeys(brackets))
        vectors = self.encoder.encode([claim, *different])
        cosines = dict(zip(different, map(float, vectors[1:] @ vectors[0]), strict=True))
        scored = [Hit(page, cosines[bracket], BRACKETED) for page, bracket in zip(pages, brackets, strict=True)]
        kept = [hit for hit in scored if hit.score > self.cutoff]
        return sorted(kept, key=lambda hit: (-hit.score, hit.page.id))[: self.limit]


@dataclass(frozen=True)
class TextMatch:
    """Pages whose text contains a span of the claim as a phrase, in BM25's order, after those found before.

    If the corpus has vectors by `model`, the next stage chooses by them, so only ids and scores are passed on
    (`FactCheck.found`). Otherwise it has to encode pages, so only the likeliest by their words go on, `encoded` of them
    together with those with a bracketed title; all if None. first: no stage before this one finds pages.
    """

    store: PageStore
    top_k: int
    _: KW_ONLY
    first: bool = False
    encoded: int | None = None
    model: str = ""
    name = stage_names.TEXT
    writes = ("pages", "found", "corpus", "details")

    @property
    def reads(self) -> tuple[str, ...]:
        return ("claim", "spans") if self.first else ("claim", "spans", "pages")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        phrases = list({fold(span.text): span.text for span in check.spans}.values())
        before = () if self.first else check.pages
        corpus = self.store.info()
        hits: tuple[Hit, ...] = ()
        found: tuple[tuple[str, float], ...] = ()
        if self.encoded is not None and corpus.vectors and corpus.vector_model == self.model:
            ranked = self.store.rank_text("", phrases, self.top_k) if phrases else []
            found = new_ids(ranked, before)
            number, new = len(ranked), len(found)
        else:
            pages = self.store.search_text("", phrases, self.top_k) if phrases else []
            every = new_hits(pages, before)
            number, new, hits = len(pages), len(every), self._worth_encoding(check, every, before)
        check = check.telling(
            self.name,
            f"{number} pages hold one of {len(phrases)} phrases (at most {self.top_k}, BM25); {new} are new"
            f"{f', of which the {len(hits)} likeliest go on' if 0 < len(hits) < new else ''}.",
        )
        done = replace(check, pages=(*before, *hits), found=found, corpus=corpus)
        yield Progress(self.name, 1, 1, done)

    def _worth_encoding(self, check: FactCheck, hits: tuple[Hit, ...], before: Sequence[Hit]) -> tuple[Hit, ...]:
        if self.encoded is None:
            return hits
        bracketed = sum(hit.method == BRACKETED for hit in before)
        return tuple(likely_pages(check.claim.statement, hits, max(0, self.encoded - bracketed)))


def new_ids(found: Sequence[tuple[str, float]], before: Sequence[Hit]) -> tuple[tuple[str, float], ...]:
    """The pages that no earlier stage has found, with scores as shares of the best one."""
    known, best = {hit.page.id for hit in before}, found[0][1] if found else 1.0
    return tuple((page_id, score / best) for page_id, score in found if page_id not in known)


def new_hits(found: Sequence[tuple[Page, float]], before: Sequence[Hit]) -> tuple[Hit, ...]:
    """As `new_ids`, with the pages in place of their ids."""
    shares = dict(new_ids([(page.id, score) for page, score in found], before))
    return tuple(Hit(page, shares[page.id], TEXT) for page, _ in found if page.id in shares)


def likely_pages(claim: str, hits: Sequence[Hit], top_k: int) -> list[Hit]:
    """The first `top_k` by their share of the claim's rare words plus their own score."""
    if len(hits) <= top_k:
        return list(hits)
    overlaps = overlap_scores(claim, [f"{hit.page.title} {hit.page.text}" for hit in hits])
    order = sorted(range(len(hits)), key=lambda row: (-overlaps[row] - hits[row].score, hits[row].page.id))
    return [hits[row] for row in order[:top_k]]
