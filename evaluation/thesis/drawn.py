"""Draws claims as the thesis does: at random, by a seed, from those with evidence (its section 4.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from evaluation.fever.data import GoldClaim, read_claims
from retrieval.errors import CorpusError

CLAIMS, SEED = 200, 1  # the number of claims that the thesis draws, and our seed


def drawn_claims(
    paths: Sequence[Path], count: int = CLAIMS, seed: int = SEED, natural: bool = False
) -> list[GoldClaim]:
    """`count` verifiable claims from all files together, the same for the same seed. natural: whether to draw only
    those from whole pages.

    They are in the order of a hash, so a longer draw begins with the shorter one. Raises CorpusError if there is no
    claim.
    """
    known = {
        claim.id: claim
        for path in paths
        for claim in read_claims(path)
        if claim.verifiable and (claim.natural or not natural)
    }
    if not known:
        raise CorpusError(f"{paths[0]} holds no claim with evidence. Name a file of FEVER claims.")
    return sorted(known.values(), key=lambda claim: hashlib.sha256(f"{seed} {claim.id}".encode()).hexdigest())[:count]
