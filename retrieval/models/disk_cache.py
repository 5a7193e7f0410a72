"""A disk cache of text vectors, keyed by content, so that no text is embedded twice."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from retrieval.protocols import Encoder, Matrix, PairEncoder

KEYS_A_QUERY = 500
ROUNDING = 0.01  # most by which float16 changes the length of a unit vector

Item = TypeVar("Item", str, tuple[str, str])


class CachedEncoder:
    """An `Encoder` that looks up a text's vector before computing it. Safe to use from several threads and processes.

    Vectors are stored as float16, which changes the cosine of two texts by less than 0.001.
    """

    def __init__(self, encoder: Encoder, model: str, path: Path, megabytes: int) -> None:
        """model: the encoder's name, part of every key. If the file cannot be used, nothing is cached."""
        self._encoder, self._model = encoder, model
        self.dimension = encoder.dimension
        self._most = megabytes * 1_000_000 // (2 * self.dimension + 40)
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, check_same_thread=False, timeout=10, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=OFF")  # vectors that a crash loses are computed again
            self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB UNIQUE, vector BLOB)")
        except (OSError, sqlite3.Error):
            self._file = None

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Matrix (len(texts), dimension), float32; rows have the length that the encoder gives them."""
        return self._vectors(texts, self._encoder.encode)

    def _vectors(self, items: Sequence[Item], encode: Callable[[Sequence[Item]], Matrix]) -> Matrix:
        """The vectors of texts or pairs of texts, from the cache if possible."""
        keys = [self._key(item) for item in items]
        known = self._known(keys)
        missing = {key: item for key, item in zip(keys, items, strict=True) if key not in known}
        if missing:
            computed = dict(zip(missing, encode(list(missing.values())).astype(np.float16), strict=True))
            self._store(computed)
            known |= computed
        if not keys:
            return np.zeros((0, self.dimension), dtype=np.float32)
        found = np.stack([known[key] for key in keys]).astype(np.float32)
        lengths: Matrix = np.linalg.norm(found, axis=1, keepdims=True)
        unit = np.abs(lengths - 1) < ROUNDING
        return np.asarray(np.where(unit, found / np.maximum(lengths, 1e-9), found), dtype=np.float32)

    def _key(self, item: str | tuple[str, str]) -> bytes:
        text = item if isinstance(item, str) else "\0".join(item)
        return hashlib.sha256(f"{self._model}\0{text}".encode("utf-8", "surrogatepass")).digest()

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, Matrix]:
        found: dict[bytes, Matrix] = {}
        if self._file is None:
            return found
        distinct = list(dict.fromkeys(keys))
        with self._lock:
            try:
                for first in range(0, len(distinct), KEYS_A_QUERY):
                    batch = distinct[first : first + KEYS_A_QUERY]
                    query = f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(batch))})"
                    for key, vector in self._file.execute(query, batch):
                        if len(vector) == 2 * self.dimension:
                            found[key] = np.frombuffer(vector, dtype=np.float16)
            except sqlite3.Error:
                return {}
        return found

    def _store(self, new: dict[bytes, Matrix]) -> None:
        if self._file is None:
            return
        with self._lock:
            try:
                rows = [(key, vector.tobytes()) for key, vector in new.items()]
                self._file.execute("BEGIN")
                self._file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                # If there are too many, the oldest go; rowids only grow.
                oldest = "DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?"
                self._file.execute(oldest, (self._most,))
                self._file.execute("COMMIT")
            except sqlite3.Error:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")


class CachedPairEncoder(CachedEncoder):
    """`CachedEncoder` for an encoder that reads title and text as a pair. Implements `PairEncoder`."""

    _encoder: PairEncoder

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """See `encode`."""
        return self._vectors(pairs, self._encoder.encode_pairs)


def cached(encoder: Encoder, model: str, path: Path, megabytes: int) -> Encoder:
    """The encoder with a cache of that size, or as it is if megabytes is 0."""
    if not megabytes:
        return encoder
    made = CachedPairEncoder if isinstance(encoder, PairEncoder) else CachedEncoder
    return made(encoder, model, path, megabytes)
