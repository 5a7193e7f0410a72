"""Low-rank adapters of a network of 8-bit matrices: what a later training changed, in a thirtieth of the network's size.

A training teaches two narrow matrices beside each wide one (Hu et al., LoRA, ICLR 2022). Their product is rounded to
whole steps of the wide matrix and added to it when the network is opened, so that reading takes no longer than before.
Both are int8, and each of their products has a power of two as its scale: the sums are exact in float32, and so every
machine makes the same network, whatever order it adds in.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

ADAPTERS = ".adapters"  # the ending of their file's name
LARGEST = 127
EXACT = 24  # bits of a float32's fraction
PARTS = ("down", "up", "shifts", "place")


@dataclass(frozen=True)
class Adapter:
    """The sum over ranks of down[:, rank] x up[rank] / 2**shifts[rank], in steps of a matrix (inputs, outputs).

    down: (inputs, ranks) int8. up: (ranks, outputs) int8. shifts: (ranks,) int8. place: where the matrix begins in its
    file, in bytes.
    """

    down: Array
    up: Array
    shifts: Array
    place: int

    def moves(self) -> Array:
        """(inputs, outputs), float32: by how many steps each weight moves, not yet rounded."""
        scaled = np.ldexp(self.up.astype(np.float32), -self.shifts.astype(np.int32)[:, None])
        return np.asarray(self.down.astype(np.float32) @ scaled)


def fitted(down: Array, up: Array, place: int) -> Adapter:
    """The adapter nearest to down @ up, (inputs, ranks) and (ranks, outputs) floats, in steps of the matrix at `place`."""
    left, left_rest = np.linalg.qr(down.astype(np.float64))
    right, right_rest = np.linalg.qr(up.T.astype(np.float64))
    inner, sizes, outer = np.linalg.svd(left_rest @ right_rest.T)
    columns, rows = left @ inner * np.sqrt(sizes), (right @ outer.T * np.sqrt(sizes)).T
    most = np.maximum(np.abs(columns).max(axis=0), 1e-9), np.maximum(np.abs(rows).max(axis=1), 1e-9)
    shifts = np.floor(np.log2(LARGEST**2 / (most[0] * most[1])))
    spare = EXACT - int(np.ceil(np.log2(LARGEST**2 * len(sizes))))  # bits by which the scales may differ
    shifts = np.minimum(shifts, shifts.min() + spare)
    small = LARGEST / most[0]
    return Adapter(
        np.round(columns * small).astype(np.int8),
        np.round(rows * (2.0**shifts / small)[:, None]).astype(np.int8),
        shifts.astype(np.int8),
        place,
    )


def packed(adapters: Mapping[str, Adapter]) -> bytes:
    """A file of adapters, each under the name of its matrix."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {f"{name}.{part}": getattr(one, part) for name, one in adapters.items() for part in PARTS}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def unpacked(content: bytes) -> dict[str, Adapter]:
    """What `packed` wrote. Raises ValueError if it is no such file."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        names = [name.removesuffix(".place") for name in arrays if name.endswith(".place")]
        return {name: Adapter(**{part: arrays[f"{name}.{part}"] for part in PARTS}) for name in names}


def adapted(matrices: bytes, content: bytes) -> bytes:
    """A file of uint8 matrices with its adapters added. Raises ValueError if they belong to another file."""
    steps = np.frombuffer(matrices, np.uint8).copy()
    for name, one in unpacked(content).items():
        moves = np.rint(one.moves()).ravel()
        matrix = steps[int(one.place) :][: moves.size]
        if matrix.size != moves.size:
            raise ValueError(f"The adapter of {name} belongs to another file.")
        matrix[:] = np.clip(matrix + moves, 0, 255)
    return steps.tobytes()
