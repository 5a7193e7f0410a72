"""Page vectors as bytes: 384 of them instead of 1,536 as float32, for an error of a thousandth in a cosine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import NoVectors
from retrieval.protocols import Encoder, Matrix, PairEncoder
from retrieval.text.sentences import pair_text
from retrieval.types import Page

Bytes = NDArray[np.int8]
START_OF_TEXT = 400  # characters; an article's first sentences say what it is about
PAIRS = "+pairs"  # in the id of vectors of (title, text) pairs, which cannot be compared with the model's other vectors


def page_text(page: Page, characters: int = START_OF_TEXT) -> str:
    """A page as input for an encoder of single texts: its title and the start of its text."""
    return pair_text(page.title, page.text[:characters])


def page_vectors(encoder: Encoder, pages: Sequence[Page], characters: int = START_OF_TEXT) -> Matrix:
    """Vectors of pages, (len(pages), dimension). An encoder of pairs reads title and text up to its own limit; others read
    the title and `characters` of the text.
    """
    if isinstance(encoder, PairEncoder):
        return encoder.encode_pairs([(page.title, page.text) for page in pages])
    return encoder.encode([page_text(page, characters) for page in pages])


def vectors_id(encoder: Encoder, model: str, characters: int = START_OF_TEXT) -> str:
    """A model's id with the kind of its input, because vectors of different inputs must not be compared."""
    if isinstance(encoder, PairEncoder):
        return model + PAIRS
    return model if characters == START_OF_TEXT else f"{model}+{characters}"


def quantised(vectors: Matrix) -> Bytes:
    """Vectors of any length, (…, dimension), as signed bytes with the same direction."""
    longest = np.abs(vectors).max(axis=-1, keepdims=True)
    rounded: Bytes = np.rint(vectors * (127.0 / np.maximum(longest, 1e-12))).astype(np.int8)
    return rounded


def cosines(rows: Bytes, queries: Bytes) -> Matrix:
    """Cosine of every row with every query: (rows, queries), float32. All-zero rows give 0."""
    left, right = rows.astype(np.float32), queries.astype(np.float32)
    lengths = np.linalg.norm(left, axis=1)[:, None] * np.linalg.norm(right, axis=1)[None, :]
    similarities: Matrix = (left @ right.T) / np.maximum(lengths, 1e-12)
    return similarities


def other_encoder(place: object, model: str) -> NoVectors:
    """The error for query vectors whose dimension differs from the pages'."""
    return NoVectors(
        f"The pages of {place} have vectors by {model or 'another encoder'}, which cannot be compared with these. "
        f"Use that encoder, or make others with `python -m indexing vectors --store {place}`."
    )
