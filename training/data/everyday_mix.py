"""The pairs that teach both networks everyday claims: FEVER's, everyday ones, pairs made by rule, earlier ones again."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from retrieval.stores.embedded.store import EmbeddedStore
from training.data.everyday import as_typed, everyday_pairs
from training.data.fever_train import chosen_claims, claim_groups, contrast_pairs, fever_training_claims
from training.data.made.compared import compared_pairs
from training.data.made.denials import denial_pairs
from training.data.made.ranks import ended_pairs, rank_pairs
from training.data.made.relations import kin_pairs, role_pairs
from training.data.made.skills import (
    exchanged_examples,
    looked_at,
    period_examples,
    reworded_examples,
    shuffled_sentences,
)
from training.data.mix import fool_me_twice
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, Pair, by_claim, read_nli, word_count


@dataclass(frozen=True)
class EverydayMix:
    """The number of pairs of each kind. claims: FEVER's, by stance. nli: by file of training/nli. most_words: of a pair."""

    claims: Mapping[int, int]
    nli: Mapping[str, int]
    denials: int
    ranks: int
    ended: int
    makers: int
    periods: int
    exchanged: int
    contrasts: int
    misleading: int
    most_words: int
    kin: int = 0
    roles: int = 0
    compared: int = 0
    mined: int = 0


# For the larger network, which trains on some 300 tokens per second and core: short pairs, most of them new to it.
READER_MIX = EverydayMix(
    claims={SUPPORTS: 5_500, REFUTES: 9_000, NEUTRAL: 4_500},
    nli={
        "vitaminc-real": 7_000,
        "vitaminc-synthetic": 2_000,
        "mnli-dev": 800,
        "te-new-protocols": 800,
        "infotabs": 1_200,
        "wanli-subset": 600,
        "negation-nli": 700,
        "conjnli": 300,
        "feverous-dev": 200,
    },
    denials=3_000,
    ranks=1_800,
    ended=900,
    makers=1_500,
    periods=1_200,
    exchanged=1_200,
    contrasts=1_200,
    misleading=500,
    most_words=75,
)
# For MiniLM, which reads ten times as fast.
FIRST_PASS_MIX = EverydayMix(
    claims={SUPPORTS: 26_000, REFUTES: 27_000, NEUTRAL: 20_000},
    nli={
        "vitaminc-real": 31_000,
        "vitaminc-synthetic": 8_000,
        "mnli-dev": 2_000,
        "te-new-protocols": 2_000,
        "infotabs": 4_000,
        "wanli-subset": 2_000,
        "negation-nli": 2_000,
        "conjnli": 1_500,
    },
    denials=8_000,
    ranks=2_500,
    ended=900,
    makers=3_000,
    periods=2_500,
    exchanged=3_000,
    contrasts=3_000,
    misleading=2_000,
    most_words=90,
    kin=3_000,
    roles=1_500,
    compared=2_800,
    mined=16_000,
)


def everyday_mix(store: EmbeddedStore, data: Path, mix: EverydayMix, mined: Sequence[Pair], seed: int) -> list[Pair]:
    """All pairs in order of use: claims shuffled, the pairs of a claim together and spelt alike.

    mined: pairs of FEVER's claims, from `training.data.fever_pairs.mined_pairs`. Only these have sentences that search
    finds; without them the trained network finds fewer of FEVER's gold sentences.
    """
    rng = random.Random(seed)
    groups = list(claim_groups(chosen_claims(fever_training_claims(data), mix.claims, rng), rng))
    plain = [pair for group in groups for pair in group if "\n" not in pair.sentence and pair.stance != UNKNOWN]
    pairs = everyday_pairs(data, mix.most_words, rng)
    rng.shuffle(plain)
    pairs += islice(denial_pairs(plain, rng), mix.denials)
    pairs += _made(store, mix, seed, rng)
    contrasts = list(contrast_pairs(data))
    pairs += rng.sample(contrasts, min(mix.contrasts, len(contrasts)))
    pairs += islice(fool_me_twice(data), mix.misleading)
    pairs += read_nli(data, rng, mix.nli)
    groups += by_claim(pair for pair in pairs if word_count(pair) <= mix.most_words)
    groups += by_claim(islice((pair for pair in mined if word_count(pair) <= 2 * mix.most_words), mix.mined))
    rng.shuffle(groups)
    return list(as_typed([pair for group in groups for pair in group if word_count(pair) <= 2 * mix.most_words], rng))


def _made(store: EmbeddedStore, mix: EverydayMix, seed: int, rng: random.Random) -> list[Pair]:
    pages = looked_at(store, seed)
    sentences = shuffled_sentences(pages, rng)
    pairs = [*islice(rank_pairs(sentences, rng), mix.ranks), *islice(ended_pairs(sentences, rng), mix.ended)]
    pairs += reworded_examples(pages, mix.makers, rng)
    pairs += period_examples(pages, mix.periods, rng)
    pairs += [*islice(kin_pairs(sentences, rng), mix.kin), *islice(role_pairs(sentences, rng), mix.roles)]
    pairs += compared_pairs(pages, mix.compared, rng)
    return [*pairs, *exchanged_examples(pages, mix.exchanged, rng)]
