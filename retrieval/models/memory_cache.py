"""Vectors kept in memory, so that what is encoded again and again (pages, mostly) is encoded once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from retrieval.protocols import Encoder, Matrix

KEPT = 20_000  # vectors; 30 MB at 384 numbers


class CachedEncoder:
    """An encoder that remembers its latest vectors. Implements `Encoder`; safe to share between threads."""

    def __init__(self, encoder: Encoder, kept: int = KEPT) -> None:
        """kept: vectors held at most; the one that was not asked for longest goes first."""
        self.dimension = encoder.dimension
        self._encoder, self._kept = encoder, kept
        self._vectors: OrderedDict[bytes, Matrix] = OrderedDict()
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Matrix (len(texts), dimension), as the encoder gives it."""
        keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        with self._lock:
            known = {key: self._vectors[key] for key in keys if key in self._vectors}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            known |= dict(zip(missing, self._encoder.encode(list(missing.values())), strict=True))
        with self._lock:
            for key in keys:
                self._vectors[key] = known[key]
                self._vectors.move_to_end(key)
            while len(self._vectors) > self._kept:
                self._vectors.popitem(last=False)
        return np.array([known[key] for key in keys], dtype=np.float32).reshape(len(keys), self.dimension)
