"""Which claims are never used for training, wherever they were published: one rule for evaluation and training."""

from __future__ import annotations

import hashlib

from retrieval.text.titles import fold

KEPT_APART_ONE_IN = 11


def is_kept_apart_claim(claim: str) -> bool:
    """Whether a claim is held out for evaluation. By hash of its folded text: the same in every source and run."""
    digest = hashlib.sha256(fold(claim).encode("utf-8")).digest()
    return int.from_bytes(digest[:4], "big") % KEPT_APART_ONE_IN == 0
