"""Finds the sentences of pages that may decide the claim, and ranks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.models.fitted.ranker import SentenceRanker
from retrieval.protocols import PageStore, PairScorer
from retrieval.text.languages import ENGLISH, Language
from retrieval.text.quantities.comparing import compare
from retrieval.text.quantities.statements import statements
from retrieval.text.ranking import name_in_claim, overlap_scores, title_spans
from retrieval.text.sentences import as_read
from retrieval.text.witnesses import Witnesses, stating, stating_titles, titles_note, witnesses
from retrieval.types import RANKER, SECOND_HOP, Evidence, FactCheck, Hit, Progress, Sentence, Stance

PAGE_WEIGHT = 0.5  # of a page's search score, relative to the words that a sentence shares with the claim
FIRST_LINE = 0.05  # an article's first sentence says what its subject is
COMPARABLE = 0.4  # a quantity that can be compared with the claim's
FIRST, FOUND = 20, 0.1  # sentences read first, and the relevance from which one of them is enough
UNREAD = Stance(0.0, 0.0, 1.0)  # stance of text that has not been judged
HOP_SENTENCES, HOP_LEAST = 3, 0.05  # sentences whose names are followed, and their least relevance
HOP_PAGES, HOP_READ = 8, 8  # pages that are followed, and sentences of them that are read


@dataclass(frozen=True)
class SentenceScores:
    """Judges the sentences that share most words with the claim, the less likely half only if no other is relevant."""

    scorer: PairScorer
    top_k: int
    language: Language = ENGLISH
    name = stage_names.SENTENCES
    reads = ("claim", "pages")
    writes = ("sentences", "pages", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        eligible = witnesses(check.claim.reading, check.pages)
        chosen = most_likely(check.claim.reading, eligible, self.top_k, self.language)
        done: list[Evidence] = []
        yield Progress(self.name, 0, max(1, len(chosen)), check)
        for part in (chosen[:FIRST], chosen[FIRST:]):
            if done and max(evidence.relevance for evidence in done) >= FOUND:
                break
            for scored in score_sentences(self.scorer, check.claim.reading, part, "claim"):
                done += scored
                yield Progress(self.name, len(done), len(chosen), replace(check, sentences=best_first(done)))
        check = replace(check, sentences=best_first(done), pages=by_best_sentence(check.pages, done))
        total = max(1, len(chosen))
        yield Progress(self.name, total, total, check.noting(eligible.note, titles_note(done)))


@dataclass(frozen=True)
class SecondHop:
    """Reads the pages that the best sentences name: some claims need two pages."""

    store: PageStore
    scorer: PairScorer
    language: Language = ENGLISH
    name = stage_names.SECOND_HOP
    reads = ("claim", "pages", "sentences")
    writes = ("pages", "sentences")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        hits = self._named_pages(check)
        eligible = witnesses(check.claim.reading, hits, [hit.page for hit in check.pages])
        chosen = most_likely(check.claim.reading, eligible, HOP_READ, self.language)
        done = list(check.sentences)
        for scored in score_sentences(self.scorer, check.claim.reading, chosen, SECOND_HOP):
            done += scored
            yield Progress(self.name, len(done) - len(check.sentences), len(chosen), check)
        pages = by_best_sentence((*check.pages, *hits), done)
        total = max(1, len(chosen))
        yield Progress(self.name, total, total, replace(check, sentences=best_first(done), pages=pages))

    def _named_pages(self, check: FactCheck) -> list[Hit]:
        """New pages by title, from names and links in the best sentences."""
        known = {hit.page.id for hit in check.pages}
        links = {hit.page.id: hit.page.links for hit in check.pages}
        names: dict[str, None] = {}
        for evidence in check.sentences[:HOP_SENTENCES]:
            if evidence.relevance >= HOP_LEAST:
                text = evidence.sentence.text
                names.update(dict.fromkeys(link for link in links.get(evidence.sentence.page_id, ()) if link in text))
                names.update(dict.fromkeys(text[a:b] for a, b in title_spans(text).values() if text[a].isupper()))
        titled = self.store.find_titles(list(names), 10 * HOP_PAGES)
        new = [page for page, whole in titled if whole and page.id not in known]
        scores = overlap_scores(check.claim.reading, [f"{page.title} {page.text}" for page in new], self.language)
        ranked = sorted(zip(scores, new, strict=True), key=lambda pair: (-pair[0], pair[1].id))
        return [Hit(page, score, SECOND_HOP) for score, page in ranked[:HOP_PAGES]]


@dataclass(frozen=True)
class RankSentences:
    """Ranks the sentences of both hops together, by relevance and by features of the other sentences."""

    ranker: SentenceRanker
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


def likely_sentences(claim: str, hits: Sequence[Hit], top_k: int) -> list[Sentence]:
    """The sentences for a model to read, best first, among those that may be evidence."""
    return most_likely(claim, witnesses(claim, hits), top_k)


def most_likely(claim: str, eligible: Witnesses, top_k: int, language: Language = ENGLISH) -> list[Sentence]:
    """The best `top_k` by the words that they share with the claim, the score of their page, and their form."""
    overlaps = overlap_scores(claim, [f"{s.title} {s.text}" for _, s in eligible.sentences], language)
    measured = language is ENGLISH and bool(statements(claim))
    scored = [
        (overlap + PAGE_WEIGHT * score + _form_score(claim, sentence, measured), sentence)
        for overlap, (score, sentence) in zip(overlaps, eligible.sentences, strict=True)
    ]
    scored.sort(key=lambda pair: (-pair[0], pair[1].page_id, pair[1].line))
    return [sentence for _, sentence in scored[:top_k]]


def _form_score(claim: str, sentence: Sentence, measured: bool) -> float:
    """A sentence's score for its line, and for a quantity comparable with the claim's. measured: the claim has one."""
    first = FIRST_LINE if sentence.line == 0 else 0.0
    return first + (COMPARABLE if measured and compare(claim, sentence.title, sentence.text) else 0.0)


def score_sentences(
    scorer: PairScorer, claim: str, sentences: Sequence[Sentence], method: str
) -> Iterator[list[Evidence]]:
    """The sentences as evidence, batch by batch. They are read with the title of their page, and with its other name if
    the claim uses that; neither is read if it states something about the claim.
    """
    stated = stating_titles(scorer, claim, sentences)
    unread = [
        Evidence(s, 0.0, UNREAD, method, title_read=s.title not in stated, also=name_in_claim(claim, s))
        for s in sentences
    ]
    stating_names = stating(scorer, claim, (one.title_as_read for one in unread if one.also))
    unread = [replace(one, also="") if one.title_as_read in stating_names else one for one in unread]
    for indices, relevances, stances in scorer.score(claim, [as_read(evidence) for evidence in unread]):
        yield [
            replace(unread[index], relevance=relevance, stance=stance)
            for index, relevance, stance in zip(indices, relevances, stances, strict=True)
        ]


def best_first(scored: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Sorted by rank score, or by relevance if there is none; ties by page and line."""
    return tuple(sorted(scored, key=lambda e: (-_place(e), e.sentence.page_id, e.sentence.line)))


def by_best_sentence(hits: Sequence[Hit], scored: Sequence[Evidence]) -> tuple[Hit, ...]:
    """Pages in the order of their best sentence; unread pages keep their order behind them."""
    best: dict[str, float] = {}
    for evidence in scored:
        best[evidence.sentence.page_id] = max(_place(evidence), best.get(evidence.sentence.page_id, 0.0))
    return tuple(sorted(hits, key=lambda hit: -best.get(hit.page.id, -1.0)))


def _place(evidence: Evidence) -> float:
    return evidence.relevance if evidence.rank_score is None else evidence.rank_score
