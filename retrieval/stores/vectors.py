"""Page vectors as bytes: 384 of them say what 1,536 say in float32, to a thousandth of a cosine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import NoVectors
from retrieval.protocols import Matrix
from retrieval.types import Page

Bytes = NDArray[np.int8]
START_OF_TEXT = 400  # characters: what an article is about stands in its first sentences


def page_text(page: Page) -> str:
    """What an encoder reads of a page: its title and the start of its text."""
    return f"{page.title} : {page.text[:START_OF_TEXT]}"


def quantised(vectors: Matrix) -> Bytes:
    """Vectors of any length, (…, dimension), as signed bytes; their direction stays."""
    longest = np.abs(vectors).max(axis=-1, keepdims=True)
    rounded: Bytes = np.rint(vectors * (127.0 / np.maximum(longest, 1e-12))).astype(np.int8)
    return rounded


def cosines(rows: Bytes, queries: Bytes) -> Matrix:
    """Cosine of every row with every query: (rows, queries), float32. Rows of nothing but zeros give 0."""
    left, right = rows.astype(np.float32), queries.astype(np.float32)
    lengths = np.linalg.norm(left, axis=1)[:, None] * np.linalg.norm(right, axis=1)[None, :]
    found: Matrix = (left @ right.T) / np.maximum(lengths, 1e-12)
    return found


def other_encoder(place: object, model: str) -> NoVectors:
    """The error where queries are of another length than the pages' vectors."""
    return NoVectors(
        f"The pages of {place} have vectors by {model or 'another encoder'}, which cannot be compared with these. "
        f"Use that encoder, or make others with `python -m indexing vectors --store {place}`."
    )
