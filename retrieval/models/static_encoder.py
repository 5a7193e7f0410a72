"""Vectors without a network, for when the encoder is too slow: the mean of one stored vector per word piece.

To make them, the encoder that ships reads each word piece alone. The mean of all vectors is subtracted from each, and
frequent pieces count less, by the logarithm of their rank in a vocabulary ordered by frequency (after Model2Vec,
Tulkens and van Dongen 2024). Early pieces of a text count more than late ones, because titles and subjects come first;
docs/benchmarks.md has the effect of both. The vectors are made once, in a minute, and stored in a file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.onnx import LONGEST_TOKENIZED, SEPARATOR, START, OnnxEncoder, open_tokenizer, token_ids
from retrieval.protocols import Matrix

FIRST_WORD = 999  # pieces before it are the model's special tokens or unused
HALF = 8  # the piece at this position, from 0, counts half as much as the first
PIECES_AT_ONCE = 256
MODEL = catalogue.STATIC


class StaticEncoder:
    """Texts to unit vectors, a hundred times as fast as the encoder from which it is made. Implements `Encoder`."""

    dimension = MODEL.dimension

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """folder: of the file with the word pieces' vectors, which is made if missing. Raises ModelError."""
        file = folder / f"{MODEL.id.replace('@', '-')}.npy"
        vectors = _read(file)
        if vectors is None:
            vectors = make_vectors(threads)
            _write(file, vectors)
        self._vectors = vectors
        self._early = (1 / (1 + np.arange(LONGEST_TOKENIZED) / HALF)).astype(np.float32)
        self._tokenizer = open_tokenizer(catalogue.load(MODEL)[-1])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Matrix (len(texts), dimension), float32, rows of unit length; a text without words gets the first axis."""
        means = np.zeros((len(texts), self.dimension), np.float32)
        for row, pieces in enumerate(token_ids(self._tokenizer, texts)):
            if pieces:
                means[row] = self._early[: len(pieces)] @ self._vectors[pieces]
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        means[lengths[:, 0] == 0, 0] = 1.0
        unit: Matrix = (means / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)
        return unit


def make_vectors(threads: int = 0) -> Matrix:
    """A weighted vector for each word piece of the vocabulary, (pieces, dimension). Raises ModelError."""
    encoder = OnnxEncoder(threads=threads)
    count = open_tokenizer(catalogue.load(MODEL)[-1]).get_vocab_size()
    vectors = np.zeros((count, MODEL.dimension), np.float32)
    for first in range(FIRST_WORD, count, PIECES_AT_ONCE):
        pieces = range(first, min(first + PIECES_AT_ONCE, count))
        vectors[pieces.start : pieces.stop] = encoder.run([[START, piece, SEPARATOR] for piece in pieces])
    vectors[FIRST_WORD:] -= vectors[FIRST_WORD:].mean(axis=0)
    ranks = np.maximum(np.arange(count) - FIRST_WORD, 0) + 1
    weighted: Matrix = (vectors * np.log1p(ranks)[:, None]).astype(np.float32)
    return weighted


def _read(file: Path) -> Matrix | None:
    try:
        vectors = np.load(file, mmap_mode="r")
        return vectors if vectors.ndim == 2 and vectors.shape[1] == MODEL.dimension else None
    except (OSError, ValueError):
        return None


def _write(file: Path, vectors: Matrix) -> None:
    """Write the file completely or not at all."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.npy")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(draft, vectors)
        os.replace(draft, file)
    except OSError as error:
        raise ModelError(f"{file} cannot be written ({error.strerror}). Set DATA to a writable folder.") from error
