"""int8 weights of a network that was trained further, at the scales of its earlier weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# The largest int8 weight of onnxruntime's reduced range, which keeps CPUs without VNNI from overflowing.
LARGEST_WEIGHT = 64
DEAD_ZONE = 0.5  # steps from which a weight counts as changed; a larger value makes the file of changes smaller

Array = NDArray[Any]


def moved_steps(weight: Array, before: Array, scale: Array, dead_zone: float = DEAD_ZONE) -> Array:
    """The int8 weights nearest to the trained ones; weights that moved less than `dead_zone` steps stay as they were.

    weight, before: (inputs, outputs); scale: size of a step, one per output.
    """
    moved = weight / np.where(scale == 0, 1, scale) - before
    kept = np.where(np.abs(moved) < dead_zone, 0, np.sign(moved) * np.maximum(1, np.round(np.abs(moved))))
    steps: Array = np.clip(before + kept, -LARGEST_WEIGHT, LARGEST_WEIGHT).astype(np.int8)
    return steps
