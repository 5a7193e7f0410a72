"""Pages whose title is a part of the claim, and the disambiguation rule for those whose title adds a bracket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.protocols import Encoder, PageStore
from retrieval.text.ranking import title_score
from retrieval.text.titles import fold, without_bracket
from retrieval.types import FactCheck, Hit, Page, Progress

EXACT, BRACKETED = "title", "bracket"


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
