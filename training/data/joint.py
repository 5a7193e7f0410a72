"""Examples in which the network reads a claim and several sentences together, as for the verdict."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from evaluation.fever.data import GoldClaim
from training.data.pairs import LABEL_STANCES, UNKNOWN, Pair

FEWEST_TOGETHER, MOST_TOGETHER = 3, 4  # sentences read together; a claim without evidence has four mined ones


def joint_pairs(claims: Iterable[GoldClaim], mined: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """One pair per claim: all its mined sentences together, and the claim's label.

    mined: pairs of single sentences, grouped by claim, gold first. Claims with and without evidence get equally many
    sentences, or the number alone would reveal the label.
    """
    labels = {claim.text: claim.label for claim in claims}
    for text, group in groupby(mined, key=lambda pair: pair.claim):
        if text not in labels:
            continue
        gold: list[str] = []
        rest: list[str] = []
        for pair in group:
            (gold if pair.relevance == 1 else rest).append(pair.sentence)
        chosen = (gold[:3] + rest)[: rng.randint(FEWEST_TOGETHER, MOST_TOGETHER)]
        rng.shuffle(chosen)
        yield Pair(
            text, "\n".join(" ".join(sentence.split()) for sentence in chosen), UNKNOWN, LABEL_STANCES[labels[text]]
        )
