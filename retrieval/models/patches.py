"""A network trained further from a published one, stored as its difference from that file: a sixth of its size.

The difference is taken byte by byte, modulo 256. Most int8 weights of a network trained on stay what they were or move
by one step, so that nearly all bytes of the difference are 0, 1 or 255. LZMA's adaptive coder comes within a twentieth
of their entropy when it is told not to expect that bytes depend on those before them (xz's lc, lp, pb) and hardly to look
for repetitions (depth): there are none.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from typing import Any

import numpy as np

_NO_CONTEXT: Sequence[dict[str, Any]] = [
    {
        "id": lzma.FILTER_LZMA2,
        "dict_size": 4096,
        "lc": 0,
        "lp": 0,
        "pb": 0,
        "mode": lzma.MODE_NORMAL,
        "mf": lzma.MF_HC4,
        "nice_len": 273,
        "depth": 1,
    }
]


def difference(before: bytes, after: bytes) -> bytes:
    """What `changed` needs to turn `before` into `after`. Raises ValueError if their lengths differ."""
    if len(before) != len(after):
        raise ValueError(f"{len(before)} and {len(after)} bytes: only files of one length can be compared.")
    moved = np.frombuffer(after, np.uint8) - np.frombuffer(before, np.uint8)
    return lzma.compress(moved.tobytes(), lzma.FORMAT_XZ, filters=_NO_CONTEXT)


def changed(before: bytes, changes: bytes) -> bytes:
    """The file that results from `changes`. Raises ValueError if they belong to a file of another length."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    moved = unpacker.decompress(changes, max_length=len(before) + 1)
    if len(moved) != len(before) or not unpacker.eof:
        raise ValueError("These changes belong to another file.")
    return (np.frombuffer(before, np.uint8) + np.frombuffer(moved, np.uint8)).tobytes()
