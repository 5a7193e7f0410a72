"""The claims held out from training, wherever they were published: one rule for evaluation and training."""

from __future__ import annotations

import hashlib

from retrieval.text.titles import fold

HELD_OUT_ONE_IN = 11


def is_held_out_claim(claim: str) -> bool:
    """Whether a claim is held out, by the hash of its folded text, so that every source and run agrees."""
    digest = hashlib.sha256(fold(claim).encode("utf-8")).digest()
    return int.from_bytes(digest[:4], "big") % HELD_OUT_ONE_IN == 0
