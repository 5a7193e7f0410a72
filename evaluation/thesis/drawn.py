"""Draws claims as the thesis does: at random, by a seed, from those with evidence (its section 4.2).

People judge the questions of recipe `esoteric` about them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.fever.data import GoldClaim, read_claims
from retrieval import stage_names
from retrieval.errors import CorpusError
from retrieval.types import Claim

if TYPE_CHECKING:
    from retrieval.resources import Resources

DRAWN_CLAIMS, DRAW_SEED = 200, 1  # the number of claims that the thesis draws, and our seed


def drawn_claims(
    paths: Sequence[Path], count: int = DRAWN_CLAIMS, seed: int = DRAW_SEED, natural: bool = False
) -> list[GoldClaim]:
    """`count` verifiable claims from all files together, the same for the same seed. natural: whether to draw only
    those from whole pages.

    They are in the order of a hash, so a longer draw begins with the shorter one. Raises CorpusError if there is no
    claim.
    """
    verifiable = {
        claim.id: claim
        for path in paths
        for claim in read_claims(path)
        if claim.verifiable and (claim.natural or not natural)
    }
    if not verifiable:
        raise CorpusError(f"{paths[0]} holds no claim with evidence. Name a file of FEVER claims.")
    order = sorted(verifiable.values(), key=lambda claim: hashlib.sha256(f"{seed} {claim.id}".encode()).hexdigest())
    return order[:count]


def asked_about(claims: Iterable[GoldClaim], resources: Resources) -> Iterator[str]:
    """Lines to print: each claim, and under it its questions, numbered consecutively. Raises ModelError or StoreError."""
    from retrieval.pipeline import Pipeline  # only here: the commands import this module for its constants

    whole = resources.pipeline("esoteric")
    stages = [stage for stage in whole.stages if stage.name in (stage_names.SPANS, stage_names.QUESTIONS)]
    pipeline = Pipeline(whole.name, stages, reader=whole.reader)
    number = 0
    for claim in claims:
        check = pipeline.run(Claim(claim.id, claim.text))
        yield f"# {claim.text}"
        for pair in check.questions:
            number += 1
            yield f"{number}\t{pair.question}"
