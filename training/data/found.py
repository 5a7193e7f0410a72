"""Pairs of FEVER's claims with the sentences that search finds: gold, neutral, and with misleading titles."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evaluation.fever.data import GoldClaim, pointer_to
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import PageStore, PairScorer
from retrieval.stages.search import find_pages
from retrieval.stages.sentences import likely_sentences
from retrieval.text.ranking import title_spans
from retrieval.text.sentences import begins_with_pronoun, pair_text, with_title
from retrieval.types import Hit, Sentence
from training.data.pairs import LABEL_STANCES, NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, UNMARKED_FROM, Pair, read_as_one

FOUND_PAGES, JUDGED_SENTENCES = 10, 10  # pages per claim, and how many of their sentences the scorer judges
GOLD_PAIRS, BESIDE_PAIRS, BESIDE_PAIRS_OPEN = 2, 2, 3  # pairs per claim; an open claim has no gold
TOGETHER_SHARE, LYING_SHARE, CONTEXT_SHARE = 0.45, 0.3, 0.5
RUMOURS = ("", " (hoax)", " - experts say", " - fact")


@dataclass(frozen=True)
class Found:
    """A claim with its gold sentences and the others that search found, most relevant first.

    before: the text of the preceding sentence, by page and line.
    """

    claim: GoldClaim
    gold: tuple[Sentence, ...]
    beside: tuple[Sentence, ...]
    before: Mapping[tuple[str, int], str]


def find_candidates(store: PageStore, scorer: PairScorer, claims: Sequence[GoldClaim]) -> Iterator[Found]:
    """The sentences that search finds for each claim, ordered by `scorer`'s relevance."""
    for claim in claims:
        hits = first_hits(store, claim.text)
        pages = {hit.page.id: hit.page for hit in hits} | store.get(sorted({page for page, _ in claim.pointers}))
        sentences = [sentence for page in pages.values() for sentence in page.sentences()]
        before = {
            pointer_to(after): first.text for first, after in pairwise(sentences) if first.page_id == after.page_id
        }
        likely = likely_sentences(claim.text, hits, JUDGED_SENTENCES)
        relevance, _ = judge_texts(scorer, claim.text, [with_title(sentence) for sentence in likely])
        ranked = sorted(zip(relevance, range(len(likely)), strict=True), reverse=True)
        beside = [
            likely[row]
            for score, row in ranked
            if pointer_to(likely[row]) not in claim.pointers and (score < UNMARKED_FROM or not claim.evidence)
        ]
        gold = tuple(sentence for sentence in sentences if pointer_to(sentence) in claim.pointers)
        yield Found(claim, gold, tuple(beside), before)


def first_hits(store: PageStore, claim: str) -> list[Hit]:
    """The first `FOUND_PAGES` pages that search finds."""
    return find_pages(store, claim, claim, title_spans(claim))[:FOUND_PAGES]


def found_groups(found: Sequence[Found], rng: random.Random) -> Iterator[list[Pair]]:
    """The pairs of each claim: sentences that decide it, and sentences that do not."""
    for entry in found:
        gold = rng.sample(entry.gold, len(entry.gold))
        pairs = [*_gold_pairs(entry, gold[:GOLD_PAIRS], rng), *_beside_pairs(entry, rng)]
        if rng.random() < LYING_SHARE:
            pairs += _lying_title(entry, gold, found, rng)
        if rng.random() < TOGETHER_SHARE:
            pairs += _together(entry, gold, rng)
        yield pairs


def _gold_pairs(entry: Found, gold: Sequence[Sentence], rng: random.Random) -> Iterator[Pair]:
    """The pairs of gold sentences; the stance is unknown where a sentence does not decide alone."""
    stance = LABEL_STANCES[entry.claim.label]
    for sentence in gold:
        known = stance if _alone(entry, sentence) else UNKNOWN
        yield Pair(entry.claim.text, _read(entry, sentence, rng), 1, known)


def _beside_pairs(entry: Found, rng: random.Random) -> Iterator[Pair]:
    for sentence in entry.beside[: BESIDE_PAIRS if entry.claim.evidence else BESIDE_PAIRS_OPEN]:
        after_gold = (sentence.page_id, sentence.line - 1) in entry.claim.pointers
        text = with_title(sentence) if after_gold else _read(entry, sentence, rng)
        yield Pair(entry.claim.text, text, 0, NEUTRAL)


def _read(entry: Found, sentence: Sentence, rng: random.Random) -> str:
    """The sentence with its title; if it begins with a pronoun, sometimes after the preceding sentence."""
    before = entry.before.get(pointer_to(sentence), "")
    if before and begins_with_pronoun(sentence.text) and rng.random() < CONTEXT_SHARE:
        return pair_text(sentence.title, f"{before} {sentence.text}")
    return with_title(sentence)


def _lying_title(entry: Found, gold: Sequence[Sentence], others: Sequence[Found], rng: random.Random) -> list[Pair]:
    """One pair whose title states the claim, belongs to another page, or is missing.

    A title is not evidence: the sentence alone decides, and if it does not, the claim stays open whatever the title.
    """
    claim, stance = entry.claim.text, LABEL_STANCES[entry.claim.label]
    statement = claim.rstrip(".")
    alone = next((sentence for sentence in gold if _alone(entry, sentence)), None)
    if alone is None or stance not in (SUPPORTS, REFUTES) or rng.random() < 0.5:
        silent = rng.choice([*entry.beside[:6], *rng.choice(others).beside[:3]] or [None])
        title = statement + rng.choice(RUMOURS)
        return [Pair(claim, pair_text(title, silent.text), 0, NEUTRAL)] if silent else []
    if begins_with_pronoun(alone.text):
        other = rng.choice(others).gold
        title = other[0].title if other else "Weather"
        return [] if title == alone.title else [Pair(claim, pair_text(title, alone.text), 0, NEUTRAL)]
    if alone.title.split(" (")[0].casefold() not in alone.text.casefold():
        return []
    return [Pair(claim, pair_text(rng.choice([statement, ""]), alone.text), 1, stance)]


def _together(entry: Found, gold: Sequence[Sentence], rng: random.Random) -> list[Pair]:
    """One pair of several sentences with the claim's label; neutral if the evidence group lacks a sentence."""
    stance = LABEL_STANCES[entry.claim.label]
    shown, known = [*gold[:3], *entry.beside], stance
    if stance != NEUTRAL and not gold:
        return []
    if len(gold) > 1 and not any(_alone(entry, sentence) for sentence in gold) and rng.random() < 0.5:
        shown, known = [gold[0], *entry.beside], NEUTRAL
    shown = shown[: rng.randint(3, 5)]
    rng.shuffle(shown)
    if not shown:
        return []
    return [Pair(entry.claim.text, read_as_one(map(with_title, shown)), UNKNOWN, known)]


def _alone(entry: Found, sentence: Sentence) -> bool:
    """Whether the sentence alone is a group of evidence."""
    return frozenset({pointer_to(sentence)}) in entry.claim.evidence
