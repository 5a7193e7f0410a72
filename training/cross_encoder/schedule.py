"""The order of the training pairs, and the learning rate's schedule."""

from __future__ import annotations

import random

SORTED_TOGETHER = 50  # so many batches' pairs are sorted by length together


def batch_plan(lengths: list[int], batch_size: int, rng: random.Random) -> list[list[int]]:
    """Indices of each batch. Neighbouring pairs are sorted by length, to save padding; batches are shuffled."""
    plan: list[list[int]] = []
    window = batch_size * SORTED_TOGETHER
    for first in range(0, len(lengths), window):
        indices = sorted(range(first, min(first + window, len(lengths))), key=lambda i: lengths[i])
        batches = [indices[at : at + batch_size] for at in range(0, len(indices), batch_size)]
        rng.shuffle(batches)
        plan += batches
    return plan


def rate_at(done: float, warmup: float) -> float:
    """Share of the learning rate when this share of the training is done: linearly up, then linearly down."""
    return done / warmup if done < warmup else (1 - done) / (1 - warmup)
