# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""Chooses a training's arithmetic: bfloat16 is several times faster than float32 on some CPUs, slower on others."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

TIMED_STEPS = 10


def faster_of(seconds: Callable[[torch.dtype], float], pairs: int) -> torch.dtype:
    """The faster arithmetic; prints both speeds. seconds: measures a step in the given arithmetic."""
    took = {kind: seconds(kind) for kind in (torch.bfloat16, torch.float32)}
    best = min(took, key=lambda kind: took[kind])
    speeds = ", ".join(f"{kind} {pairs / each:.1f} pairs/s" for kind, each in took.items())
    print(f"{speeds} per thread; using {best}", flush=True)
    return best


def processor_seconds(step: Callable[[], object]) -> float:
    """The processor time of one step, after an untimed first one; other programs do not affect it."""
    step()
    begun = time.process_time()
    for _ in range(TIMED_STEPS):
        step()
    return (time.process_time() - begun) / TIMED_STEPS
