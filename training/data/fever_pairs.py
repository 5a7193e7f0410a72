"""Training pairs from FEVER's claims: their gold sentences, and others that are not evidence."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from evaluation.fever.data import GoldClaim, pointer_to
from retrieval.protocols import PageStore, PairScorer
from retrieval.stages.search import NAMED_PAGES, WORDED_PAGES, rank_pages
from retrieval.stages.sentences import best_first, likely_sentences, score_sentences
from retrieval.text.ranking import title_spans
from retrieval.text.sentences import with_title
from retrieval.text.titles import word_runs
from retrieval.text.words import content_words
from retrieval.types import Page, Sentence
from training.data.pairs import LABEL_STANCES, NEUTRAL, REFUTES, UNKNOWN, UNMARKED_FROM, Pair, learning_claims, read_nli

CANDIDATE_PAGES = 10
# Sentences per claim that recipe `fast` reads, and how many of these the network judges to choose negatives.
LIKELY_READ, JUDGED = 40, 8


def training_pairs(store: PageStore, data: Path, epochs: int, seed: int) -> Iterator[Pair]:
    """All epochs' pairs in order: each epoch has every claim with new negatives, and a share of the NLI pairs."""
    learned, _ = learning_claims(data)
    rng = random.Random(seed)
    nli = read_nli(data, rng)
    rng.shuffle(nli)
    for epoch in range(epochs):
        block = [*claim_pairs(store, learned, rng), *nli[epoch::epochs]]
        rng.shuffle(block)
        yield from block


def mined_pairs(store: PageStore, scorer: PairScorer, data: Path, seed: int) -> Iterator[Pair]:
    """The claims' gold sentences, and negatives that a first network mistakes for evidence."""
    learned, _ = learning_claims(data)
    rng = random.Random(seed)
    for claim in learned:
        gold_pages = store.get([page for page, _ in sorted(claim.pointers)])
        yield from gold_pairs(claim, gold_pages)
        for sentence in hard_negatives(store, scorer, claim, rng):
            yield Pair(claim.text, with_title(sentence), 0, NEUTRAL)


def hard_negatives(store: PageStore, scorer: PairScorer, claim: GoldClaim, rng: random.Random) -> list[Sentence]:
    """The likely sentences that the network finds most relevant, and one more that recipe `fast` reads.

    Three for a claim with evidence; five for one without, as many as the verdict reads. FEVER's gold is incomplete: for
    a claim with evidence, sentences that the network is sure of count as unmarked evidence and are left out.
    """
    runs = title_spans(claim.text)
    hits = rank_pages(
        claim.text,
        store.find_titles(list(runs), NAMED_PAGES),
        store.search_text(claim.text, top_k=WORDED_PAGES),
        runs,
    )
    likely = likely_sentences(claim.text, hits[:CANDIDATE_PAGES], LIKELY_READ)
    free = [sentence for sentence in likely if pointer_to(sentence) not in claim.pointers]
    first, rest = free[:JUDGED], free[JUDGED:]
    scored = best_first([e for batch in score_sentences(scorer, claim.text, first, "") for e in batch])
    unsure = [e.sentence for e in scored if not claim.evidence or e.relevance < UNMARKED_FROM]
    return unsure[: 3 if claim.evidence else 5] + rng.sample(rest, min(1, len(rest)))


def claim_pairs(store: PageStore, claims: Iterable[GoldClaim], rng: random.Random) -> Iterator[Pair]:
    """All pairs of the claims, gold first within each claim."""
    for claim in claims:
        candidates = candidate_pages(store, claim.text)
        gold_pages = store.get([page for page, _ in sorted(claim.pointers)])
        yield from gold_pairs(claim, gold_pages)
        for sentence in negatives(claim, gold_pages, candidates, rng):
            yield Pair(claim.text, with_title(sentence), 0, NEUTRAL)


def candidate_pages(store: PageStore, claim: str, top_k: int = CANDIDATE_PAGES) -> list[Page]:
    """Candidate pages for a claim: those with the longest titles that occur in it, and those that share its words."""
    runs = sorted((claim[start:end] for start, end in word_runs(claim)), key=len, reverse=True)
    named = [page for page, whole in store.find_titles(runs, top_k=2 * top_k) if content_words(page.title)]
    found = [page for page, _ in store.search_text(claim, top_k=top_k)]
    half = top_k // 2
    pages = {page.id: page for page in [*named[:half], *found[:half], *named[half:], *found[half:]]}
    return list(islice(pages.values(), top_k))


def gold_pairs(claim: GoldClaim, pages: dict[str, Page]) -> Iterator[Pair]:
    """The claim with each sentence of its evidence.

    A sentence that refutes only together with others has an unknown stance.
    """
    alone = {place for group in claim.evidence if len(group) == 1 for place in group}
    stance = LABEL_STANCES[claim.label]
    for sentence in sentences_of(pages.values()):
        place = pointer_to(sentence)
        if any(place in group for group in claim.evidence):
            known = place in alone or stance != REFUTES
            yield Pair(claim.text, with_title(sentence), 1, stance if known else UNKNOWN)


def negatives(claim: GoldClaim, gold: dict[str, Page], candidates: list[Page], rng: random.Random) -> list[Sentence]:
    """Random sentences that are not gold: two of the five that share most words with the claim, one from a gold page,
    and one from another page."""

    def free(pages: Iterable[Page]) -> list[Sentence]:
        return [s for s in sentences_of(pages) if pointer_to(s) not in claim.pointers]

    everything = free({page.id: page for page in [*gold.values(), *candidates]}.values())
    words = content_words(claim.text)
    alike = sorted(everything, key=lambda s: -len(words & content_words(with_title(s))))[:5]
    chosen = rng.sample(alike, min(2, len(alike)))
    beside = free(gold.values()) or free(candidates[:1])
    elsewhere = free(page for page in candidates if page.id not in gold)
    chosen += [rng.choice(group) for group in (beside, elsewhere) if group]
    return list(dict.fromkeys(chosen))


def sentences_of(pages: Iterable[Page]) -> list[Sentence]:
    """All sentences of the pages."""
    return [sentence for page in pages for sentence in page.sentences()]
