"""Denials made by rule: what supports a claim refutes its denial, and vice versa."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, Pair

_AUXILIARY = re.compile(r"\b(is|was|are|were|has|had|can|will|did)\b(?! (?:not|never|also|only|no)\b)")
_DENIED = re.compile(r"\b(?:not|never|no|none|neither|nor|only|but|cannot)\b|n't\b")
_SHORT = {"is": "isn't", "was": "wasn't", "are": "aren't", "were": "weren't", "has": "hasn't", "had": "hadn't"}
_TURNED = {SUPPORTS: REFUTES, REFUTES: SUPPORTS, NEUTRAL: NEUTRAL}


def denial_pairs(pairs: Iterable[Pair], rng: random.Random) -> Iterator[Pair]:
    """The pairs whose claim can be denied, with the denial as claim and the stance reversed."""
    for pair in pairs:
        denial = denied(pair.claim, rng)
        if denial and pair.stance in _TURNED:
            yield replace(pair, claim=denial, stance=_TURNED[pair.stance])


def denied(claim: str, rng: random.Random) -> str | None:
    """The claim with its first auxiliary verb negated, or after "It is false that"; None if it has no such verb."""
    match = _AUXILIARY.search(claim)
    if match is None or _DENIED.search(claim):
        return None
    if rng.random() < 0.12:
        return f"{rng.choice(('It is false that', 'It is not true that'))} {claim}"
    verb = match[1]
    negated = _SHORT[verb] if verb in _SHORT and rng.random() < 0.3 else f"{verb} {rng.choice(('not', 'not', 'never'))}"
    if negated.endswith("never") and verb in ("is", "are"):
        negated = f"{verb} not"
    return claim[: match.start()] + negated + claim[match.end() :]
