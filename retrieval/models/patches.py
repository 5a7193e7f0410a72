"""Stores a network that was trained further as its difference from the published file: an eighth of its size.

The difference is taken byte by byte, modulo 256. Most int8 weights of a network that is trained further stay or move by
one step, so nearly all bytes of the difference are 0, 1 or 255. zlib (RFC 1950) with runs of zeros and Huffman codes is
a twentieth larger than LZMA for a large network but is read three times as fast, which matters at every start of a
process. The first published changes are LZMA in an xz file, which can be read too.
"""

from __future__ import annotations

import lzma
import zlib

import numpy as np

XZ = b"\xfd7zXZ\x00"


def difference(before: bytes, after: bytes) -> bytes:
    """The changes with which `changed` turns `before` into `after`. Raises ValueError if their lengths differ."""
    if len(before) != len(after):
        raise ValueError(f"{len(before)} and {len(after)} bytes: only files of one length can be compared.")
    moved = np.frombuffer(after, np.uint8) - np.frombuffer(before, np.uint8)
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
    return packer.compress(moved.tobytes()) + packer.flush()


def changed(before: bytes, changes: bytes) -> bytes:
    """The file that results from `changes`. Raises ValueError if they belong to a file of another length."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ) if changes.startswith(XZ) else zlib.decompressobj()
    moved = unpacker.decompress(changes, len(before) + 1)
    if len(moved) != len(before) or not unpacker.eof:
        raise ValueError("These changes belong to another file.")
    return (np.frombuffer(before, np.uint8) + np.frombuffer(moved, np.uint8)).tobytes()
