"""Ranks the sentences of all pages together; first those whose values decide a claim that compares two things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from retrieval import stage_names
from retrieval.stages.sentences import best_first, by_best_sentence
from retrieval.text.titles import without_bracket
from retrieval.types import RANKER, Evidence, FactCheck, Progress, Stance
from retrieval.verdicts.comparatives import Compared, compared

SURE = 0.96  # what the two sentences weigh, and the share of their side
METHOD = "comparison"


class Ranker(Protocol):
    """Weighs a sentence among the others of its claim."""

    def probabilities(self, claim: str, sentences: Sequence[Evidence], pages: Sequence[str]) -> list[float]:
        """The probability of each sentence to be evidence. sentences: most relevant first; pages: ids, best first."""
        ...


@dataclass(frozen=True)
class RankSentences:
    """Ranks what both hops found together, by relevance and by features of the other sentences."""

    ranker: Ranker
    name = stage_names.RANKING
    reads = ("claim", "pages", "sentences")
    writes = ("sentences", "pages")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        pages = [hit.page.id for hit in check.pages]
        shares = self.ranker.probabilities(check.claim.reading, check.sentences, pages)
        ranked = best_first(
            [replace(e, rank_score=p, rank_method=RANKER) for e, p in zip(check.sentences, shares, strict=True)]
        )
        pages_by_best = by_best_sentence(check.pages, ranked)
        yield Progress(self.name, 1, 1, replace(check, sentences=ranked, pages=pages_by_best))


@dataclass(frozen=True)
class CompareThings:
    """The two sentences come first, on the side that their values are on. Every other claim passes as it is."""

    name = stage_names.COMPARING
    reads = ("claim", "pages", "sentences")
    writes = ("sentences", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        found = compared(check.claim.reading, [hit.page for hit in check.pages])
        if found:
            check = with_comparison(check, found)
        yield Progress(self.name, 1, 1, check)


def with_comparison(check: FactCheck, found: Compared) -> FactCheck:
    """The check with both sentences first, and a note that gives the values."""
    rest = (1 - SURE) / 2
    stance = Stance(SURE, rest, rest) if found.holds else Stance(rest, SURE, rest)
    known = {one.sentence: one for one in check.sentences}
    for given in (found.first, found.second):
        before = known.get(given.sentence) or Evidence(given.sentence, SURE, stance, METHOD)
        known[given.sentence] = replace(before, stance=stance, rank_score=SURE, rank_method=RANKER)
    values = "; ".join(
        f"{without_bracket(given.sentence.title)}: {given.text}" for given in (found.first, found.second)
    )
    return replace(check, sentences=best_first(tuple(known.values())), notes=(*check.notes, f"Compared: {values}."))
