"""Pairs with everyday claims (`../shared/data/training/everyday-pairs`), and claims spelt as people type them."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from training.data.pairs import Pair, labelled_pair, learned_rows, word_count

# Pairs from each file; few from files that the data's README calls noisy or whose wording reveals the label.
SHARES = {
    "creak-explanations": 11_600,
    "boolq-statements": 5_500,
    "boolq-questions": 1_500,
    "strategyqa-facts": 1_500,
    "truthfulqa-misconceptions": 1_200,
    "comve-reasons": 1_500,
    "entailmentbank-steps": 1_500,
    "exfever-explanations": 1_000,
    "wordnet-classes-synthetic": 5_000,
    "wordnet-people-synthetic": 1_200,
    "wiki-superlatives-synthetic": 1_500,
    "wiki-relations-synthetic": 1_500,
}
# Shares of claims in lower case, without full stop, without accents, with a typing error; and, of the claims in lower
# case, without apostrophes.
LOWERED_SHARE, BARE, PLAIN, SLIP, RUN_ON = 0.15, 0.3, 0.1, 0.04, 0.3


def everyday_pairs(data: Path, most_words: int, rng: random.Random, shares: Mapping[str, int] = SHARES) -> list[Pair]:
    """At most the given number of pairs from each file, none longer than `most_words` words."""
    pairs: list[Pair] = []
    for name, share in shares.items():
        path = data / "training" / "everyday-pairs" / f"{name}.jsonl.gz"
        read = (labelled_pair(row, " ".join(row["evidence"].split()), row.get("title")) for row in learned_rows(path))
        found = [pair for pair in read if word_count(pair) <= most_words]
        pairs += rng.sample(found, min(share, len(found)))
    return pairs


def as_typed(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """The pairs, with some claims in lower case, without full stop or accents, or with a typing error.

    A claim is spelt alike in its adjacent pairs.
    """
    last, spelt = "", ""
    for pair in pairs:
        if pair.claim != last:
            last, spelt = pair.claim, _typed(pair.claim, rng)
        yield replace(pair, claim=spelt)


def _typed(claim: str, rng: random.Random) -> str:
    if rng.random() < BARE:
        claim = claim.rstrip(".")
    if rng.random() < PLAIN:
        claim = "".join(c for c in unicodedata.normalize("NFD", claim) if not unicodedata.combining(c))
    if rng.random() < SLIP:
        claim = _slip(claim, rng)
    if rng.random() >= LOWERED_SHARE:
        return claim
    return claim.lower().replace("'", "") if rng.random() < RUN_ON else claim.lower()


def _slip(claim: str, rng: random.Random) -> str:
    """The claim with two neighbouring letters swapped, or one left out, inside a long word."""
    places = [at for at in range(1, len(claim) - 2) if claim[at - 1 : at + 3].isalpha()]
    if not places:
        return claim
    at = rng.choice(places)
    swapped = claim[at + 1] + claim[at] if rng.random() < 0.5 else claim[at]
    return claim[:at] + swapped + claim[at + 2 :]
