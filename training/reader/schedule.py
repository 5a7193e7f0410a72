"""The rounds of the reader's training: how fast each learns, and in which order it sees pairs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.models.onnx import Ids
from training.data.pairs import Pair


@dataclass(frozen=True)
class Round:
    """One round of a training. rates: share of the learning rate at its start and end.

    minutes 0: no limit; with a limit, the rate falls with time as well as with steps. share: of the minutes of the whole
    training. frozen: layers that are not trained.
    """

    name: str
    frozen: int
    rates: tuple[float, float]
    minutes: float = 0.0
    share: float = 1.0
    learning_rate: float = 5e-5
    warmup: float = 0.05
    weight_decay: float = 0.01
    batch_size: int = 24
    max_tokens: int = 112
    checkpoint_minutes: float = 5.0
    seed: int = 0


ROUNDS = (
    Round("published", frozen=6, rates=(1.0, 0.7), share=0.3, seed=1),
    Round("found", frozen=4, rates=(0.75, 0.4), share=0.35, warmup=0.03, seed=2),
    Round("mined", frozen=4, rates=(0.4, 0.0), share=0.35, warmup=0.03, seed=3),
)
# A training that continues an exported reader: all kinds of published pairs, then FEVER's claims among the best of them.
_LATER = Round("", frozen=0, rates=(1.0, 0.0), learning_rate=6e-5, batch_size=48)
LATER_ROUNDS = (
    replace(_LATER, name="broad", rates=(1.0, 0.9), share=0.4, warmup=0.03, seed=12),
    replace(_LATER, name="again", rates=(0.9, 0.0), share=0.6, warmup=0.01, seed=11),
)
# One that continues with the claims that people type.
EVERYDAY_ROUNDS = (
    replace(_LATER, name="everyday", rates=(1.0, 0.03), warmup=0.03, batch_size=40, checkpoint_minutes=6.0, seed=31),
)


def rate_in(plan: Round, done: float) -> float:
    """Share of the learning rate when this share of the round is done: linearly up, then linearly between `rates`."""
    if done < plan.warmup:
        return plan.rates[0] * done / plan.warmup
    first, last = plan.rates
    return first + (last - first) * (done - plan.warmup) / (1 - plan.warmup)


def claim_batches(
    rows: Sequence[Ids], pairs: Sequence[Pair], batch_size: int, rng: random.Random, window: int = 40
) -> list[list[int]]:
    """Indices of each batch. Neighbouring pairs of one claim stay together, because they differ in what decides.

    Within a window of batches, claims are sorted by length to save padding; then batches are shuffled.
    """
    batches: list[list[int]] = []
    for first in range(0, len(rows), batch_size * window):
        groups: dict[str, list[int]] = {}
        for index in range(first, min(first + batch_size * window, len(rows))):
            groups.setdefault(pairs[index].claim, []).append(index)
        by_length = sorted(groups.values(), key=lambda group: max(len(rows[index]) for index in group))
        flat = [index for group in by_length for index in group]
        cut = [flat[at : at + batch_size] for at in range(0, len(flat), batch_size)]
        rng.shuffle(cut)
        batches += cut
    return batches
