"""Stores a network after further training as its difference from the published file: an eighth of its size.

The difference is taken byte by byte, modulo 256. Further training leaves most int8 weights unchanged or moves them by
one step, so nearly all bytes of the difference are 0, 1 or 255. zlib (RFC 1950), limited to runs and Huffman codes,
makes files a twentieth larger than LZMA's but reads them three times as fast, which matters at every start. The first
published patches are LZMA in an xz file, which can still be read.
"""

from __future__ import annotations

import lzma
import zlib

import numpy as np

XZ = b"\xfd7zXZ\x00"


def difference(before: bytes, after: bytes) -> bytes:
    """The patch with which `changed` turns `before` into `after`. Raises ValueError if their lengths differ."""
    if len(before) != len(after):
        raise ValueError(f"{len(before)} and {len(after)} bytes: only files of equal length can be compared.")
    steps = np.frombuffer(after, np.uint8) - np.frombuffer(before, np.uint8)
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
    return packer.compress(steps.tobytes()) + packer.flush()


def changed(before: bytes, changes: bytes) -> bytes:
    """The file that results from `changes`. Raises ValueError if they belong to a file of a different length."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ) if changes.startswith(XZ) else zlib.decompressobj()
    steps = unpacker.decompress(changes, len(before) + 1)
    if len(steps) != len(before) or not unpacker.eof:
        raise ValueError("These changes belong to another file.")
    return (np.frombuffer(before, np.uint8) + np.frombuffer(steps, np.uint8)).tobytes()
