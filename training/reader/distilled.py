"""Pairs for the small network to learn from the large one: both read them, and their answer is learned beside gold.

Hinton, Vinyals and Dean, Distilling the knowledge in a neural network, 2015. The pairs are ones that neither network was
trained on, so that the teacher says what it thinks and not what it was told.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import Path

from evaluation.fever.data import GoldClaim
from retrieval.models.fitted.joined_reading import joined_stances
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import PairScorer
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.text.sentences import with_title
from training.data.found import Found, find_candidates
from training.data.pairs import UNKNOWN, Pair, learning_claims, made_once, read_nli
from training.reader.rounds import later_pairs

AT_ONCE = 2_000  # pairs that the teacher reads before they are written
OF_A_CLAIM = 3  # sentences that search finds for it
LONGEST = 70  # words of claim and sentence; longer ones cost more than they are worth
# Pairs that the reader has seen few of. Their gold label stays beside the teacher's.
UNSEEN = {"infotabs": 3_000, "wanli-subset": 2_000, "te-new-protocols": 3_000, "mnli-llmsknow": 2_000}


def distilled_pairs(
    store: EmbeddedStore, first: PairScorer, reader: PairScorer, data: Path, work: Path, count: int, seed: int
) -> list[Pair]:
    """What the small network learns from: `count` pairs that both networks have read, and gold ones.

    The gold ones are those of a later round of the reader's. work: keeps what was read, so that another run goes on from there.
    """
    learned, kept_apart = learning_claims(data)
    found = list(find_candidates(store, first, learned))
    pairs = untaught_pairs(found, data, kept_apart, seed)[:count]
    known: list[Pair] = []
    for at in range(0, len(pairs), AT_ONCE):
        untaught = pairs[at : at + AT_ONCE]
        known += made_once(work / "taught" / f"{at:06}.jsonl.gz", functools.partial(teach, untaught, first, reader))
        print(f"{len(known)} of {len(pairs)} pairs", flush=True)
    gold = later_pairs(store, first, learned, kept_apart, data, seed)
    return random.Random(seed).sample([*known, *gold], len(known) + len(gold))


def untaught_pairs(found: Sequence[Found], data: Path, kept_apart: Sequence[GoldClaim], seed: int) -> list[Pair]:
    """Pairs for the teacher to read, in random order."""
    rng = random.Random(seed)
    pairs = [*found_pairs(found, rng), *exchanged_evidence(data, kept_apart)]
    for name, share in UNSEEN.items():
        pairs += read_nli(data / "training" / "nli", kept_apart, rng, {name: share})
    pairs = [pair for pair in pairs if len(f"{pair.claim} {pair.sentence}".split()) <= LONGEST]
    rng.shuffle(pairs)
    return pairs


def found_pairs(found: Iterable[Found], rng: random.Random) -> Iterator[Pair]:
    """Each claim with some of what search finds. Nobody has said what those sentences say of it."""
    for one in found:
        for sentence in rng.sample(one.beside, min(OF_A_CLAIM, len(one.beside))):
            yield Pair(one.claim.text, with_title(sentence), UNKNOWN, UNKNOWN)


def exchanged_evidence(data: Path, kept_apart: Sequence[GoldClaim]) -> Iterator[Pair]:
    """VitaminC's claims with sentences that it gives for other claims about the same: they differ in single facts."""
    known = read_nli(data / "training" / "nli", kept_apart, random.Random(0), {"vitaminc-real": 1_000_000})
    seen = {(pair.claim, pair.sentence) for pair in known}
    claims_of, sentences_of = dict[str, list[str]](), dict[str, list[str]]()
    for pair in known:
        claims_of.setdefault(pair.sentence, []).append(pair.claim)
        sentences_of.setdefault(pair.claim, []).append(pair.sentence)
    for claim, sentences in sentences_of.items():
        others = {other for sentence in sentences for other in claims_of[sentence]}
        for sentence in sorted({sentence for other in others for sentence in sentences_of[other]}):
            if (claim, sentence) not in seen:
                yield Pair(claim, sentence, UNKNOWN, UNKNOWN)


def teach(pairs: Iterable[Pair], first: PairScorer, reader: PairScorer) -> Iterator[Pair]:
    """The pairs with the reader's relevance and both networks' stance, rounded: people read files of them too."""
    for pair in pairs:
        _, before = judge_texts(first, pair.claim, [pair.sentence])
        relevances, after = judge_texts(reader, pair.claim, [pair.sentence])
        (stance,) = joined_stances(before, after)
        yield replace(pair, taught=[round(share, 4) for share in (*relevances, *astuple(stance))])
