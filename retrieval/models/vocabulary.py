"""Words that are single pieces of the vocabulary: they count as spelt correctly, even if no page contains them."""

from __future__ import annotations

import json

from retrieval.models import catalogue


def whole_words() -> frozenset[str]:
    """Word pieces that are whole words, in lower case. Raises ModelError."""
    *_, tokenizer = catalogue.load(catalogue.CROSS_ENCODER)
    pieces = json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]
    return frozenset(piece for piece in pieces if piece.isalpha())
