# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""What the trainings of all networks share: optimizer, learning rate, checkpoints, the machine's faster arithmetic."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

TIMED_STEPS = 10
HEADS_FASTER = 10  # how much faster the new heads learn than the layers below them


def heads_optimizer(layers: nn.Module, heads: nn.Module, rate: float, weight_decay: float) -> torch.optim.Optimizer:
    """AdamW for layers and for the heads above them. A group's `full` is its learning rate at its peak."""
    groups = [
        {"params": list(layers.parameters()), "full": rate},
        {"params": list(heads.parameters()), "full": HEADS_FASTER * rate},
    ]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=weight_decay, fused=True)


def set_rates(optimizer: torch.optim.Optimizer, share: float) -> None:
    """Set each group's learning rate to this share of its peak."""
    for group in optimizer.param_groups:
        group["lr"] = group["full"] * share


def save_checkpoint(path: Path, state: Mapping[str, Any]) -> None:
    """Write the checkpoint; a crash while writing keeps the previous one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(state, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def faster_of(steps: Callable[[torch.dtype], Callable[[], object]], pairs: int) -> torch.dtype:
    """The faster arithmetic: bfloat16 is several times faster than float32 on some CPUs, slower on others.

    Prints both speeds. steps: makes a training step in the given arithmetic; pairs: in a step.
    """
    took = {kind: _processor_seconds(steps(kind)) for kind in (torch.bfloat16, torch.float32)}
    best = min(took, key=lambda kind: took[kind])
    speeds = ", ".join(f"{kind} {pairs / each:.1f} pairs/s" for kind, each in took.items())
    print(f"{speeds} per thread; using {best}", flush=True)
    return best


def _processor_seconds(step: Callable[[], object]) -> float:
    """The processor time of one step, after an untimed first one; other programs do not affect it."""
    step()
    begun = time.process_time()
    for _ in range(TIMED_STEPS):
        step()
    return (time.process_time() - begun) / TIMED_STEPS
