"""Pairs for the small network to learn from the large one, whose answer is learned where nobody has given one.

Hinton, Vinyals and Dean, Distilling the knowledge in a neural network, 2015. Most pairs are FEVER's claims beside what
search finds for them, as the first pass reads them; the others are ones that the reader was not trained on.
"""

from __future__ import annotations

import functools
import gzip
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import Path

from evaluation.fever.data import GoldClaim
from evaluation.kept_apart import is_kept_apart_claim
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import PageStore, PairScorer
from retrieval.stages.sentences import likely_sentences
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.text.sentences import with_title
from training.data.found import READ, first_hits
from training.data.pairs import UNKNOWN, Pair, learning_claims, made_once, read_nli
from training.reader.rounds import later_pairs

AT_ONCE = 2_000  # pairs that the teacher reads before they are written
LONGEST = 70  # words of claim and sentence; longer ones cost more than they are worth
# What search finds is mostly beside the point, and the teacher is sure of it: such pairs teach little, and few are kept.
OBVIOUS_BELOW, OBVIOUS_ABOVE, OBVIOUS_KEPT = 0.02, 0.97, 0.25  # relevance, neutral stance; share
# Pairs that the reader has seen few of. Their gold label stays beside the teacher's.
UNSEEN = {"infotabs": 3_000, "wanli-subset": 2_000, "te-new-protocols": 3_000, "mnli-llmsknow": 2_000}


def distilled_pairs(
    store: EmbeddedStore, first: PairScorer, reader: PairScorer, data: Path, work: Path, count: int, seed: int
) -> list[Pair]:
    """What the small network learns from: of `count` pairs that the reader has read all but most obvious ones, and gold.

    The gold ones are those of a later round of the reader's, chosen by the first pass. work: keeps what was found and
    what was read, so that another run goes on from there.
    """
    learned, kept_apart = learning_claims(data)
    pairs = made_once(work / "untaught.jsonl.gz", lambda: untaught_pairs(store, learned, data, kept_apart, seed))[
        :count
    ]
    known: list[Pair] = []
    for at in range(0, len(pairs), AT_ONCE):
        untaught = pairs[at : at + AT_ONCE]
        known += made_once(work / "taught" / f"{at:06}.jsonl.gz", functools.partial(teach, untaught, reader))
        print(f"{len(known)} of {len(pairs)} pairs", flush=True)
    gold = made_once(work / "gold.jsonl.gz", lambda: later_pairs(store, first, learned, kept_apart, data, seed))
    rng = random.Random(seed)
    mix = [*(pair for pair in known if not obvious(pair) or rng.random() < OBVIOUS_KEPT), *gold]
    rng.shuffle(mix)
    return mix


def obvious(pair: Pair) -> bool:
    """Whether the teacher is sure that the sentence is beside the point."""
    assert pair.taught is not None
    relevance, _, _, neutral = pair.taught
    return relevance < OBVIOUS_BELOW and neutral > OBVIOUS_ABOVE


def untaught_pairs(
    store: PageStore, learned: Sequence[GoldClaim], data: Path, kept_apart: Sequence[GoldClaim], seed: int
) -> list[Pair]:
    """Pairs for the teacher to read, in random order."""
    rng = random.Random(seed)
    claims = [claim.text for claim in learned] + published_claims(data)
    pairs = [*found_pairs(store, claims), *exchanged_evidence(data, kept_apart)]
    for name, share in UNSEEN.items():
        pairs += read_nli(data / "training" / "nli", kept_apart, rng, {name: share})
    pairs = [pair for pair in pairs if len(f"{pair.claim} {pair.sentence}".split()) <= LONGEST]
    rng.shuffle(pairs)
    return pairs


def published_claims(data: Path) -> list[str]:
    """FEVER's claims of `fever-train-nli`, which is without those of `claims-train.jsonl`, each once."""
    with gzip.open(data / "training" / "nli" / "fever-train-nli.jsonl.gz", "rt", encoding="utf-8") as lines:
        claims = dict.fromkeys(json.loads(line)["claim"] for line in lines)
    return [claim for claim in claims if not is_kept_apart_claim(claim)]


def found_pairs(store: PageStore, claims: Iterable[str]) -> Iterator[Pair]:
    """Each claim with the sentences that search finds for it. Nobody has said what they say of it."""
    for claim in claims:
        for sentence in likely_sentences(claim, first_hits(store, claim), READ):
            yield Pair(claim, with_title(sentence), UNKNOWN, UNKNOWN)


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


def teach(pairs: Iterable[Pair], reader: PairScorer) -> Iterator[Pair]:
    """The pairs with the reader's relevance and stance, rounded: people read files of them too."""
    for pair in pairs:
        relevances, (stance,) = judge_texts(reader, pair.claim, [pair.sentence])
        yield replace(pair, taught=[round(share, 4) for share in (*relevances, *astuple(stance))])
